import * as fc from "fast-check";
import { blockMarkers, retrievalLines } from "../src/spectator/protocol/markers.ts";

const { notes, calls } = blockMarkers;
export const markers = [notes.begin, notes.end, calls.begin, calls.end];

export const aNote = `${notes.begin}{"set_goals":["sail"]}${notes.end}`;
export const aCall = `${calls.begin}[{"id":"t1","tool":"fs.list_dir","args":{"path":"."}}]${calls.end}`;

const halfOf = (text: string) => fc.nat({ max: text.length }).map((at) => text.slice(0, at));
const restOf = (text: string) => fc.nat({ max: text.length }).map((at) => text.slice(at));

const brackets = ["<", "<<", "<<<", ">", ">>>", "</", "=", "===", "＜＜＜", "≪", "⋘", "﹥", "‹"];
const code = [
  "`",
  "``",
  "```",
  "````",
  "```json\n",
  "\n```\n",
  "\n~~~\n",
  "\n    ```\n",
  "\\",
  "\\`",
  "> ",
  "- ",
  "1. ",
];
const tags = [
  "<think>",
  "</think>",
  "<THINK>",
  "<Thinking>",
  "</thinking>",
  "<reasoning>",
  "</REASONING>",
  "<thin",
  "[THINK]",
  "[/THINK]",
  "◁think▷",
  "◁/think▷",
  "<|START_THINKING|>",
  "<|channel|>analysis<|message|>",
  "<|channel|>final<|message|>",
];
const json = ['{"set_goals":[]}', "[]", "{", "}", '"', '{"a":1,"a":2}', '"add_constraints"', "null"];
const blanks = [" ", "  ", "\t", "\n", "\n\n", "\r\n", "\r", "\n\n\n"];
const odd = ["\u0000", "\ud83d", "\ude00", "😀", "\u202e", "\u200b", "\u2060", "\ufeff", "é", "漢", "\u0338"];
const words = ["x", "hello", "NOTES_JSON", "END_", "TOOL_CALLS_JSON", "RETRIEVED_MEMORY", "notes json"];

/** A piece of what a model, or somebody through it, might say to confuse whoever reads it. */
export const piece = fc.oneof(
  fc.constantFrom(...markers, aNote, aCall, retrievalLines.begin, retrievalLines.end),
  fc.constantFrom(...markers).chain((marker) => fc.oneof(halfOf(marker), restOf(marker))),
  fc.constantFrom(...brackets, ...tags),
  fc.constantFrom(...code),
  fc.constantFrom(...json, ...words),
  fc.constantFrom(...blanks),
  fc.constantFrom(...odd),
);

export const speech = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));

/** A text and places to cut it at. */
export const cutSpeech = fc
  .tuple(speech, fc.array(fc.nat({ max: 400 }), { maxLength: 12 }))
  .map(([text, places]) => ({ text, pieces: cut(text, places) }));

function cut(text: string, places: readonly number[]): string[] {
  const inside = places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b);
  return [0, ...inside].map((start, index) => text.slice(start, inside[index]));
}
