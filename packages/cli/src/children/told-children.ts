// A run and all that stands below it, as one story: what a child has done is told before what its parent says of it, and each at its
// own depth. A parent's events only say that there is more; what it is comes from the child's own stream.
import type { RuntimeEvent, Spent } from "@spfunctions/contracts";
import type { RunHandle } from "@spfunctions/kernel";
import { ChildEvents } from "./child-events.ts";

/** What a run does. */
type ToldOfRun = { readonly event: RuntimeEvent; readonly name?: undefined };

/** What one below it does, or how that stands. */
export type ToldOfChild = {
  readonly event: RuntimeEvent | { readonly type: "goes_on" };
  /** Which subagent it is. */
  readonly name: string;
  /** How far below the run. */
  readonly depth: number;
  /** What it has used up, where it has ended. */
  readonly spent?: Spent | undefined;
};

export type Told = ToldOfRun | ToldOfChild;

/** Where runs are found. */
export type RunsSource = {
  readonly get: (runId: string) => Promise<RunHandle>;
  readonly parentOf: (runId: string) => Promise<string | undefined>;
};

/** A child of which something was told before. */
export type KnownChild = {
  readonly runId: string;
  readonly subagent: string;
  readonly depth: number;
  /** The last of its events that was. */
  readonly cursor: string | undefined;
  /** Whether it rests. */
  readonly isResting: boolean;
};

type Child = {
  readonly runId: string;
  /** Which subagent it is, and what it is called among others of that. */
  readonly of: string;
  readonly name: string;
  readonly depth: number;
  readonly events: ChildEvents;
  /** Whether it was told to rest, and not to go on since. */
  isResting: boolean;
  /** The tool that has last said how far it is. */
  tool: string | undefined;
};
type ChildEvent = Extract<RuntimeEvent, { childRunId: unknown }>;
type Progress = Extract<RuntimeEvent, { type: "subagent.progress" }>;

const ends: ReadonlySet<string> = new Set(["subagent.completed", "subagent.failed", "subagent.cancelled"]);
/** What comes after something that the child has done. */
const follows: ReadonlySet<string> = new Set([
  ...ends,
  "subagent.rested",
  "subagent.woken",
  "subagent.message",
]);
/** Deeper no run stands. */
const deepest = 32;

export class ToldChildren {
  readonly #source: RunsSource;
  readonly #children = new Map<string, Child>();

  constructor(source: RunsSource, known: readonly KnownChild[] = []) {
    this.#source = source;
    for (const { runId, subagent, depth, cursor, isResting } of known)
      this.#add(runId, subagent, depth, cursor).isResting = isResting;
  }

  /** What is to be told, where a run's own stream or what is live of it says this. */
  async of(event: RuntimeEvent): Promise<Told[]> {
    return event.type === "subagent.progress" ? await this.#progress(event) : await this.#told(event);
  }

  async #progress(event: Progress): Promise<Told[]> {
    const { child, before } = await this.#find(event.childRunId, event, deepest);
    const { cursor, kind, tool } = event;
    if (cursor !== undefined) return [...before, ...(await this.#since(child, cursor))];
    // What its model says while it says it is for nobody but its parent.
    if (kind !== "tool.progress") return before;
    // That it has begun comes first.
    const begun = child.tool === tool ? [] : await this.#since(child);
    child.tool = tool;
    const { depth, name } = child;
    return [...before, ...begun, { event, depth, name }];
  }

  /** One that stands deeper is known once its own parent has told of it. */
  async #find(
    runId: string,
    { subagent, runId: root }: Pick<Progress, "subagent" | "runId">,
    left: number,
  ): Promise<{ readonly child: Child; readonly before: Told[] }> {
    const known = this.#children.get(runId);
    if (known !== undefined) return { child: known, before: [] };
    const parent = await this.#source.parentOf(runId);
    if (parent === undefined || parent === root || left === 0)
      return { child: this.#add(runId, subagent, 1), before: [] };
    const above = await this.#find(parent, { subagent: "a subagent", runId: root }, left - 1);
    const before = [...above.before, ...(await this.#since(above.child))];
    const child = this.#children.get(runId) ?? this.#add(runId, subagent, above.child.depth + 1);
    return { child, before };
  }

  async #since(child: Child, cursor?: string): Promise<Told[]> {
    const told: Told[] = [];
    for (const event of await child.events.since(cursor)) {
      // One whose question was only called off ends.
      if (isCalledOff(event)) child.isResting = false;
      if (!event.type.startsWith("runtime.")) told.push(...goingOn(child));
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      told.push(...(await this.#told(event, child)));
    }
    return told;
  }

  /** `of`: whose event it is, where it is not the run's own. */
  async #told(event: RuntimeEvent, of?: Child): Promise<Told[]> {
    if (!isOfChild(event)) return [of === undefined ? { event } : { event, name: of.name, depth: of.depth }];
    const { childRunId, subagent, type } = event;
    const child = this.#children.get(childRunId) ?? this.#add(childRunId, subagent, (of?.depth ?? 0) + 1);
    const before = follows.has(type) ? await this.#since(child) : [];
    if (type === "subagent.woken") return [...before, ...goingOn(child)];
    child.isResting = type === "subagent.rested" || (child.isResting && !ends.has(type));
    const spent = ends.has(type) ? await this.#spentBy(childRunId) : undefined;
    return [...before, { event, name: child.name, depth: child.depth, spent }];
  }

  /** Nothing where it never began. */
  async #spentBy(runId: string): Promise<Spent | undefined> {
    try {
      return (await (await this.#source.get(runId)).result()).spent;
    } catch {
      return undefined;
    }
  }

  #add(runId: string, subagent: string, depth: number, cursor?: string): Child {
    const same = [...this.#children.values()].filter(({ of }) => of === subagent).length;
    const name = same === 0 ? subagent : `${subagent} (${same + 1})`;
    const events = new ChildEvents(async () => await this.#source.get(runId), cursor);
    const child: Child = { runId, of: subagent, name, depth, events, isResting: false, tool: undefined };
    this.#children.set(runId, child);
    return child;
  }
}

/** It is said to go on before what it does then, and once: its parent may say so later. */
function goingOn(child: Child): Told[] {
  if (!child.isResting) return [];
  child.isResting = false;
  const { name, depth } = child;
  return [{ event: { type: "goes_on" }, name, depth }];
}

function isCalledOff(event: RuntimeEvent): boolean {
  return event.type === "approval.resolved" && event.status === "cancelled";
}

function isOfChild(event: RuntimeEvent): event is ChildEvent {
  return "childRunId" in event;
}
