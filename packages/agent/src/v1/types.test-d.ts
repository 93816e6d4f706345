// What must not compile, and what must: read by `tsc` with the rest of the sources, never run.
import type { RuntimeEvent, RuntimeRunResult } from "@spfunctions/contracts";
import type { ModelAdapter } from "@spfunctions/kernel";
import { z } from "zod";
import { type CanUseTool, type RuntimeHooks, SimpleFunctionsRuntime, type TickEvent } from "./index.ts";

declare const model: ModelAdapter;
declare const signal: AbortSignal;
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type that is wanted
declare function takes<Type>(value: Type): void;

const policy = {
  budget: { maxSteps: 1, maxToolCalls: 1 },
  session: { persist: true, ttlMs: 1, maxHistoryTokens: 1 },
};
const runtime = new SimpleFunctionsRuntime({ packs: [], model, policy });
// @ts-expect-error a policy is needed
takes<SimpleFunctionsRuntime>(new SimpleFunctionsRuntime({ packs: [], model }));
// @ts-expect-error an unknown option
takes<SimpleFunctionsRuntime>(new SimpleFunctionsRuntime({ packs: [], model, policy, polcy: {} }));
// @ts-expect-error an unknown mode
takes<SimpleFunctionsRuntime>(new SimpleFunctionsRuntime({ packs: [], model, policy, mode: "dryRun" }));

// What a run answers with is of the shape that was asked for.
const shape = z.strictObject({ ticker: z.string(), odds: z.number().optional() });
const typed = await runtime.run({ objective: "x", output: shape });
takes<string | undefined>(typed.output?.ticker);
takes<number | undefined>(typed.output?.odds);
// @ts-expect-error no such member
takes<unknown>(typed.output?.price);
// @ts-expect-error another type
takes<number | undefined>(typed.output?.ticker);
takes<RuntimeRunResult["status"]>(typed.status);
const words = await runtime.run({ objective: "x", output: z.enum(["yes", "no"]) });
takes<"yes" | "no" | undefined>(words.output);
// Where nothing was asked for, nothing is known of it.
const untyped = await runtime.run({
  objective: "x",
  tools: ["a.b"],
  context: { a: 1 },
  maxSteps: 1,
  policy,
  signal,
});
// @ts-expect-error nobody knows what it is
takes<string>(untyped.output);
takes<RuntimeRunResult>(untyped);
// @ts-expect-error an objective is needed
void runtime.run({ output: shape });
// @ts-expect-error an unknown member
void runtime.run({ objective: "x", maxStep: 1 });

// A stream is of events, with its run's name and result.
const stream = runtime.runStream({ objective: "x" }, { until: "end", signal });
takes<AsyncIterable<RuntimeEvent>>(stream);
takes<Promise<RuntimeRunResult>>(stream.result);
takes<Promise<string>>(stream.runId);
// @ts-expect-error a run is not taken on by what it is to do
void runtime.resume({ objective: "x" });

// A hook can object or change, and never approve.
takes<RuntimeHooks>({ beforeToolCall: () => ({ outcome: "deny" }), onStop: [() => ({ outcome: "allow" })] });
takes<CanUseTool>(async ({ tool }) => tool === "a.b");
// @ts-expect-error nobody is asked by a hook
takes<RuntimeHooks>({ beforeToolCall: () => ({ outcome: "ask" }) });
// @ts-expect-error there is no such hook
takes<RuntimeHooks>({ beforeTool: () => ({ outcome: "allow" }) });

takes<AsyncIterable<TickEvent>>(runtime.watch.ticks({ tickers: ["a"], everyMs: 1000, signal }));
