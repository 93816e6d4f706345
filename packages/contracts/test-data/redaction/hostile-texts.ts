// Texts that ask a finder again and again and never, or always, give it what it waits for.
import { vendorNames } from "../../src/redact/vendor-names.ts";
import { tokenFormats } from "../../src/redact/token-formats.ts";

const heads = [...new Set(tokenFormats.map(({ head }) => head))];
const stems =
  "key token secret password pwd auth cookie bearer session mnemonic api access salt code login".split(" ");
const operators = [
  "=",
  ": ",
  " = ",
  "=>",
  ' := "',
  "='",
  ":=`",
  " is ",
  " ",
  ",",
  "|",
  "->",
  "(",
  '": "',
  "%3D",
  "\n",
];

/** Each is repeated to the length that is asked for. */
export const hostilePatterns: Readonly<Record<string, string>> = {
  "every head": heads.join(" "),
  "every head, short tails": heads.map((head) => `${head}abcdefgh `).join(""),
  "every head, glued": heads.join(""),
  "every head, many parts": heads.map((head) => `${head}a1B2c3D4e5F6g7H8i9J0k1L2m3N4/`).join(""),
  "every name, every operator": stems
    .flatMap((stem) => operators.map((operator) => `${stem}${operator}`))
    .join(""),
  "names joined": stems.join("_"),
  "names and spaces": stems.map((stem) => `${stem}      `).join(""),
  "names and words": stems.map((stem) => `the ${stem} for a b c is to be `).join(""),
  "names and open quotes": stems.map((stem) => `${stem}="'\``).join(""),
  "names and escaped quotes": stems.map((stem) => `${stem}\\"\\\\"`).join(""),
  "names and closing marks": stems.map((stem) => `${stem}"]})*</a>, value `).join(""),
  "names and brackets": stems.map((stem) => `${stem}=[[({`).join(""),
  "names and bytes": stems.map((stem) => `${stem}: 1, 22, 255, `).join(""),
  phrases: "mnemonic: word word word word word word word ",
  "one name, no end": "password",
  "one name, long value":
    "password=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  schemes: "authorization: Bearer Basic Digest a=b ",
  addresses: "://",
  "addresses with users": "://a:b",
  "addresses with slashes": "x://a:b/c/d/e/f/g",
  "addresses with hosts": "https://a.b.c.d.e.f.g.h.i.j.k.slack.com",
  "addresses with placeholders": "://[redacted:a][redacted:b][redacted",
  "user flags": " -u a:",
  "password flags": " mysql -p a -w b -t c ",
  logins: " login auth unseal attach",
  "identified by": "identified by '",
  "key blocks": "-----BEGIN ",
  "key blocks without end": "-----BEGIN RSA PRIVATE KEY-----\nMIIE",
  "key blocks, beginnings only": "-----BEGIN RSA PRIVATE KEY-----",
  "key blocks, odd ends": "-----BEGIN PRIVATE KEY-----\n-----END RSA -----END ",
  vaults: "$ANSIBLE_VAULT;1.1;AES256\n61 ",
  "web keys": '"kty" "crv" "alg" "d":"',
  "web keys with members": '{"kty":"RSA","d":"AAAAAAAAAAAAAAAAAAAA","n":"x"},',
  tokens: "eyJ",
  "tokens with dots": "eyJhbGciOiJIUzI1NiJ9.",
  "tokens with long parts": `eyJ${"a".repeat(200)}.`,
  marks: ".atlasv1.:AA-usNRAL-NRMA_mmkQ~+AStACDb+ABaAZDOAzFu+ACRJQQJ99AzSeAzCa_P0A1_:fx:APA91b",
  "marks after long runs": `${"aB3".repeat(26)}+AStACDbAZDO`,
  "prefixed words": "acme_live_key_",
  "random runs": "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6 ",
  "one random run": "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6",
  "dots and parts": "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3.aaaaaaaaaaaa",
  "names of services": [...vendorNames].map((name) => `${name} = `).join(""),
  "cookies that open nothing": `cookie: ${"idid".repeat(16)} `,
  "cookies without a value": "cookie: a; cookie=; ",
  placeholders: "[redacted:secret:0123456789ab]",
  "broken placeholders": "[redacted:secret:0123",
  "one letter": "a",
  quotes: `"`,
  backslashes: "\\",
  spaces: " ",
  "line ends": "\n",
  dashes: "-",
  "equals signs": "=",
};

export function hostileText(pattern: string, length: number): string {
  return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
}
