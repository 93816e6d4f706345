// A pack for the tests whose tools have routes.
import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { defineTool } from "@spfunctions/agent";
import { lines, notesFile, objectOf, reads, text, writes } from "./notes-file.ts";

const add = defineTool({
  ...writes,
  name: "routed.add",
  description: "Adds a note.",
  input: objectOf({ text }),
  output: objectOf({ count: { type: "integer" } }),
  http: { method: "POST", path: "/api/routed" },
  run: (input) => {
    appendFileSync(notesFile(), `${(input as { text: string }).text}\n`);
    return { count: lines().length };
  },
});

const hold = defineTool({
  ...writes,
  name: "routed.hold",
  description: "Goes on when there is a file of that name, and is done again where it was cut off.",
  input: objectOf({ file: text }),
  output: objectOf({ held: { type: "boolean" } }),
  idempotency: { type: "natural" },
  http: { method: "PUT", path: "/api/routed/hold" },
  run: async (input) => {
    appendFileSync(notesFile(), "held\n");
    while (!existsSync((input as { file: string }).file)) await after(10);
    return { held: true };
  },
});

const spill = defineTool({
  ...reads,
  name: "routed.spill",
  description: "Answers with what its contract does not allow, and with the key of the environment.",
  input: objectOf({}),
  output: objectOf({ id: { type: "integer" } }),
  http: { method: "GET", path: "/api/routed/spill" },
  run: () => ({ id: process.env.SF_API_KEY ?? "none" }),
});

const die = defineTool({
  ...writes,
  name: "routed.die",
  description: "Takes the process with it, and cannot be repeated.",
  input: objectOf({}),
  output: {},
  http: { method: "POST", path: "/api/routed/die" },
  run: () => process.kill(process.pid, "SIGKILL"),
});

export const tools = [add, hold, spill, die];
