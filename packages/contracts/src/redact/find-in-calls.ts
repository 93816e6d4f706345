import { type Finder, matchAt } from "./finder.ts";
import { isDottedPassword, isReference } from "./is-reference.ts";

/** A quote, also as JSON escapes it. */
const quote = String.raw`\\{0,3}["'\`]`;
const argument = String.raw`\s{0,8}${quote}([^\s"'\`\\]{8,512})${quote}`;
const algorithm = String.raw`\s{0,8}${quote}[\w-]{1,32}${quote}\s{0,8},`;
const anyText = String.raw`\s{0,8}${quote}[^"'\`\\\n]{0,256}${quote}\s{0,8},`;
const password = String.raw`\s{0,8}(?:Some\()?${quote}([^\s"'\`\\]{4,512})${quote}`;

/** `cohere.Client("…")`: the key of a service, and nothing else. A digest or a name is none. */
const keyAlone = new RegExp(
  String.raw`(?:Client|API|Api|SDK)\(\s{0,8}${quote}((?=[A-Za-z_-]*[0-9])(?=[a-z0-9_-]*[A-Z])[A-Za-z0-9_-]{24,256})${quote}`,
  "dy",
);

/** Calls that take a key as it is, by what stands before their bracket. */
const calls = [
  ["Hmac(", new RegExp(`(?<=create)Hmac\\(${algorithm}${argument}`, "dy")],
  ["ipheriv(", new RegExp(`(?<=create(?:C|Dec))ipheriv\\(${algorithm}${argument}`, "dy")],
  [
    "wilio",
    new RegExp(
      String.raw`wilio(?:${quote}\)|)\(\s{0,8}${quote}AC[0-9a-f]{32}${quote}\s{0,8},\s{0,8}${quote}([0-9a-f]{32})${quote}`,
      "diy",
    ),
  ],
  ["mysqli_connect(", new RegExp(String.raw`mysqli_connect\(${anyText}${anyText}${password}`, "dy")],
  ["new PDO(", new RegExp(String.raw`new PDO\(${anyText}${anyText}${password}`, "dy")],
  ["PDO->__construct(", new RegExp(String.raw`PDO->__construct\(${anyText}${anyText}${password}`, "dy")],
  ...["Client(", "API(", "Api(", "SDK("].map((word) => [word, keyAlone] as const),
  ["BasicAuth(", new RegExp(String.raw`BasicAuth\(${anyText}${password}`, "dy")],
  [".login(", new RegExp(String.raw`\.login\(${anyText}${password}\s{0,8}\)`, "dy")],
  ["basic_auth(", new RegExp(String.raw`basic_auth\(${anyText}${password}`, "dy")],
  ["basic_auth ", new RegExp(String.raw`basic_auth ${anyText}${password}`, "dy")],
  ["getConnection(", new RegExp(String.raw`getConnection\(${anyText}${anyText}${password}`, "dy")],
  ["Credential(", new RegExp(String.raw`Credential\(${anyText}${password}`, "dy")],
  ["Credentials(", new RegExp(String.raw`Credentials\(${anyText}${password}`, "dy")],
  ["WiFi.begin(", new RegExp(String.raw`WiFi\.begin\(${anyText}${password}`, "dy")],
  ["->connect(", new RegExp(String.raw`->connect\(${anyText}${anyText}${password}`, "dy")],
  ["crypt(", new RegExp(String.raw`crypt\(${password}\s{0,4},\s{0,4}gen_salt`, "dy")],
  ["Fernet(", new RegExp(String.raw`Fernet\(b?${password}`, "dy")],
  ["auth=(", new RegExp(String.raw`auth=\(${anyText}${password}`, "dy")],
  ...["jwt.sign(", "jwt.encode(", "jwt.decode(", "jwt.verify("].map(
    (word) => [word, new RegExp(String.raw`jwt\.\w{4,6}\([^"'\`\n]{1,256},${argument}`, "dy")] as const,
  ),
  ["hmac.New(", new RegExp(String.raw`hmac\.New\([\w.]{1,32},\s{0,8}\[\]byte\(${argument}`, "dy")],
  ["fromSecretKey(", new RegExp(String.raw`fromSecretKey\((?:[\w.]{1,48}\()?${argument}`, "dy")],
  [
    "accounts:",
    new RegExp(String.raw`accounts:\s{0,8}\[\s{0,8}${quote}((?:0x)?[0-9a-fA-F]{64})${quote}`, "dy"),
  ],
  [
    ".connect(",
    new RegExp(String.raw`\.connect\(${anyText}\s{0,8}[0-9]{1,5}\s{0,8},${anyText}${password}`, "dy"),
  ],
  ...['("AC', "('AC", '(\\"AC'].map(
    (word) =>
      [
        word,
        new RegExp(
          String.raw`\(${quote}AC[0-9a-f]{32}${quote}\s{0,8},\s{0,8}${quote}([0-9a-f]{32})${quote}`,
          "dy",
        ),
      ] as const,
  ),
  ["Wallet(", /Wallet\(\s{0,8}\\{0,3}["'`](?:0x)?([0-9a-fA-F]{64})\\{0,3}["'`]/dy],
] as const;

export const callFinder: Finder = {
  words: calls.map(([word]) => word),
  find(text, at, found) {
    for (const [word, pattern] of calls) {
      const match = text.startsWith(word, at) ? matchAt(pattern, text, at) : null;
      const place = match?.indices?.[1];
      if (place === undefined || isStandIn(match?.[1] ?? "")) continue;
      found.add(place[0], place[1], "secret");
      return place[1];
    }
    return at + 1;
  },
};

function isStandIn(value: string): boolean {
  return isReference(value) && !isDottedPassword(value);
}
