// A turn is a run of the kernel's. What its model is shown is put together here; what it says is heard before anything is done about it.
import { InternalError, type RunId } from "@spfunctions/contracts";
import { type RunHandle, Runs, type RunsOptions, type WatchRun } from "@spfunctions/kernel";
import type { Revision } from "../checkpoints/revision-content.ts";
import { askWishes, type Wish } from "./ask-wishes.ts";
import { wrongWith } from "./fold-turn.ts";
import { turnMessages, type ShownTerms } from "./turn-messages.ts";
import { baseOf, objectiveOf, type TurnStart, turnStartOf } from "./turn-start.ts";

/** Told of each wish of a model's, once it stands before an operator or does not. */
export type HearWish = (wish: Wish) => void;

type Under = { readonly base: Revision; readonly heard: HearWish };

export class TurnRuns {
  readonly runs: Runs;
  /** What turns that are under way here go on from, by the hash of that. */
  readonly #bases = new Map<string, Under>();

  constructor(
    options: Omit<RunsOptions, "assemble" | "checkAnswer" | "hooks" | "origin">,
    terms: ShownTerms,
  ) {
    this.runs = new Runs({
      ...options,
      origin: "spectator",
      checkAnswer: (text) => wrongWith(text, terms.answers),
      assemble: (run) => {
        const under = this.#bases.get(turnStartOf(run).base.hash);
        if (under === undefined) throw new InternalError(`${run.opening.runId} is no turn that goes on here`);
        return { messages: turnMessages(run, under.base.current, terms) };
      },
      hooks: [
        {
          id: "spectator-actions",
          version: "1",
          point: "after_model",
          phase: "guard",
          order: 0,
          run: async ({ runId, text }) => {
            const wishes = await askWishes(this.runs, { runId, text }, terms);
            if (wishes.length > 0) await this.#tell(runId, wishes);
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

  async #tell(runId: string, wishes: readonly Wish[]): Promise<void> {
    const under = this.#bases.get(turnStartOf(await this.runs.read(runId)).base.hash);
    for (const wish of wishes) under?.heard(wish);
  }

  /** Of a turn that has ended. */
  done(base: Pick<Revision, "hash">): void {
    this.#bases.delete(base.hash);
  }

  async #with(base: Revision, heard: HearWish, begin: () => Promise<RunHandle>): Promise<RunHandle> {
    this.#bases.set(base.hash, { base, heard });
    try {
      return await begin();
    } catch (error) {
      this.done(base);
      throw error;
    }
  }
}
