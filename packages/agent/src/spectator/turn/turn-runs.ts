// A turn is a run of the kernel's. What its model is shown is put together here; what it says is heard before anything is done about it.
import { type AgentState, type Digest, InternalError, type RunId } from "@spfunctions/contracts";
import { type Run, type RunHandle, Runs, type RunsOptions, type WatchRun } from "@spfunctions/kernel";
import { setImmediate } from "node:timers/promises";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import type { Revision } from "../checkpoints/revision-content.ts";
import type { AgentErasures } from "../session/agent-erasures.ts";
import { askWishes, type Wish } from "./ask-wishes.ts";
import { wrongWith } from "./fold-turn.ts";
import { turnMessages, type ShownTerms } from "./turn-messages.ts";
import { baseOf, keptStartOf, objectiveOf, type TurnStart, turnStartOf } from "./turn-start.ts";

/** Told of each wish of a model's, once it stands before an operator or does not. */
export type HearWish = (wish: Wish) => void;

/** What turns go on from, who listens to them, and which of them are under way. */
type Under = {
  base: Revision;
  readonly isImported: boolean;
  readonly listeners: Set<HearWish>;
  readonly begun: Set<string>;
  /** What was erased when it was read. */
  erasures: number;
  /** Something was erased since: what was read of its run before is not what is left. */
  isReadAgain: boolean;
};

export type TurnRunsParts = {
  readonly checkpoints: Pick<Checkpoints, "importedMessages" | "get">;
  readonly erasures: Pick<AgentErasures, "count" | "finish" | "readAgain">;
  readonly areKept: (memories: readonly string[]) => Promise<boolean>;
};

/** Which capabilities are told to a model. */
type Held = Pick<AgentState, "capabilitiesGranted" | "capabilitiesPending">;

const turnOrigin = "spectator";

export class TurnRuns {
  readonly runs: Runs;
  /** What turns that are under way here go on from, by the hash of that. */
  readonly #bases = new Map<string, Under>();
  readonly #listItems: number;
  readonly #checkpoints: Pick<Checkpoints, "importedMessages" | "get">;
  readonly #erasures: Pick<AgentErasures, "count" | "finish" | "readAgain">;
  readonly #areKept: (memories: readonly string[]) => Promise<boolean>;

  constructor(
    options: Omit<RunsOptions, "assemble" | "checkAnswer" | "hooks" | "origin">,
    terms: ShownTerms,
    { checkpoints, erasures, areKept }: TurnRunsParts,
  ) {
    this.#checkpoints = checkpoints;
    this.#erasures = erasures;
    this.#areKept = areKept;
    this.#listItems = terms.limits.listItems;
    this.runs = new Runs({
      ...options,
      origin: turnOrigin,
      checkAnswer: (text) => wrongWith(text, terms.answers),
      assemble: async (run) => {
        const under = this.#bases.get(turnStartOf(run).base.hash);
        if (under === undefined) throw new InternalError(`${run.opening.runId} is no turn that goes on here`);
        const left = await this.#left(run, under);
        return { messages: turnMessages(left, under.base.current, under.isImported, terms) };
      },
      hooks: [
        {
          id: "spectator-actions",
          version: "1",
          point: "after_model",
          phase: "guard",
          order: 0,
          run: async ({ runId, text }) => {
            this.#tell(runId, await askWishes(this.runs, { runId, text }, terms));
            return { outcome: "allow" };
          },
        },
      ],
    });
  }

  /** `erasures`: what was erased when the memories were read that it is shown. */
  async start(
    sessionId: string,
    base: Revision,
    { erasures, ...said }: Pick<TurnStart, "text" | "memory" | "shown"> & { readonly erasures: number },
    watch: { readonly live: WatchRun; readonly wish: HearWish },
  ): Promise<RunHandle> {
    const objective = objectiveOf({ ...said, base: baseOf(base) });
    const begin = () => this.runs.start({ objective, sessionId }, watch.live);
    return await this.#with(base, { hear: watch.wish, erasures }, begin);
  }

  /** Goes on with one that waits, or that a process which is no more has left. */
  async resume(
    runId: RunId,
    base: Revision,
    watch: { readonly live: WatchRun; readonly wish: HearWish },
  ): Promise<RunHandle> {
    await this.#erasures.readAgain(runId);
    const erasures = await this.#erasures.count();
    const begin = () => this.runs.resume(runId, watch.live);
    return await this.#with(base, { hear: watch.wish, erasures }, begin);
  }

