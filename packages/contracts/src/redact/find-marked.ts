import { type Finder, matchAt } from "./finder.ts";

/** Formats known by something in their middle or at their end; each pattern starts at its mark and looks back. */
const formats = [
  [".atlasv1.", /(?<=([A-Za-z0-9]{14}))\.atlasv1\.[A-Za-z0-9_=-]{30,100}/y],
  [":A", /(?<=(?<![0-9])([0-9]{5,16})):A[A-Za-z0-9_-]{33,35}(?![A-Za-z0-9_-])/y],
  ["-us", /(?<=(?<![0-9a-f])([0-9a-f]{32}))-us[0-9]{1,2}(?![0-9])/y],
  ["NRAL", /(?<=([A-Za-z0-9]{36}))NRAL(?![A-Za-z0-9])/y],
  ["-NRMA", /(?<=([A-Za-z0-9]{40,44}))-NRMA(?![A-Za-z0-9])/y],
  ["_mmk", /(?<=([A-Za-z0-9]{6}_[A-Za-z0-9]{29}))_mmk/y],
  ["Q~", /(?<=([A-Za-z0-9_~.-]{3}[0-9]))Q~[A-Za-z0-9_~.-]{31,34}/y],
  ["+ASt", /(?<=([A-Za-z0-9+/]{60,76}))\+ASt[A-Za-z0-9+/]{6}={0,2}/y],
  ["ACDb", /(?<=([A-Za-z0-9+/]{60,76}))ACDb[A-Za-z0-9+/]{6}={0,2}/y],
  ["+ABa", /(?<=([A-Za-z0-9+/]{60,76}))\+ABa[A-Za-z0-9+/]{6}={0,2}/y],
  ["AZDO", /(?<=([A-Za-z0-9]{76}))AZDO[A-Za-z0-9]{4}/y],
  ["AzFu", /(?<=([A-Za-z0-9_-]{44}))AzFu[A-Za-z0-9_-]{5,6}={0,2}/y],
  ["+ACR", /(?<=([A-Za-z0-9+/]{42}))\+ACR[A-Za-z0-9+/]{6}/y],
  ["JQQJ99", /(?<=([A-Za-z0-9]{52}))JQQJ99[A-Za-z0-9]{20,30}/y],
  ["AzSe", /(?<=([A-Za-z0-9]{42}))AzSe[A-Za-z0-9]{6}/y],
  ["AzCa", /(?<=([A-Za-z0-9+/]{32,33}))AzCa[A-Za-z0-9+/]{5,6}={0,2}/y],
  ["_P0A1_", /(?<=([A-Za-z0-9_-]{64}))_P0A1_[0-9a-f-]{36}/y],
  [":fx", /(?<=([0-9a-f]{8}-[0-9a-f-]{27})):fx/y],
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
