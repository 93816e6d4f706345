// Hooks are asked in one order, for so long and no longer. B15, B24: whatever is no clear yes is a no, and nothing hangs on a hook.
import {
  type HookPhase,
  hookPhases,
  type HookPoint,
  hookPoints,
  type PackageHook,
  packageHookSchema,
  PolicyDeniedError,
} from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test-data/call-clock.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { hang } from "../../test-data/run-levers.ts";
import { Hooks } from "./hooks.ts";
import { type HookFailure, hookInPackage, type HookViews, type RunHook } from "./run-hook.ts";

type Given = Partial<Pick<PackageHook, "id" | "version" | "point" | "phase" | "order" | "timeoutMs">> & {
  readonly run?: (view: never) => unknown;
};

const view = { runId: "run_1", text: "a", messages: [{ role: "user", text: "a" }], input: { n: 1 } };

/** Hooks, their clock, and who has failed. */
function hooksOf(...all: readonly Given[]) {
  const given = all.map(
    (one) =>
      ({ id: "one", version: "1", point: "on_stop", run: () => ({ outcome: "allow" }), ...one }) as RunHook,
  );
  const clock = new ManualClock();
  const failures: HookFailure[] = [];
  const sealed = given.map((hook) => packageHookSchema.parse(hookInPackage(hook)));
  const failed = (failure: HookFailure) => failures.push(failure);
  const hooks = new Hooks(sealed, given, { clock, timeoutMs: 1000, failed });
  const objection = async (point: HookPoint = "on_stop", signal?: AbortSignal) =>
    await hooks.objection(point, view as unknown as HookViews[HookPoint], signal);
  return { hooks, clock, failures, objection };
}

const anyPlaced = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom("a", "B", "b", "b.1", "c", "z9"),
    phase: fc.constantFrom(...hookPhases),
    order: fc.integer({ min: -2, max: 2 }),
  }),
  { selector: ({ id, order }) => `${id} ${order}`, maxLength: 8 },
);

test("hooks are asked by phase, then order, then id, in whatever order they were given", async () => {
  await fc.assert(
    fc.asyncProperty(anyPlaced, async (placed) => {
      const asked: (typeof placed)[number][] = [];
      const { objection } = hooksOf(
        ...placed.map((one) => ({
          ...one,
          run: () => {
            asked.push(one);
            return { outcome: "allow" };
          },
        })),
      );
      expect(await objection()).toBeUndefined();
      const rank = ({ phase, order, id }: (typeof placed)[number]) =>
        [hookPhases.indexOf(phase), order + 10, id] as const;
      const sorted = placed.toSorted((one, other) => {
        const [a, b] = [rank(one), rank(other)];
        return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : 1);
      });
      expect(asked).toStrictEqual(sorted);
    }),
  );
});

test("the first that objects decides, and nobody is asked after it", async () => {
  const asked: string[] = [];
  const run = (id: string, outcome: string) => () => {
    asked.push(id);
    return { outcome, reason: `${id} says so` };
  };
  const { objection } = hooksOf(
    { id: "c", run: run("c", "deny") },
    { id: "b", run: run("b", "deny") },
    { id: "a", run: run("a", "allow") },
  );
  expect(await objection()).toStrictEqual({ by: "b", reason: "b says so" });
  expect(asked).toStrictEqual(["a", "b"]);
});

test("hooks are asked at their own point, and at no other", async () => {
  for (const point of hookPoints) {
    const { hooks, objection } = hooksOf({ point, run: () => ({ outcome: "deny" }) });
    for (const other of hookPoints) {
      expect(hooks.has(other)).toBe(other === point);
      expect(await objection(other)).toStrictEqual(
        other === point ? { by: "one", reason: "it gave no reason" } : undefined,
      );
    }
  }
});

const throws = (): never => {
  throw new Error("the key is sk-proj-Ab1Ab1Ab1Ab1Ab1Ab1Ab1");
};
const noAnswer = 'the hook one gave no answer, like { outcome: "allow" }';

