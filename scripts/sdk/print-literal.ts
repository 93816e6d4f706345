import type { JsonValue } from "@spfunctions/contracts";

/** The type that only one JSON value has. */
export function printLiteral(value: JsonValue): string {
  if (Array.isArray(value)) return `readonly [${value.map((item) => printLiteral(item)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `readonly ${printKey(key)}: ${printLiteral(member)}`,
  );
  return `{ ${members.join("; ")} }`;
}

/** A member's name as source text: quoted where it has to be. */
export function printKey(key: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key) ? key : JSON.stringify(key);
}

/** A doc comment that its text cannot end. */
export function printDoc(text: JsonValue | undefined, tail: readonly string[] = []): string {
  const given = typeof text === "string" ? text.trim() : "";
  const lines = [...(given === "" ? [] : given.split(/\r?\n/)), ...tail].map((line) =>
    line.replaceAll("*/", "*\\/").trimEnd(),
  );
  if (lines.length === 0) return "";
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => (line === "" ? " *" : ` * ${line}`)).join("\n")}\n */\n`;
}
