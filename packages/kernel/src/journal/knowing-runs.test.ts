import type { RunId } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { knowingRuns, type RunLinks } from "./knowing-runs.ts";

const callId = "call_1";
const id = (name: string) => `run_${name}` as RunId;
const opened = (name: string, previous?: string) => ({
  runId: id(name),
  ...(previous !== undefined && { previous: id(previous) }),
});
type Child = RunLinks["started"][number];
const started = (
  parent: string,
  seq: number,
  child: string,
  variant: Child["handoff"]["variant"],
  call?: string,
): Child => ({ runId: id(parent), childRunId: id(child), seq, handoff: { variant }, call });

function known(links: Partial<RunLinks>, at = 4): Record<string, unknown> {
  const named = new Map([[id("own"), at]]);
  const knowing = knowingRuns(callId, named, { opened: [], started: [], ...links });
  return Object.fromEntries([...knowing].map(([runId, one]) => [runId.slice(4), one]));
}

const own = { after: 4, isTold: false };
const whole = { after: 0, isTold: false };
const told = { after: 0, isTold: true };

test("its own run knows from where the call comes up, and nobody else does", () => {
  const links = {
    opened: [opened("own", "before"), opened("before"), opened("other")],
    started: [started("other", 9, "stranger", "full_history_with_policy")],
  };
  expect(known(links)).toStrictEqual({ own });
  expect(known({})).toStrictEqual({ own });
});

test("every run that follows it in its session knows, in whichever order they are found", () => {
  const all = [opened("own"), opened("second", "own"), opened("third", "second"), opened("fork", "own")];
  for (const list of [all, all.toReversed()])
    expect(known({ opened: list })).toStrictEqual({ own, second: whole, third: whole, fork: whole });
});

test("a child knows that was told after the call, or started by it, and no other", () => {
  const links = {
    started: [
      started("own", 3, "early", "full_history_with_policy"),
      started("own", 5, "told", "summary_only"),
      started("own", 6, "untold", "none"),
      started("own", 7, "begun", "none", callId),
    ],
  };
  expect(known(links)).toStrictEqual({ own, told, begun: told });
});

test("what a knowing run tells its children they know, however far below and however much later", () => {
  const links = {
    opened: [opened("own"), opened("next", "own")],
    started: [
      started("next", 2, "heir", "full_history_with_policy"),
      started("heir", 2, "grandchild", "summary_only"),
      started("heir", 3, "alone", "none"),
    ],
  };
  expect(known(links)).toStrictEqual({ own, next: whole, heir: told, grandchild: told });
});

test("runs that name each other in a circle come to an end, as do very many in a row", () => {
  const circle = [opened("own", "other"), opened("other", "own")];
  expect(known({ opened: circle })).toStrictEqual({ own: whole, other: whole });
  const row = Array.from({ length: 20_000 }, (_, at) => opened(`${at}`, at === 0 ? "own" : `${at - 1}`));
  expect(Object.keys(known({ opened: row }))).toHaveLength(20_001);
});
