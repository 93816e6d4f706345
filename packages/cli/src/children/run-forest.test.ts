import { expect, test } from "vitest";
import { forestOf, type Planted } from "./run-forest.ts";

type Given = { readonly runId: string; readonly parentRunId?: string; readonly startedAt: string };

const run = (runId: string, second: number, parentRunId?: string): Given => ({
  runId,
  startedAt: new Date(second * 1000).toISOString(),
  ...(parentRunId !== undefined && { parentRunId }),
});

/** Each by its name, with those below it. */
type Drawn = string | readonly [string, readonly Drawn[]];
const drawn = (forest: readonly Planted<Given>[]): Drawn[] =>
  forest.map(({ run: { runId }, children }) => (children.length === 0 ? runId : [runId, drawn(children)]));

const forest = (runs: readonly Given[], own: readonly string[] = []) =>
  drawn(forestOf(runs as never, ({ runId }) => own.includes(runId)) as never);

test("children stand below their parents in the order in which they were started, runs the newest first", () => {
  const runs = [run("c2", 4, "a"), run("a", 1), run("b", 2), run("c1", 3, "a"), run("g", 5, "c1")];
  expect(forest(runs)).toStrictEqual(["b", ["a", [["c1", ["g"]], "c2"]]]);
});

test("a child that was let go, or whose parent is not there, stands on its own, with its own children", () => {
  const runs = [run("a", 1), run("c", 2, "a"), run("g", 3, "c"), run("lost", 4, "nobody")];
  expect(forest(runs, ["c"])).toStrictEqual(["lost", ["c", ["g"]], "a"]);
});

test("whoever is listed below themselves is not hidden by that (B22)", () => {
  expect(forest([run("a", 1, "b"), run("b", 2, "a"), run("c", 3, "c")])).toStrictEqual([["a", ["b"]], "c"]);
});
