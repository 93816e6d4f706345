// B33: a call is what a model says in a block of its own, outside code and reasoning. Bare JSON, a call in prose, in a fence or in reasoning is
// text. What is read is data: nothing of it is run here.
import { redactText } from "@spfunctions/contracts";
import { type AnswerLimits, answerLimits } from "./answer-limits.ts";
import { type BlockKind, blockMarkers } from "./markers.ts";
import { type Malformed, malformed } from "./read-block.ts";
import { type ReadCalls, readCalls } from "./read-calls.ts";
import { type ReadNotes, readNotes } from "./read-notes.ts";
import { type BlockListener, VisibleStream } from "./visible-stream.ts";

export type Said = {
  /** What people see of it. */
  readonly visible: string;
  readonly notes?: ReadNotes | Malformed;
  readonly calls?: ReadCalls | Malformed;
  /** Blocks that do not count: all but the first of their kind, and those that turned out to stand in reasoning. */
  readonly extra: number;
};

/** `text` is all that is kept of the block; of one that is too large it is nothing. */
type Block = { text: string; isTooLarge: boolean; isClosed: boolean };

/** What a model has said in its whole answer. */
export function readSaid(text: string, limits: Partial<AnswerLimits> = {}): Said {
  const set = { ...answerLimits, ...limits };
  const { first, extra, visible } = collectBlocks(text, { notes: set.notesBytes, calls: set.toolCallsBytes });
  const notes = readBlock("notes", first.notes, set.notesBytes, (said) => readNotes(said, set.notesBytes));
  const calls = readBlock("calls", first.calls, set.toolCallsBytes, (said) => readCalls(said, set));
  return { visible, ...(notes && { notes }), ...(calls && { calls }), extra };
}

function collectBlocks(text: string, maxBytes: Readonly<Record<BlockKind, number>>) {
  let first: { [Kind in BlockKind]?: Block } = {};
  let extra = 0;
  let open: { readonly block: Block; readonly most: number } | undefined;
  const listener: BlockListener = {
    opened(kind) {
      if (first[kind] !== undefined) {
        extra += 1;
        return;
      }
      const block: Block = { text: "", isTooLarge: false, isClosed: false };
      first[kind] = block;
      open = { block, most: maxBytes[kind] };
    },
    wrote(piece) {
      if (open === undefined || open.block.isTooLarge) return;
      // In UTF-8 no unit is less than a byte; to the byte it is measured when it is read.
      const isTooLarge = open.block.text.length + piece.length > open.most;
      open.block.isTooLarge = isTooLarge;
      open.block.text = isTooLarge ? "" : open.block.text + piece;
    },
    closed() {
      // The first end ends it, also where JSON would have it in a string: then what is left is no JSON, and malformed.
      if (open !== undefined) open.block.isClosed = true;
      open = undefined;
    },
    reasoned() {
      extra += Object.keys(first).length;
      first = {};
    },
  };
  const stream = new VisibleStream(listener);
  const shown = stream.push(text) + stream.end();
  // S1: what stood on both sides of what was taken out may be a secret only now.
  return { first, extra, visible: shown === text ? shown : redactText(shown) };
}

function readBlock<Value>(
  kind: BlockKind,
  block: Block | undefined,
  maxBytes: number,
  read: (text: string) => Value,
): Value | Malformed | undefined {
  if (block === undefined) return undefined;
  const { begin, end } = blockMarkers[kind];
  if (!block.isClosed) return malformed(`${begin} without ${end}`);
  if (block.isTooLarge) return malformed(`the block is larger than ${maxBytes} bytes`);
  return read(block.text);
}
