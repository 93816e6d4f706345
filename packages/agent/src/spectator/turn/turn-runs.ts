// A turn is a run of the kernel's. What its model is shown is put together here; what it says is heard before anything is done about it.
import { type AgentState, type Digest, InternalError, type RunId } from "@spfunctions/contracts";
import { type Run, type RunHandle, Runs, type RunsOptions, type WatchRun } from "@spfunctions/kernel";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import type { Revision } from "../checkpoints/revision-content.ts";
import { askWishes, type Wish } from "./ask-wishes.ts";
import { wrongWith } from "./fold-turn.ts";
import { turnMessages, type ShownTerms } from "./turn-messages.ts";
import { baseOf, objectiveOf, type TurnStart, turnStartOf } from "./turn-start.ts";

/** Told of each wish of a model's, once it stands before an operator or does not. */
export type HearWish = (wish: Wish) => void;

/** What turns go on from, who listens to them, and which of them are under way. */
type Under = {
  readonly base: Revision;
  readonly isImported: boolean;
  readonly listeners: Set<HearWish>;
  readonly begun: Set<string>;
};

/** Which capabilities are told to a model. */
type Held = Pick<AgentState, "capabilitiesGranted" | "capabilitiesPending">;

const turnOrigin = "spectator";

export class TurnRuns {
  readonly runs: Runs;
  /** What turns that are under way here go on from, by the hash of that. */
  readonly #bases = new Map<string, Under>();
  readonly #listItems: number;
  readonly #checkpoints: Pick<Checkpoints, "importedMessages">;

  constructor(
    options: Omit<RunsOptions, "assemble" | "checkAnswer" | "hooks" | "origin">,
    terms: ShownTerms,
    checkpoints: Pick<Checkpoints, "importedMessages">,
  ) {
    this.#checkpoints = checkpoints;
    this.#listItems = terms.limits.listItems;
    this.runs = new Runs({
      ...options,
      origin: turnOrigin,
      checkAnswer: (text) => wrongWith(text, terms.answers),
      assemble: (run) => {
        const under = this.#bases.get(turnStartOf(run).base.hash);
        if (under === undefined) throw new InternalError(`${run.opening.runId} is no turn that goes on here`);
        return { messages: turnMessages(run, under.base.current, under.isImported, terms) };
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

  async start(
    sessionId: string,
    base: Revision,
    said: Pick<TurnStart, "text" | "memory" | "shown">,
    watch: { readonly live: WatchRun; readonly wish: HearWish },
  ): Promise<RunHandle> {
    const objective = objectiveOf({ ...said, base: baseOf(base) });
    return await this.#with(base, watch.wish, () => this.runs.start({ objective, sessionId }, watch.live));
  }

  /** Goes on with one that waits, or that a process which is no more has left. */
  async resume(
    runId: RunId,
    base: Revision,
    watch: { readonly live: WatchRun; readonly wish: HearWish },
  ): Promise<RunHandle> {
    return await this.#with(base, watch.wish, () => this.runs.resume(runId, watch.live));
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

  async #with(revision: Revision, hear: HearWish, begin: () => Promise<RunHandle>): Promise<RunHandle> {
    const base = withHeld(revision, await this.held(revision.checkpoint.session_id));
    const isImported = (await this.#checkpoints.importedMessages(base)) !== undefined;
    const under = this.#bases.get(base.hash) ?? { base, isImported, listeners: new Set(), begun: new Set() };
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
