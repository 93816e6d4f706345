// Whoever adds a tool, a kind of event, a field of the state or a word of a block to the long-lived agent says so in its docs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkpointWireSchema,
  notesKeys,
  proposedToolCallsSchema,
  turnEventKinds,
} from "@spfunctions/contracts";
import { fsTools, httpTools, shellTools } from "@spfunctions/host/tools";
import { expect, test } from "vitest";
import { dataFolder } from "../packages/host/test/data-folder.ts";
import { blockMarkers, retrievalLines } from "../packages/agent/src/spectator/protocol/markers.ts";
import { root } from "./package-graph.ts";

const agentPage = readFileSync(join(root, "docs/long-lived-agent.md"), "utf8");
const toolsPage = readFileSync(join(root, "docs/sandboxed-tools.md"), "utf8");
// What is said in words, and not only shown in an example.
const prose = (page: string) => page.replaceAll(/^```ts[\s\S]*?^```$/gm, "");
const unsaid = (page: string, words: readonly string[]) => words.filter((word) => !page.includes(word));

// proves LIVE-1.2
test("every tool stands there", () => {
  const terms = { root: dataFolder() };
  const tools = [...fsTools(terms), ...shellTools(terms), ...httpTools()];
  expect(tools.length).toBe(5);
  expect(
    unsaid(
      prose(toolsPage),
      tools.map(({ contract }) => contract.name),
    ),
  ).toEqual([]);
});

// proves LIVE-1.3
test("every kind of event stands there", () => {
  expect(
    unsaid(
      prose(agentPage),
      turnEventKinds.map((kind) => `\`${kind}\``),
    ),
  ).toEqual([]);
});

// proves LIVE-1.4
test("every field of a checkpoint and of its state stands there", () => {
  const { shape } = checkpointWireSchema;
  const fields = [...Object.keys(shape), ...Object.keys(shape.state.shape)];
  expect(
    unsaid(
      prose(agentPage),
      fields.map((field) => `\`${field}\``),
    ),
  ).toEqual([]);
});

// proves LIVE-1.5
test("every mark, key and action of a block stands there", () => {
  const marks = [
    ...Object.values(blockMarkers).flatMap(({ begin, end }) => [begin, end]),
    retrievalLines.begin,
  ];
  const actions = ["condense_now", "condense_smart", "request_permission:", "grant_permission:"];
  const words = [...marks, ...Object.keys(notesKeys), ...actions];
  expect(unsaid(prose(agentPage), words)).toEqual([]);
  const call = Object.keys(proposedToolCallsSchema.element.shape);
  expect(
    unsaid(
      prose(agentPage),
      [...call, "ok", "output", "error"].map((key) => `"${key}"`),
    ),
  ).toEqual([]);
});
