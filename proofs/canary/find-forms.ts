/** The forms in which a secret stands in a text: as it is, without its prefix, in hex, in base64 at any place of a text. */
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
  return Object.entries(forms)
    .filter(([, form]) => text.includes(form))
    .map(([name]) => name);
}
