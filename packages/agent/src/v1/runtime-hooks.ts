import { HostConfigurationNeededError, type HookPoint, keyForMessage, nearest } from "@spfunctions/contracts";
import type { HookAnswer, RunHook } from "@spfunctions/kernel";
import type { CanUseTool, RuntimeHook, RuntimeHooks } from "./runtime-options.ts";

const points: { readonly [Name in keyof RuntimeHooks]-?: HookPoint } = {
  beforeModel: "before_model",
  afterModel: "after_model",
  beforeToolCall: "before_tool_call",
  afterToolCall: "after_tool_call",
  onApproval: "on_approval",
  onStop: "on_stop",
};

/** In the order in which they were given; whether a tool may be used is asked first, so that hooks look at what would run. */
export function hooksOf(hooks: RuntimeHooks = {}, canUseTool: CanUseTool | undefined): RunHook[] {
  for (const name of Object.keys(hooks)) {
    if (Object.hasOwn(points, name)) continue;
    const [meant] = nearest(name, Object.keys(points));
    const hint =
      meant === undefined ? `there are ${Object.keys(points).join(", ")}` : `did you mean ${meant}?`;
    throw new HostConfigurationNeededError(`there is no hook ${keyForMessage(name)}; ${hint}`, {
      details: { reason: "no_hook" },
    });
  }
  const asked = canUseTool === undefined ? [] : [askedFirst(canUseTool)];
  const names = Object.keys(points) as (keyof RuntimeHooks)[];
  return [...asked, ...names.flatMap((name) => hooksAt(name, hooks[name] as Given | undefined))];
}

type Given = RuntimeHook<never> | readonly RuntimeHook<never>[];

function hooksAt(name: keyof RuntimeHooks, given: Given | undefined): RunHook[] {
  const list = given === undefined ? [] : Array.isArray(given) ? given : [given];
  return list.map((one: RuntimeHook<never>, index) => {
    const hook = typeof one === "function" ? { run: one } : one;
    const phase = name === "beforeToolCall" ? "change" : "guard";
    return {
      id: `${name}-${index + 1}`,
      version: "1",
      order: index,
      phase,
      ...hook,
      point: points[name],
    } as RunHook;
  });
}

function askedFirst(canUseTool: CanUseTool): RunHook {
  return {
    id: "canUseTool",
    version: "1",
    point: "before_tool_call",
    phase: "change",
    order: Number.MIN_SAFE_INTEGER,
    run: async (call) => answerOf(await canUseTool(call)),
  };
}

/** G1: what is neither a yes nor a no is denied by whoever reads it. */
function answerOf(said: boolean | HookAnswer): HookAnswer {
  if (typeof said !== "boolean") return said;
  return said ? { outcome: "allow" } : { outcome: "deny", reason: "canUseTool said no" };
}