/** What a hook does, and why that is an objection. */
const misdeeds: Readonly<Record<string, readonly [run: () => unknown, reason: string]>> = {
  throws: [throws, "the hook one failed"],
  "throws what is no error": [() => Promise.reject(null), "the hook one failed"],
  "throws an error of ours": [
    () => {
      throw new PolicyDeniedError("it is Sunday");
    },
    "the hook one failed: it is Sunday",
  ],
  "answers nothing": [() => undefined, noAnswer],
  "answers null": [() => null, noAnswer],
  "answers true": [() => true, noAnswer],
  "answers in a word": [() => "allow", noAnswer],
  "answers in a list": [() => ["allow"], noAnswer],
  "answers by another word": [() => ({ outcome: "ALLOW" }), noAnswer],
  "would ask a person": [() => ({ outcome: "ask" }), noAnswer],
  "would approve": [() => ({ outcome: "approve" }), noAnswer],
  "answers by what it inherits": [() => Object.create({ outcome: "allow" }), noAnswer],
  "gives a reason that is none": [() => ({ outcome: "allow", reason: 1 }), noAnswer],
  "answers what cannot be read": [
    () => ({
      get outcome() {
        return throws();
      },
    }),
    "the hook one failed",
  ],
  "would change what it cannot": [
    () => ({ outcome: "allow", patch: [] }),
    "it would change what nobody may change here",
  ],
};

describe.each(hookPoints)("at %s a hook has objected that", (point) => {
  test.each(Object.entries(misdeeds))("%s", async (_what, [run, reason]) => {
    const { objection, failures } = hooksOf({ point, run });
    expect(await objection(point)).toStrictEqual({ by: "one", reason });
    expect(failures).toStrictEqual([]);
  });

  test.each([
    [undefined, 1000],
    [5, 5],
    [60_000, 60_000],
  ])("does not answer in time (%o: %i ms)", async (timeoutMs, limit) => {
    const { objection, clock } = hooksOf({ point, run: hang, ...(timeoutMs !== undefined && { timeoutMs }) });
    const said = objection(point);
    clock.advance(limit - 1);
    expect((await settlement(said)).state).toBe("pending");
    clock.advance(1);
    expect(await said).toStrictEqual({
      by: "one",
      reason: `the hook one did not answer within ${limit} ms`,
    });
    expect(clock.waiting).toBe(0);
  });

  test("answers when it is too late", async () => {
    const answer = Promise.withResolvers<unknown>();
    const { objection, clock } = hooksOf({ point, run: () => answer.promise });
    const said = objection(point);
    clock.advance(1000);
    answer.resolve({ outcome: "allow" });
    expect((await said)?.by).toBe("one");
  });
});

test("whatever a hook gives back, only what clearly allows is a yes", async () => {
  const outcome = fc.oneof(fc.constantFrom("allow", "deny", "ask", "Allow", true, 1, null), fc.anything());
  const anyAnswer = fc.oneof(
    fc.anything(),
    fc.record({ outcome, reason: fc.anything() }, { requiredKeys: [] }),
  );
  await fc.assert(
    fc.asyncProperty(anyAnswer, async (answer) => {
      const given = (answer ?? {}) as { outcome?: unknown; reason?: unknown; patch?: unknown };
      const isYes =
        typeof answer === "object" &&
        Object.hasOwn(given, "outcome") &&
        given.outcome === "allow" &&
        (given.reason === undefined || typeof given.reason === "string") &&
        given.patch === undefined;
      const said = await hooksOf({ run: () => answer }).objection();
      expect(said === undefined).toBe(isYes);
    }),
  );
});

