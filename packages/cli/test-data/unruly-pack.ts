// A pack for the tests whose tools behave badly in every way a tool can.
import { appendFileSync } from "node:fs";
import { defineTool } from "@spfunctions/agent";
import { lines, notesFile, objectOf, reads, text, writes } from "./notes-file.ts";

/** The process dies in the middle of it, unless it has died of it before. */
function dieOnce(input: unknown): { count: number } {
  const mark = `died of ${(input as { text: string }).text}`;
  if (!lines().includes(mark)) {
    appendFileSync(notesFile(), `${mark}\n`);
    process.kill(process.pid, "SIGKILL");
  }
  appendFileSync(notesFile(), "done\n");
  return { count: lines().length };
}

const dieing = {
  ...writes,
  input: objectOf({ text }),
  output: objectOf({ count: { type: "integer" } }),
} as const;

const dieKeyed = defineTool({
  ...dieing,
  name: "unruly.die_keyed",
  description: "Dies the first time; can be repeated.",
  idempotency: { type: "key", keyRetentionMs: 3_600_000 },
  run: dieOnce,
});

const dieUnkeyed = defineTool({
  ...dieing,
  name: "unruly.die_unkeyed",
  description: "Dies the first time; cannot be repeated.",
  run: dieOnce,
});

const leak = defineTool({
  ...reads,
  name: "unruly.leak",
  description: "Gives away what it finds in the environment.",
  input: objectOf({}),
  run: () => ({ found: process.env.SF_INSTALLATION_KEY ?? "nothing" }),
});

const wait = defineTool({
  ...writes,
  name: "unruly.wait",
  description: "Waits until it is told to stop, and longer.",
  input: objectOf({}),
  output: {},
  run: (_, { progress }) => {
    progress("waiting");
    return new Promise(() => undefined);
  },
});

const shout = defineTool({
  ...reads,
  name: "unruly.shout",
  description: "Answers with what could drive a terminal.",
  input: objectOf({}),
  run: (_, { progress }) => {
    progress("\u001b[2Jgone");
    return { text: "\u001b[31mred\u009b0m \u202eevil\u2028", "\u001b]0;title\u0007": 1 };
  },
});

const stray = defineTool({
  ...writes,
  name: "unruly.stray",
  description: "Leaves a promise behind that fails, and waits.",
  input: objectOf({}),
  output: {},
  run: () => {
    void Promise.reject(new Error("nobody waits for me"));
    return new Promise(() => undefined);
  },
});

const wrong = defineTool({
  ...reads,
  name: "unruly.wrong",
  description: "Answers with what its contract does not allow.",
  input: objectOf({}),
  output: objectOf({ id: { type: "integer" } }),
  run: () => ({ id: "one" }),
});

const exit = defineTool({
  ...writes,
  name: "unruly.exit",
  description: "Ends the process as if all were well.",
  input: objectOf({}),
  output: {},
  run: () => process.exit(0),
});

const chat = defineTool({
  ...reads,
  name: "unruly.chat",
  description: "Prints to the console while it runs.",
  input: objectOf({}),
  run: () => {
    console.log("chatting");
    console.info({ and: "more" });
    return { said: true };
  },
});

export const tools = [dieKeyed, dieUnkeyed, leak, wait, shout, stray, wrong, exit, chat];
