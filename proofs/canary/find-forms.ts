/** The forms in which a secret stands in a text: as it is, without its prefix, in hex, in base64 at any place of a text, or any of these encoded or in lines. */
export function findForms(text: string, secret: string): string[] {
  const bare = secret.replace(/^sf_live_/, "");
  const forms: Record<string, string> = {
    plain: bare,
    hex: Buffer.from(bare).toString("hex"),
    "upper hex": Buffer.from(bare).toString("hex").toUpperCase(),
    reversed: bare.split("").toReversed().join(""),
  };
  for (const shift of [0, 1, 2]) {
    const encoded = Buffer.from(`${"x".repeat(shift)}${secret}`).toString("base64");
    // Without what the neighbours have a part in.
    forms[`base64, ${shift} later`] = encoded.slice(4, -4);
    forms[`base64url, ${shift} later`] = encoded.slice(4, -4).replaceAll("+", "-").replaceAll("/", "_");
  }
  const found = new Set<string>();
  for (const [reading, read] of Object.entries(readingsOf(text))) {
    for (const [name, form] of Object.entries(forms))
      if (!found.has(name) && read.includes(form)) found.add(reading === "" ? name : `${name}, ${reading}`);
  }
  return [...found];
}

const character = (digits: string, base: number) => String.fromCodePoint(Number.parseInt(digits, base));

/** The text as it is, and as it reads without an encoding. */
function readingsOf(text: string): Record<string, string> {
  const escaped = text
    .replaceAll(/\\u([\da-f]{4})/gi, (_, digits: string) => character(digits, 16))
    .replaceAll(String.raw`\/`, "/");
  return {
    "": text,
    escaped,
    "percent-encoded": text.replaceAll(/%([\da-f]{2})/gi, (_, digits: string) => character(digits, 16)),
    "as entities": text
      .replaceAll(/&#x0{0,4}([\da-f]{2});/gi, (_, digits: string) => character(digits, 16))
      .replaceAll(/&#0{0,4}(\d{2,3});/g, (_, digits: string) => character(digits, 10)),
    "in lines": text.replaceAll(/(?:\\r|\\n|[\r\n])+[ \t]*/g, ""),
  };
}
