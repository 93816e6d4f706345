// A pack for the tests with a tool that goes where it is sent, and on from there where it is told to; what it reached is in the notes.
import { appendFileSync } from "node:fs";
import { defineTool } from "@spfunctions/agent";
import { notesFile, objectOf, text } from "./notes-file.ts";

const fetchPage = defineTool({
  name: "web.fetch",
  description: "Fetches a page.",
  input: { ...objectOf({ url: text, next: text }), required: ["url"] },
  output: objectOf({ reached: text }),
  permissions: ["net"],
  sideEffect: "none",
  costEffect: "api_cost",
  capability: { kind: "net", url: "/url" },
  http: { method: "POST", path: "/api/web" },
  run: async (input, { authorize }) => {
    const { url, next } = input as { url: string; next?: string };
    const first = await authorize(url);
    const { url: reached } = next === undefined ? first : await authorize(next);
    appendFileSync(notesFile(), `${reached}\n`);
    return { reached };
  },
});

export const tools = [fetchPage];
