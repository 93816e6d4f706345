import { namedEntities, shortEscapes } from "./encodings.ts";

const base64Characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";
/** More of them make no useful pattern. */
const mostCharacters = 512;

/** Finds any encoded character at all. */
export const anyEncoded = /[\\%&+]/g;

/**
 * Finds the beginning of any encoded character that may be a part of one of these texts, or of base64: most texts have
 * escapes, and few have such. Where it finds none, nothing of the kind can be read in another way than as it stands.
 */
export function encodedPattern(texts: Iterable<string>): RegExp {
  const characters = new Set(base64Characters);
  for (const text of texts) {
    for (const character of text) characters.add(character);
    if (characters.size > mostCharacters) return anyEncoded;
  }
  const ways = [escapesOf(characters), percentSignsOf(characters), entitiesOf(characters)];
  if (characters.has(" ")) ways.push(String.raw`\+`);
  return new RegExp(ways.join("|"), "gi");
}

/** With what else may be encoded inside, and line ends where base64 may go on behind them. */
function escapesOf(characters: ReadonlySet<string>): string {
  const units = new Set(`${[...characters].join("")}%&#;+\r\n`.split(""));
  const codes = Array.from(units, (unit) => hex(unit.charCodeAt(0), 4));
  const short = Array.from(shortEscapes).filter(([, character]) => characters.has(character));
  const letters = [
    "/",
    ...short.map(([letter]) => letter),
    ...['"', "'", "\\"].filter((mark) => characters.has(mark)),
  ];
  const lineEnd = String.raw`[nr](?<=[\w+/-]{16}\\{1,4}[nr])`;
  return String.raw`\\(?:u(?:${codes.join("|")})|${letters.map((letter) => letter.replace("\\", "\\\\")).join("|")}|${lineEnd})`;
}

function percentSignsOf(characters: ReadonlySet<string>): string {
  const encoder = new TextEncoder();
  const leads = new Set(
    Array.from([...characters, "%", "\r", "\n"], (character) => encoder.encode(character)[0] ?? 0),
  );
  return `%(?:${Array.from(leads, (lead) => hex(lead, 2)).join("|")})`;
}

function entitiesOf(characters: ReadonlySet<string>): string {
  const names = Array.from(namedEntities).filter(([, character]) => characters.has(character));
  return `&(?:${["#", ...names.map(([name]) => name)].join("|")})`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
