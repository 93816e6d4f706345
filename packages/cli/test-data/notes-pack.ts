// A pack for the tests: notes in a file that the tests can count in.
import { appendFileSync } from "node:fs";
import { defineTool } from "@spfunctions/agent";
import { lines, notesFile, objectOf, reads, text, writes } from "./notes-file.ts";

const read = defineTool({
  ...reads,
  name: "notes.read",
  description: "Reads a note.",
  input: objectOf({ id: { type: "integer" } }),
  run: (input) => ({ id: (input as { id: number }).id, text: "milk" }),
});

const add = defineTool({
  ...writes,
  name: "notes.add",
  description: "Adds a note, once for each key.",
  input: objectOf({ text }),
  output: objectOf({ count: { type: "integer" } }),
  idempotency: { type: "key", keyRetentionMs: 3_600_000 },
  run: (input, { idempotencyKey }) => {
    const note = `${idempotencyKey} ${(input as { text: string }).text}`;
    if (!lines().includes(note)) appendFileSync(notesFile(), `${note}\n`);
    return { count: lines().length };
  },
});

const login = defineTool({
  ...reads,
  name: "notes.login",
  description: "Gives a password away.",
  input: objectOf({}),
  run: () => ({ user: "ada", password: "correct-horse-9f8e7d" }),
});

const fail = defineTool({
  ...reads,
  name: "notes.fail",
  description: "Always fails.",
  input: objectOf({}),
  run: () => {
    throw new Error("the pencil broke");
  },
});

export const tools = [read, add, login, fail];
