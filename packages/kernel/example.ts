import { defineTool, registerPacks } from "@spfunctions/kernel";
import { z } from "zod";

// A tool says what it changes and costs. Its function is reachable through the judge alone: nothing here holds it.
const read = defineTool({
  name: "notes.read",
  description: "Reads a note.",
  input: z.strictObject({ id: z.int() }),
  output: z.strictObject({ text: z.string() }),
  permissions: ["notes:read"],
  sideEffect: "none",
  costEffect: "none",
  run: ({ id }) => ({ text: `note ${id}` }),
});

// Tools that go together are checked together; the manifest says what they are, by digest.
const { manifest } = registerPacks([read]);
for (const { name, sideEffect, digest } of manifest.tools) console.log(name, sideEffect, digest);