  /**
   * The run as it is kept, where something was erased since it was begun or taken on here: what this process has read of it before is
   * more than there is.
   */
  async #left(run: Run, under: Under): Promise<Run> {
    const { runId, sessionId = "" } = run.opening;
    if ((await this.#erasures.count()) !== under.erasures) {
      await this.#erasures.finish();
      under.erasures = await this.#erasures.count();
      under.isReadAgain = true;
      const { revision } = under.base.checkpoint;
      const base = (await this.#checkpoints.get(sessionId, revision)) ?? under.base;
      under.base = withHeld(base, await this.held(sessionId));
      await this.#whole(run);
      // What it has said by now is on record, and what it says from here on was not told of what is erased.
      await this.#erasures.readAgain(runId);
      under.erasures = await this.#erasures.count();
    }
    return under.isReadAgain ? await this.#withMemories(await this.#whole(run)) : run;
  }

  /** Once all that it has come to here is written. */
  async #whole(run: Run): Promise<Run> {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- what is gathered is written at once
      const kept = await this.runs.read(run.opening.runId);
      if (kept.head.seq >= run.head.seq) return kept;
      // oxlint-disable-next-line no-await-in-loop -- see above
      await setImmediate();
    }
  }

  /** Of memories that are there no more, nothing is shown. */
  async #withMemories(run: Run): Promise<Run> {
    const start = keptStartOf(run);
    if (start === undefined || (await this.#areKept(start.shown))) return run;
    return { ...run, objective: objectiveOf({ ...start, memory: "", shown: [] }) };
  }

  /** What a session may do and has asked for, as operators have it now. */
  async held(sessionId: string): Promise<Held> {
    const { granted, pending } = await this.runs.capabilities(sessionId);
    const names = (grants: typeof granted) => [...new Set(grants.map(({ capability }) => capability))];
    const capabilitiesGranted = names(granted).slice(0, this.#listItems);
    const others = names(pending).filter((one) => !capabilitiesGranted.includes(one));
    return { capabilitiesGranted, capabilitiesPending: others.slice(0, this.#listItems) };
  }

  /** The last turn of a session. What another agent has done under the same name is none. */
  async last(sessionId: string): Promise<Run | undefined> {
    const runId = await this.runs.lastOf(sessionId);
    const run = runId && (await this.runs.read(runId));
    return run && this.isTurn(run) ? run : undefined;
  }

  isTurn({ opening: { agentId, origin } }: Pick<Run, "opening">): boolean {
    return agentId === this.runs.package.agentId && origin === turnOrigin;
  }

  #tell(runId: string, wishes: readonly Wish[]): void {
    const unders = [...this.#bases.values()].filter(({ begun }) => begun.has(runId));
    const listeners = unders.flatMap((under) => [...under.listeners]);
    for (const wish of wishes) for (const hear of listeners) hear(wish);
  }

  /** Whoever listens no more is told no more. */
  unheard({ hash }: Pick<Revision, "hash">, hear: HearWish): void {
    this.#bases.get(hash)?.listeners.delete(hear);
    this.#dropUnused(hash);
  }

  /** Of a turn that has ended. */
  done({ hash }: Pick<Revision, "hash">, runId: RunId): void {
    this.#bases.get(hash)?.begun.delete(runId);
    this.#dropUnused(hash);
  }

  async #with(
    given: Revision,
    { hear, erasures }: { readonly hear: HearWish; readonly erasures: number },
    begin: () => Promise<RunHandle>,
  ): Promise<RunHandle> {
    const { session_id: sessionId, revision } = given.checkpoint;
    const left = (await this.#checkpoints.get(sessionId, revision)) ?? given;
    const base = withHeld(left, await this.held(sessionId));
    const isImported = (await this.#checkpoints.importedMessages(base)) !== undefined;
    const under = this.#bases.get(base.hash) ?? {
      base,
      isImported,
      listeners: new Set(),
      begun: new Set(),
      erasures,
      isReadAgain: false,
    };
    this.#bases.set(base.hash, under);
    under.listeners.add(hear);
    try {
      const handle = await begin();
      under.begun.add(handle.runId);
      return handle;
    } catch (error) {
      this.unheard(base, hear);
      throw error;
    }
  }

  /** Of several turns that were begun at once, one goes on from it. */
  #dropUnused(hash: Digest): void {
    const { listeners, begun } = this.#bases.get(hash) ?? {};
    if (listeners?.size === 0 && begun?.size === 0) this.#bases.delete(hash);
  }
}

/** G3: what a checkpoint says of capabilities may be over. */
function withHeld(base: Revision, held: Held): Revision {
  return { ...base, current: { ...base.current, state: { ...base.current.state, ...held } } };
}
