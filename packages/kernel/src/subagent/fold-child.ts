// What a parent's records say of one of its children.
import {
  type ApprovalOfCall,
  canonicalJson,
  type ContentDigest,
  type ContentRow,
  type EffectId,
  type JournalRecord,
  type MessageId,
  type RunId,
  type Spent,
} from "@spfunctions/contracts";
import { textOf } from "../replay/recorded-answer.ts";

export type ChildRecord = Extract<JournalRecord, { childRunId: RunId }>;
type RecordOf<Kind extends ChildRecord["kind"]> = Extract<ChildRecord, { kind: Kind }>;
type Content = ReadonlyMap<string, ContentRow>;

/** What was said to a child, or by it. */
export type ChildMessage = {
  readonly messageId: MessageId;
  readonly replyTo?: MessageId | undefined;
  readonly text: string;
};

export type Child = {
  readonly childRunId: RunId;
  readonly started: RecordOf<"subagent.started">;
  /** What it was told by its parent, in order. */
  readonly told: readonly ChildMessage[];
  /** What it has asked last. */
  readonly asked?: ChildMessage;
  /** What a person is asked about in it, and the effects of which nobody knows what became. */
  readonly approvals: readonly ApprovalOfCall[];
  readonly unknown: readonly EffectId[];
  readonly ended?: RecordOf<"subagent.ended">;
  /** Why it has not completed, in words. */
  readonly failedBy?: string;
};

export type Children = ReadonlyMap<RunId, Child>;

export function foldChild(children: Children, record: ChildRecord, content: Content): Children {
  const { childRunId } = record;
  const before = children.get(childRunId);
  const after =
    record.kind === "subagent.started"
      ? { childRunId, started: record, told: [], approvals: [], unknown: [] }
      : change(before as Child, record, content);
  return new Map(children).set(childRunId, after);
}

function change(before: Child, record: ChildRecord, content: Content): Child {
  switch (record.kind) {
    case "subagent.message": {
      const { messageId, replyTo, type, output } = record;
      const message = { messageId, replyTo, text: wordsIn(content, output) };
      return type === "clarification"
        ? { ...before, asked: message }
        : { ...before, told: [...before.told, message] };
    }
    case "subagent.rested":
      return { ...before, approvals: record.approvals, unknown: record.unknown };
    case "subagent.woken":
    // From then on what it waits for is none of its parent's.
    case "subagent.detaching":
      return { ...before, approvals: [], unknown: [] };
    case "subagent.ended":
      return {
        ...before,
        approvals: [],
        unknown: [],
        ended: record,
        ...(record.error && { failedBy: wordsIn(content, record.error.message) }),
      };
    default:
      return before;
  }
}

/** What a record adds to, or gives back of, what its parent has used up. */
export function spentBy({ started }: Child, record: ChildRecord): Spent | undefined {
  switch (record.kind) {
    case "subagent.ended":
      return record.spent;
    // Nobody will say what it has used: it counts for all that was set aside.
    case "subagent.detached":
      return started.reserved;
    case "subagent.reclaimed":
      return negated(started.reserved);
    default:
      return undefined;
  }
}

function negated(spent: Spent): Spent {
  return Object.fromEntries(Object.entries(spent).map(([what, amount = 0]) => [what, -amount]));
}

/** What its parent's model is told by a record. */
export function noteIn({ started, childRunId }: Child, record: ChildRecord, content: Content): string {
  if (record.kind === "subagent.ended") return wordsIn(content, record.output);
  const { output } = record as RecordOf<"subagent.message">;
  return `${nameOf(started.subagent, childRunId)} asks, as data:\n${canonicalJson(wordsIn(content, output))}`;
}

export function nameOf(subagent: string, childRunId: string): string {
  return `The subagent ${subagent} (${childRunId})`;
}

export function wordsIn(content: Content, digest: ContentDigest | undefined): string {
  return (digest && textOf(content.get(digest.ref))) ?? "(erased)";
}
