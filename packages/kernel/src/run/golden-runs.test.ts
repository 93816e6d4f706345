// What a run leaves behind, story by story. The page docs/run-records.md shows the same, and its tables: a change here is a change of what
// people read.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { playStory, type RunStory, runStories } from "../../test-data/run-stories.ts";
import { rowKind } from "../../test-data/taken-rows.ts";
import { callTransitions } from "../journal/fold-calls.ts";
import { verifyAccount } from "../journal/verify-account.ts";
import { childTransitions } from "../subagent/child-states.ts";
import { runStates, runTransitions } from "./state/run-states.ts";

const page = readFileSync(new URL("../../../../docs/run-records.md", import.meta.url), "utf8");

/** The rows of the table below a heading, without its head. */
function rowsBelow(heading: string): string[] {
  const section = page.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) => row.slice(2, -2));
}

function cell(items: readonly string[]): string {
  return items.map((item) => `\`${item}\``).join(" ");
}

const plays = new Map<RunStory, ReturnType<typeof playStory>>();

/** A story, played once. */
async function played(story: RunStory): ReturnType<typeof playStory> {
  const play = plays.get(story) ?? playStory(story);
  plays.set(story, play);
  return await play;
}

async function rowOf(story: RunStory): Promise<string> {
  const { desk, runId } = await played(story);
  const records = cell(await desk.labels(runId));
  const verification = await verifyAccount(desk.store.inner, "acct_1");
  expect(verification.segments.find(({ stream }) => stream === runId)?.verification.status).toBe("ok");
  return story.isCrash === true
    ? [story.story, records].join(" | ")
    : [story.story, records, cell(await desk.events(runId))].join(" | ");
}

// proves PORT-9.10, PORT-9.11
describe("a run leaves exactly what docs/run-records.md says:", () => {
  const written = new Map(
    [...rowsBelow("Sequences"), ...rowsBelow("After a crash")].map((row) => [row.split(" | ")[0], row]),
  );

  test.each(runStories)("$story", async (story) => {
    expect(await rowOf(story)).toBe(written.get(story.story));
  });

  test("and no other stories are told there", () => {
    expect([...written.keys()]).toStrictEqual(runStories.map(({ story }) => story));
  });
});

test("docs/run-records.md shows the run's table as it is", () => {
  const rows = Object.entries(runTransitions).flatMap(([from, row]) =>
    [...foldedRow(row)].map(([kind, to]) => [`\`${from}\``, `\`${kind}\``, to].join(" | ")),
  );
  expect(rowsBelow("The run's table")).toStrictEqual(rows);
  expect(Object.keys(runTransitions)).toStrictEqual(["none", ...runStates]);
});

/** Whichever record of a child it is, it may lead to the same states: they are one row, or none. */
function foldedRow(row: Readonly<Record<string, readonly string[]>>): Map<string, string> {
  const cells = Object.entries(row).map(([kind, to]) => [kind, cell(to)] as const);
  const ofChildren = cells.filter(([kind]) => rowKind(kind) !== kind);
  const kinds = ofChildren.length === 0 ? [] : Object.keys(childTransitions);
  expect(ofChildren).toStrictEqual(kinds.map((kind) => [kind, ofChildren[0]?.[1]]));
  return new Map(cells.map(([kind, to]) => [rowKind(kind), to]));
}

test("docs/run-records.md shows the children's table as it is", () => {
  const rows = Object.entries(childTransitions).map(([kind, from]) =>
    [`\`${kind}\``, cell(from.map((one) => one ?? "none"))].join(" | "),
  );
  expect(rowsBelow("The children's table")).toStrictEqual(rows);
});

test("docs/run-records.md shows the call's table as it is", () => {
  const rows = Object.entries(callTransitions).map(([kind, from]) =>
    [`\`${kind}\``, cell((from ?? []).map((one) => one ?? "proposed"))].join(" | "),
  );
  expect(rowsBelow("The call's table")).toStrictEqual(rows);
});

test("every story ends with exactly one terminal event, and it comes last", async () => {
  for (const story of runStories) {
    const { desk, runId } = await played(story);
    const events = await desk.events(runId);
    const ends = events.filter((type) => /^runtime\.(completed|failed|cancelled)$/.test(type));
    expect(ends).toStrictEqual(events.slice(-1));
  }
});
