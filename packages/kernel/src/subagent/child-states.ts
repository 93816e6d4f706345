// Where a child stands, as its parent's records have it, as data: which record may follow at which point. Code asks before every
// record is written and whenever one is read, and so do tests. S2: how many children a run has ever started, and how deep they stand,
// is counted here, so that no interleaving starts one too many.
import {
  type CallId,
  type DepthBudget,
  InvalidTransitionError,
  type JournalRecordKind,
  type RunId,
  type Spent,
} from "@spfunctions/contracts";

/** `resting`: only a person can take it on. `asking`: only its parent can. */
export type ChildPhase = "running" | "resting" | "asking" | "detaching" | "detached" | "ended";

export type ChildShape = {
  readonly phase: ChildPhase;
  /** The call that waits for it, or waited last. */
  readonly call: CallId | undefined;
  readonly isCancelling: boolean;
  /** How many of its parent's children it counts for, with those that it has started itself or may still start. */
  readonly children: number;
};

export type ChildShapes = ReadonlyMap<RunId, ChildShape>;

type ChildRecordKind = Extract<JournalRecordKind, `subagent.${string}`>;

/** From where each record of a child may follow; `undefined` is no child yet. */
export const childTransitions: { readonly [Kind in ChildRecordKind]: readonly (ChildPhase | undefined)[] } = {
  "subagent.started": [undefined],
  "subagent.message": ["running", "resting", "asking"],
  "subagent.rested": ["running"],
  "subagent.woken": ["resting", "asking"],
  "subagent.cancelling": ["running", "resting", "asking"],
  "subagent.ended": ["running", "resting", "asking", "detaching"],
  "subagent.detaching": ["running", "resting"],
  "subagent.detached": ["detaching"],
  "subagent.reclaimed": ["detached"],
};

/** What a child is told to stop by, and let go by: whichever is first holds. */
const onlyBeforeStop: ReadonlySet<ChildRecordKind> = new Set(["subagent.cancelling", "subagent.detaching"]);

/** Whether a record may follow for a child that stands so. */
export function mayFollow(kind: ChildRecordKind, { phase, isCancelling }: ChildShape): boolean {
  return childTransitions[kind].includes(phase) && !(isCancelling && onlyBeforeStop.has(kind));
}

export function isChildRecord(kind: JournalRecordKind): kind is ChildRecordKind {
  return Object.hasOwn(childTransitions, kind);
}

/** It has neither ended nor left: its parent does not end before it. */
export function isAttached({ phase }: Pick<ChildShape, "phase">): boolean {
  return phase !== "ended" && phase !== "detached";
}

/** Its parent's last word waits for it: not for one that itself waits for its parent's word, nor for one that is let go. */
export function isAwaited({ phase }: Pick<ChildShape, "phase">): boolean {
  return phase === "running" || phase === "resting";
}

type Said = { readonly kind: ChildRecordKind; readonly body: Readonly<Record<string, unknown>> };

export function childrenAfter(
  children: ChildShapes,
  { kind, body }: Said,
  depth: DepthBudget | undefined,
): ChildShapes {
  const childRunId = body["childRunId"] as RunId;
  const before = children.get(childRunId);
  if (!childTransitions[kind].includes(before?.phase))
    throw impossible(kind, `for a child that is ${before?.phase ?? "not started"}`);
  if (onlyBeforeStop.has(kind) && before?.isCancelling === true)
    throw impossible(kind, "for a child that is told to stop already");
  const after = before === undefined ? start(children, body, depth) : change(before, kind, body);
  return new Map(children).set(childRunId, after);
}

function start(children: ChildShapes, body: Said["body"], depth: DepthBudget | undefined): ChildShape {
  const { children: counted = 0 } = body["reserved"] as Spent;
  const { currentDepth } = body["depth"] as DepthBudget;
  const isTooDeep =
    depth === undefined || currentDepth !== depth.currentDepth + 1 || currentDepth > depth.maxDepth;
  if (isTooDeep) throw impossible("subagent.started", `at depth ${currentDepth}`);
  if (counted < 1 || childrenIn(children) + counted > depth.maxChildren)
    throw impossible("subagent.started", `after ${childrenIn(children)} of ${depth.maxChildren} children`);
  // In the background nobody waits for it, also before the call that has started it ends.
  const call = body["mode"] === "wait" ? (body["call"] as CallId | undefined) : undefined;
  return { phase: "running", call, isCancelling: false, children: counted };
}

/** How many children a run has started, with those that they have, or may still start. */
function childrenIn(children: ChildShapes): number {
  return [...children.values()].reduce((sum, child) => sum + child.children, 0);
}

function change(before: ChildShape, kind: ChildRecordKind, body: Said["body"]): ChildShape {
  switch (kind) {
    case "subagent.message":
      return messaged(before, body);
    case "subagent.rested":
      return { ...before, phase: "resting" };
    case "subagent.cancelling":
      return { ...before, isCancelling: true };
    case "subagent.ended":
      return { ...before, phase: "ended", children: childrenOf(body["spent"] as Spent, before) };
    case "subagent.detaching":
      return { ...before, phase: "detaching" };
    case "subagent.detached":
      return { ...before, phase: "detached" };
    default:
      return { ...before, phase: "running" };
  }
}

/** What it has not started it starts no more. */
function childrenOf({ children = 0 }: Spent, before: ChildShape): number {
  if (children < 1 || children > before.children)
    throw impossible(
      "subagent.ended",
      `with ${children} children, of ${before.children} that were set aside`,
    );
  return children;
}

/** A child that asks waits for its parent's word; any word is one. */
function messaged(before: ChildShape, body: Said["body"]): ChildShape {
  if (body["type"] === "clarification") {
    if (before.phase === "running") return { ...before, phase: "asking" };
    throw impossible("subagent.message", `as a question of a child that is ${before.phase}`);
  }
  const call = (body["call"] as CallId | undefined) ?? before.call;
  return { ...before, call, phase: before.phase === "asking" ? "running" : before.phase };
}

function impossible(kind: JournalRecordKind, where: string): InvalidTransitionError {
  return new InvalidTransitionError(`${kind} cannot follow ${where}`, {
    details: { reason: "impossible_record" },
  });
}