describe("a hook that only watches", () => {
  const watcher = (run: () => unknown) =>
    hooksOf({ id: "watcher", version: "7", phase: "observe", run }, { id: "guard" });

  test("decides nothing, whatever it says", async () => {
    for (const said of [{ outcome: "deny" }, { outcome: "allow", patch: [] }, undefined, "no"]) {
      const { objection, failures } = watcher(() => said);
      expect(await objection()).toBeUndefined();
      expect(failures).toStrictEqual([]);
    }
  });

  test("decides nothing by failing, and that is heard", async () => {
    const { objection, failures } = watcher(throws);
    expect(await objection()).toBeUndefined();
    expect(failures).toStrictEqual([
      { id: "watcher", version: "7", point: "on_stop", reason: "the hook watcher failed" },
    ]);
  });

  test("is waited for as long as any other, and that it was late is heard", async () => {
    const { objection, failures, clock } = hooksOf({ id: "watcher", phase: "observe", run: hang });
    const said = objection();
    clock.advance(999);
    expect((await settlement(said)).state).toBe("pending");
    clock.advance(1);
    expect(await said).toBeUndefined();
    expect(failures.map(({ reason }) => reason)).toStrictEqual([
      "the hook watcher did not answer within 1000 ms",
    ]);
  });

  test("changes nothing also where whoever hears of it fails, too", async () => {
    const given = { id: "watcher", version: "1", point: "on_stop", phase: "observe", run: throws } as const;
    const sealed = [packageHookSchema.parse(hookInPackage(given))];
    const hooks = new Hooks(sealed, [given], { clock: new ManualClock(), timeoutMs: 1, failed: throws });
    expect(await hooks.objection("on_stop", { runId: "run_1", status: "completed" })).toBeUndefined();
  });
});

test("B2: each has a copy of its own: what one does to it nobody else sees", async () => {
  const seen: unknown[] = [];
  const spoil = (given: typeof view) => {
    seen.push(structuredClone(given));
    given.messages.length = 0;
    given.input.n = 1000;
    expect(() => Object.assign(given, { text: "b" })).toThrow(TypeError);
    return { outcome: "allow" };
  };
  const kept = structuredClone(view);
  const { objection } = hooksOf(
    { id: "a", phase: "change", run: spoil },
    { id: "b", run: spoil },
    { id: "c", phase: "observe", run: spoil },
  );
  expect(await objection()).toBeUndefined();
  expect(seen).toStrictEqual([kept, kept, kept]);
  expect(view).toStrictEqual(kept);
});

describe("whoever is told to stop waits for no hook:", () => {
  const phases: readonly HookPhase[] = ["guard", "observe"];
  test.each(phases)("%s", async (phase) => {
    const { objection, clock, failures } = hooksOf({ phase, run: hang });
    const stop = new AbortController();
    const said = objection("on_stop", stop.signal);
    expect((await settlement(said)).state).toBe("pending");
    stop.abort();
    expect(await said).toStrictEqual(
      phase === "guard"
        ? { by: "one", reason: "the hook one was not waited for: it was told to stop" }
        : undefined,
    );
    // Nobody has failed.
    expect([clock.waiting, failures]).toStrictEqual([0, []]);
  });

  test("also one who was told so before", async () => {
    expect(await hooksOf({ run: hang }).objection("on_stop", AbortSignal.abort())).toBeDefined();
  });
});

test("what can be changed no more each is told, whatever the others say", async () => {
  const told: string[] = [];
  const run = (id: string, act: () => unknown) => () => {
    told.push(id);
    return act();
  };
  const { hooks } = hooksOf(
    { id: "a", run: run("a", () => ({ outcome: "deny" })) },
    { id: "b", run: run("b", throws) },
    { id: "c", phase: "observe", run: run("c", () => undefined) },
  );
  await hooks.tell("on_stop", { runId: "run_1", status: "failed" });
  expect(told).toStrictEqual(["a", "b", "c"]);
});

// proves PORT-21.14
describe("a package does not open where the function of a hook", () => {
  const { run, ...sealed } = {
    ...packageHookSchema.parse({ id: "one", version: "1", point: "on_stop" }),
    run: hang,
  };
  const open = (...given: unknown[]) =>
    new Hooks([sealed], given as RunHook[], { clock: new ManualClock(), timeoutMs: 1, failed: () => {} });

  test.each<[string, unknown[]]>([
    ["is not given", []],
    ["is none", [{ ...sealed, run: "allow" }]],
    ["is that of another hook", [{ ...sealed, id: "two", run }]],
    ["is that of another version", [{ ...sealed, version: "2", run }]],
    ["is that of another point", [{ ...sealed, point: "before_model", run }]],
    ["is that of another place", [{ ...sealed, order: 1, run }]],
  ])("%s", (_what, given) => {
    expect(() => open(...given)).toThrow(
      expect.objectContaining({ code: "host_configuration_needed", details: { reason: "no_hook" } }),
    );
  });

  test("and opens where it is given", () => {
    expect(open({ ...sealed, run }).has("on_stop")).toBe(true);
  });
});
