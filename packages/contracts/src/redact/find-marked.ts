import { type Finder, matchAt } from "./finder.ts";

/** Neither begins nor ends inside of something longer, as what looks like one of them does in the base64 of an image. */
function whole(before: string, rest: string): RegExp {
  return new RegExp(`(?<=${begins}${before})${rest}(?![A-Za-z0-9_+/-])`, "y");
}
const begins = String.raw`(?:(?<![A-Za-z0-9_+/-])|(?<=\\[nrt]|%[0-9A-Fa-f]{2}))`;

/** Formats known by something in their middle or at their end; each pattern starts at its mark and looks back. */
const formats = [
  [".atlasv1.", /(?<=([A-Za-z0-9]{14}))\.atlasv1\.[A-Za-z0-9_=-]{30,100}/y],
  [":A", /(?<=(?<![0-9])([0-9]{5,16})):A[A-Za-z0-9_-]{33,35}(?![A-Za-z0-9_-])/y],
  ["-us", /(?<=(?<![0-9a-f])([0-9a-f]{32}))-us[0-9]{1,2}(?![0-9])/y],
  ["NRAL", whole(String.raw`([A-Za-z0-9]{36})`, String.raw`NRAL`)],
  ["-NRMA", /(?<=([A-Za-z0-9]{40,44}))-NRMA(?![A-Za-z0-9])/y],
  ["_mmk", /(?<=([A-Za-z0-9]{6}_[A-Za-z0-9]{29}))_mmk/y],
  ["Q~", /(?<=([A-Za-z0-9_~.-]{3}[0-9]))Q~[A-Za-z0-9_~.-]{31,34}/y],
  ["+ASt", whole(String.raw`([A-Za-z0-9+/]{60,76})`, String.raw`\+ASt[A-Za-z0-9+/]{6}={0,2}`)],
  ["ACDb", whole(String.raw`([A-Za-z0-9+/]{60,76})`, String.raw`ACDb[A-Za-z0-9+/]{6}={0,2}`)],
  ["+ABa", whole(String.raw`([A-Za-z0-9+/]{60,76})`, String.raw`\+ABa[A-Za-z0-9+/]{6}={0,2}`)],
  ["AZDO", whole(String.raw`([A-Za-z0-9]{76})`, String.raw`AZDO[A-Za-z0-9]{4}`)],
  ["AzFu", whole(String.raw`([A-Za-z0-9_-]{44})`, String.raw`AzFu[A-Za-z0-9_-]{5,6}={0,2}`)],
  ["+ACR", whole(String.raw`([A-Za-z0-9+/]{42})`, String.raw`\+ACR[A-Za-z0-9+/]{6}`)],
  ["JQQJ99", whole(String.raw`([A-Za-z0-9]{52})`, String.raw`JQQJ99[A-Za-z0-9]{20,30}`)],
  ["AzSe", whole(String.raw`([A-Za-z0-9]{42})`, String.raw`AzSe[A-Za-z0-9]{6}`)],
  ["AzCa", whole(String.raw`([A-Za-z0-9+/]{32,33})`, String.raw`AzCa[A-Za-z0-9+/]{5,6}={0,2}`)],
  ["_P0A1_", /(?<=([A-Za-z0-9_-]{64}))_P0A1_[0-9a-f-]{36}/y],
  [":fx", /(?<=([0-9a-f]{8}-[0-9a-f-]{27})):fx/y],
  ["msh", /(?<=(?<![0-9a-f])([0-9a-f]{10}))msh[0-9a-f]{15}p1[0-9a-f]{5}jsn[0-9a-f]{12}(?![0-9A-Za-z])/y],
  [":APA91b", /(?<=(AAAA[A-Za-z0-9_-]{7})):APA91b[A-Za-z0-9_-]{100,180}/y],
] as const;

export const markedFinder: Finder = {
  words: formats.map(([mark]) => mark),
  find(text, at, found) {
    for (const [mark, format] of formats) {
      if (!text.startsWith(mark, at)) continue;
      const match = matchAt(format, text, at);
      if (match === null) continue;
      const end = at + match[0].length;
      found.add(at - (match[1] ?? "").length, end, "marked_key");
      return end;
    }
    return at + 1;
  },
};
