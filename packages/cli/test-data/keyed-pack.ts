// A pack for the tests: one tool honours the key, so that a call which was cut off is made again with the same one; of the other
// nobody knows then what became of it.
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { defineTool } from "@spfunctions/agent";
import { notesFile, objectOf, text, writes } from "./notes-file.ts";

type Context = { readonly attempt: number; readonly signal: AbortSignal };

const waits = {
  ...writes,
  description: "Goes on when there is a file of that name.",
  input: objectOf({ file: text }),
  output: objectOf({ attempt: { type: "integer" } }),
  run: async (input: unknown, { attempt, signal }: Context) => {
    const { file } = input as { file: string };
    appendFileSync(notesFile(), `${file} ${attempt}\n`);
    while (!existsSync(file)) await after(10, undefined, { signal });
    return { attempt };
  },
} as const;

const send = defineTool({
  ...waits,
  name: "keyed.send",
  idempotency: { type: "key", keyRetentionMs: 86_400_000 },
  http: { method: "POST", path: "/api/keyed" },
});

const once = defineTool({
  ...waits,
  name: "keyed.once",
  http: { method: "POST", path: "/api/keyed/once" },
});

export const tools = [send, once];
