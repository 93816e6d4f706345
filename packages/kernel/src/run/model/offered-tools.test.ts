import { describe, expect, test } from "vitest";
import type { Run } from "../state/fold-run.ts";
import { type Offered, ShownTools } from "./offered-tools.ts";
import { searchTool, searchToolName } from "./search-tool.ts";

const registry = { tools: new Map([[searchToolName, searchTool(() => [])]]) };
const offered: Offered = {
  tools: ["notes.read", "notes.write", "tools.search"].map((name) => ({ name, description: "", input: {} })),
  bytes: 100,
};

/** A run in which the nth call of a tool was answered so. */
function runOf(...said: readonly { readonly name: string; readonly answer: unknown }[]): Run {
  const steps = said.map(({ name, answer }, index) => ({
    calls: [{ callId: `call_${index}`, name }],
    results: [{ callId: `call_${index}`, text: JSON.stringify(answer) }],
  }));
  return { steps } as unknown as Run;
}

const shownBy = (run: Run, shown: readonly string[] = ["tools.search"]) =>
  new ShownTools(offered, shown, registry).upTo(run).tools.map(({ name }) => name);
const found = (...names: unknown[]) => ({
  name: searchToolName,
  answer: { tools: names.map((name) => ({ name })) },
});

test("what a run began with, and what it has found since, of what it may call", () => {
  expect(shownBy(runOf())).toStrictEqual(["tools.search"]);
  expect(shownBy(runOf(found("notes.write")))).toStrictEqual(["notes.write", "tools.search"]);
  expect(new ShownTools(offered, undefined, registry).upTo(runOf(found()))).toBe(offered);
});

test("G3: what it may not call is not shown, whatever a search has answered and whatever it began with", () => {
  expect(shownBy(runOf(found("keys.create", "__proto__")), ["orders.place"])).toStrictEqual([]);
});

describe("an answer that is none finds nothing, and is no fault:", () => {
  test.each([
    [null],
    ["notes.write"],
    [7],
    [[]],
    [{}],
    [{ tools: null }],
    [{ tools: "notes.write" }],
    [{ tools: { name: "notes.write" } }],
    [{ tools: [null, 7, "notes.write", {}, { name: null }, { name: ["notes.write"] }] }],
    [{ error: { code: "not_found", message: "the recorded output was erased" } }],
  ])("%j", (answer) => {
    expect(shownBy(runOf({ name: searchToolName, answer }))).toStrictEqual(["tools.search"]);
  });

  test("one that is not there", () => {
    const steps = [{ calls: [{ callId: "call_1", name: searchToolName }], results: [] }];
    expect(shownBy({ steps } as unknown as Run)).toStrictEqual(["tools.search"]);
  });
});

test("step by step it is what it is all at once, and the same until something is found", () => {
  const shown = new ShownTools(offered, ["tools.search"], registry);
  const said = [
    found(),
    found("notes.read"),
    found("notes.read"),
    { name: "notes.read", answer: { tools: [] } },
  ];
  const [before, first, second, third] = said.map((_, index) =>
    shown.upTo(runOf(...said.slice(0, index + 1))),
  );
  expect(before?.tools.map(({ name }) => name)).toStrictEqual(["tools.search"]);
  expect(first?.tools.map(({ name }) => name)).toStrictEqual(shownBy(runOf(...said)));
  expect([second === first, third === first]).toStrictEqual([true, true]);
});
