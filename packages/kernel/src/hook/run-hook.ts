import type { HookPoint, JsonValue, PackageHook, RunEnd, StepId } from "@spfunctions/contracts";
import type { PolicyView, PostToolView } from "../call/ask-policy.ts";
import type { ModelMessage } from "../model/model-adapter.ts";
import type { GivenHook } from "../package/build-runtime-package.ts";

/** One change of a value, as RFC 6902 has it. */
export type PatchStep =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly path: string; readonly from: string };
export type JsonPatch = readonly PatchStep[];

/** What a hook says: it can object, and before a call put something else in place of its input. It approves nothing. */
export type HookAnswer = {
  readonly outcome: "allow" | "deny";
  readonly reason?: string;
  /** With `allow`, by a hook of phase `change` before a call: how its input is to be changed. */
  readonly patch?: JsonPatch;
};

/** A hook that only watches, and how it has failed. Nothing else came of it. */
export type HookFailure = Pick<PackageHook, "id" | "version" | "point"> & { readonly reason: string };

type InStep = { readonly runId: string; readonly stepId: StepId };

/** What a hook is shown, by where it stands. Everything is in its recorded form. */
export type HookViews = {
  readonly before_model: InStep & {
    readonly step: number;
    readonly messages: readonly ModelMessage[];
    readonly tools: readonly string[];
  };
  readonly after_model: InStep & {
    readonly text: string;
    readonly calls: readonly { readonly callId: string; readonly tool: string; readonly input: JsonValue }[];
  };
  readonly before_tool_call: PolicyView;
  readonly after_tool_call: PostToolView;
  readonly on_approval: PolicyView & {
    readonly approvalId: string;
    readonly reason: string;
    readonly expiresAt: string;
  };
  readonly on_stop: {
    readonly runId: string;
    readonly status: RunEnd;
    readonly output?: JsonValue;
    readonly error?: { readonly code: string; readonly message: string };
  };
};

type Asked<View> =
  | {
      readonly phase?: "change" | "guard";
      readonly run: (view: View) => HookAnswer | Promise<HookAnswer>;
    }
  /** Only watches; what it gives back is not looked at. */
  | { readonly phase: "observe"; readonly run: (view: View) => unknown };

/** A hook as its package has it, with its function. */
export type RunHook = {
  [Point in HookPoint]: Omit<GivenHook, "point" | "phase"> & {
    readonly point: Point;
  } & Asked<HookViews[Point]>;
}[HookPoint];

/** What of a hook is sealed into a package. */
export function hookInPackage({ run: _run, ...hook }: RunHook): GivenHook & Partial<PackageHook> {
  return hook;
}
