// One session of a long-lived agent: turns one after the other, every revision kept. A turn that waits for a person, or that a process which is
// no more has left, is gone on with or given up before the next one begins.
import {
  CancelledError,
  type Checkpoint,
  InvalidInputError,
  InvalidTransitionError,
  JournalCorruptError,
  type RunId,
} from "@spfunctions/contracts";
import { heedless, type Resolution, type RunHandle, runResultOf, type Runs } from "@spfunctions/kernel";
import { requireOneOf } from "../../given-options.ts";
import { LiveFeed, withLive } from "../../v1/live-feed.ts";
import type { RevisionEntry } from "../checkpoints/checkpoints.ts";
import type { Revision } from "../checkpoints/revision-content.ts";
import type { MemoryHit } from "../memory/retrieve-memories.ts";
import { retrievedBlock } from "../memory/retrieved-block.ts";
import { neutralise } from "../protocol/markers.ts";
import { needsCondensing } from "../state/condense-now.ts";
import type { CheckpointDiff } from "../state/diff-checkpoints.ts";
import type { Wish } from "../turn/ask-wishes.ts";
import { keptStartOf, turnStartOf } from "../turn/turn-start.ts";
import { condenseSession, type CondensedSession } from "./condense-session.ts";
import { logTurn } from "./log-turn.ts";
import type { SessionParts } from "./session-parts.ts";
import { settleTurn, type SettledTurn } from "./settle-turn.ts";
import { requireTurnOptions, type SpectatorEvent, type TurnOptions } from "./turn-options.ts";
import { isAtRest, restingTurn, type TurnResult, turnResultOf } from "./turn-result.ts";

/** A turn that is not over. */
export type LeftTurn = { readonly runId: RunId; readonly text: string; readonly state: string };

export class SpectatorSession {
  readonly id: string;
  readonly #parts: SessionParts;

  constructor(id: string, parts: SessionParts) {
    this.id = id;
    this.#parts = parts;
  }

  /** The latest revision. */
  async checkpoint(): Promise<Checkpoint> {
    return (await this.#latest()).current;
  }

  /** The turn that waits for a person, or that was left. What has ended meanwhile is written down first. */
  async left(): Promise<LeftTurn | undefined> {
    const run = await this.#parts.turns.last(this.id);
    if (run === undefined) return undefined;
    const { runId } = run.opening;
    if (run.end === undefined) {
      const text = keptStartOf(run)?.text ?? "(erased)";
      return { runId, text, state: run.shape.state };
    }
    await this.#settle(runId);
    return undefined;
  }

  async turn(given: string, options: TurnOptions = {}): Promise<TurnResult> {
    requireTurnOptions(options);
    const { turns, limits } = this.#parts;
    const text = typeof given === "string" ? given.toWellFormed() : "";
    if (text.trim() === "" || text.length > limits.userChars)
      throw new InvalidInputError(
        `a turn begins with a text of 1 to ${limits.userChars} characters; the limit userChars says how many`,
        {
          details: { path: "/text", reason: "bad_text" },
        },
      );
    const left = await this.left();
    if (left !== undefined)
      throw new InvalidTransitionError(
        `the session ${this.id} has a turn that is not over: ${left.runId} is ${left.state}. Answer what it waits for and resume it, or cancel it`,
        { details: { sessionId: this.id, runId: left.runId, reason: "turn_under_way" } },
      );
    if (options.signal?.aborted === true)
      throw new CancelledError("cancelled before it began; nothing has happened");
    const say = this.#sayTo(options.onEvent);
    await this.#makeRoom({ ...options, onEvent: say });
    await this.#parts.erasures.finish();
    const erasures = await this.#parts.erasures.count();
    const hits = await this.#recall(text);
    if (hits.length > 0) say?.({ type: "retrieved", hits });
    const { text: memory, shown } = retrievedBlock(hits, neutralise, limits);
    const base = await this.#latest();
    return await this.#drive(base, options, (watch) =>
      turns.start(this.id, base, { text, memory, shown, erasures }, watch),
    );
  }

  /** Goes on with a turn that waits, or that was left. Of one that has ended since, and that nobody was told of, it is the result. */
  async resume(options: TurnOptions = {}): Promise<TurnResult> {
    requireTurnOptions(options);
    const { turns, checkpoints } = this.#parts;
    const run = await turns.last(this.id);
    if (run === undefined) throw this.#noTurn();
    const { runId } = run.opening;
    if (run.end !== undefined) {
      const { result, isNew } = await this.#settle(runId, {
        ...options,
        onEvent: this.#sayTo(options.onEvent),
      });
      if (isNew) return result;
      throw this.#noTurn();
    }
    const { base } = turnStartOf(run);
    const revision = await checkpoints.get(this.id, base.revision);
    if (revision?.hash !== base.hash)
      throw new JournalCorruptError(`${runId} goes on from a revision that is not there; cancel it`, {
        details: { runId, reason: "no_base" },
      });
    return await this.#drive(revision, options, (watch) => turns.resume(runId, revision, watch));
  }

  /** What the last turn has come to, once it has ended. */
  async ended(runId: string): Promise<TurnResult> {
    const last = await this.#parts.turns.last(this.id);
    if (last?.opening.runId !== runId || last.end === undefined)
      throw new InvalidTransitionError(`${runId} is not the last turn of ${this.id} that has ended`, {
        details: { sessionId: this.id, runId, reason: "not_ended" },
      });
    return (await this.#settle(runId as RunId)).result;
  }

  /** Gives a turn up that waits, or that was left; what had begun ends. */
  async cancel(): Promise<TurnResult | undefined> {
    const left = await this.left();
    if (left === undefined) return undefined;
    const { runs } = this.#parts.turns;
    await runs.cancel(left.runId);
    await (await runs.get(left.runId)).wait();
    return (await this.#settle(left.runId)).result;
  }

  /** Keeps what a person found out about an effect of which nobody knew what became: the turn that waits for that can go on. */
  async resolve(effectId: string, resolution: Resolution): Promise<void> {
    const left = await this.#requireLeft();
    await this.#parts.turns.runs.resolve(left.runId, effectId, resolution);
  }

  async condense(how: "now" | "smart" = "now"): Promise<CondensedSession | undefined> {
    requireOneOf("how", how, ["now", "smart"]);
    await this.#requireRest("condensed");
    return await this.#parts.erasures.guarded(() => condenseSession(this.#parts, this.id, how));
  }

  /** As it was at an earlier revision, the one before unless given: one revision more. */
  async undo(to?: number): Promise<Checkpoint> {
    await this.#requireRest("undone");
    const { checkpoints, erasures } = this.#parts;
    const written = await erasures.guarded(() => checkpoints.undo(this.id, to));
    if ("current" in written) return written.current;
    throw new InvalidTransitionError(
      `somebody else has written a revision of ${this.id} at the same moment; look at it and undo again`,
      {
        details: { sessionId: this.id, reason: "overtaken" },
      },
    );
  }

  async fork(sessionId: string, revision?: number): Promise<SpectatorSession> {
    const { checkpoints, erasures } = this.#parts;
    await erasures.guarded(() => checkpoints.fork(this.id, sessionId, revision));
    return new SpectatorSession(sessionId, this.#parts);
  }

  async diff(from: number, to?: number): Promise<CheckpointDiff> {
    return await this.#parts.checkpoints.diff(
      this.id,
      from,
      to ?? (await this.#latest()).checkpoint.revision,
    );
  }

  async history(terms?: { readonly limit?: number; readonly before?: number }): Promise<RevisionEntry[]> {
    return await this.#parts.checkpoints.list(this.id, terms);
  }

  /** Looks through all revisions. */
  verify() {
    return this.#parts.checkpoints.verify(this.id);
  }

  async export(terms?: { readonly revision?: number; readonly all?: boolean }): Promise<string> {
    return await this.#parts.checkpoints.export(this.id, terms);
  }

  /** What operators have granted it, and what it has asked for. */
  async grants(): ReturnType<Runs["capabilities"]> {
    return await this.#parts.turns.runs.capabilities(this.id);
  }

  async #latest(): Promise<Revision> {
    return await this.#parts.checkpoints.open(this.id);
  }

  async #requireLeft(): Promise<LeftTurn> {
    const left = await this.left();
    if (left !== undefined) return left;
    throw this.#noTurn();
  }

  async #requireRest(what: string): Promise<void> {
    const left = await this.left();
    if (left === undefined) return;
    throw new InvalidTransitionError(
      `the session ${this.id} cannot be ${what} while ${left.runId} is ${left.state}; resume or cancel it first`,
      { details: { sessionId: this.id, runId: left.runId, reason: "turn_under_way" } },
    );
  }

  /** Nothing that memory does ends a turn. */
  async #recall(text: string): Promise<readonly MemoryHit[]> {
    const { memory, limits, trouble } = this.#parts;
    if (limits.retrieved === 0) return [];
    try {
      const { hits, troubles } = await memory.retrieve({ text, limit: limits.retrieved });
      for (const one of troubles) trouble({ what: "memory", error: new Error(JSON.stringify(one)) });
      return hits;
    } catch (error) {
      trouble({ what: "nothing could be remembered", error });
      return [];
    }
  }

  async #drive(
    base: Revision,
    { signal, onEvent, until = "rest" }: TurnOptions,
    begin: (watch: Parameters<SessionParts["turns"]["start"]>[3]) => Promise<RunHandle>,
  ): Promise<TurnResult> {
    const { turns } = this.#parts;
    const feed = new LiveFeed();
    const say = this.#sayTo(onEvent);
    const hear = (wish: Wish) => say?.({ type: "wish", wish });
    const handle = await begin({ live: feed.watch, wish: hear });
    const telling = say && tell(handle, feed, say);
    const cancel = () => void turns.runs.cancel(handle.runId).catch(() => undefined);
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted === true) cancel();
    try {
      const result = await handle.wait({ for: until });
      if (isAtRest(result) && signal?.aborted !== true) {
        await telling?.stop();
        return restingTurn(result);
      }
      if (isAtRest(result)) await handle.wait();
      await telling?.whole;
      return (await this.#settle(handle.runId, { signal, onEvent: say })).result;
    } finally {
      signal?.removeEventListener("abort", cancel);
      turns.unheard(base, hear);
      turns.runs.unwatch(handle.runId, feed.watch);
      await telling?.stop();
    }
  }

  #sayTo(onEvent: TurnOptions["onEvent"]): ((event: SpectatorEvent) => void) | undefined {
    const failed = (error: unknown) =>
      this.#parts.trouble({ what: "whoever listens to a turn has failed", error });
    return onEvent && heedless(onEvent, failed);
  }

  /** Writes down what an ended turn has come to, unless somebody has. */
  async #settle(
    runId: RunId,
    options: Pick<TurnOptions, "signal" | "onEvent"> = {},
  ): Promise<{ readonly result: TurnResult; readonly isNew: boolean }> {
    const { erasures } = this.#parts;
    await erasures.readAgain(runId);
    const settled = await erasures.guarded(() => settleTurn(this.#parts, this.id, runId));
    const base = keptStartOf(settled.run)?.base;
    if (base !== undefined) this.#parts.turns.done(base, runId);
    const how = this.#condensesBy(settled);
    const condensed = how && (await this.#condense(how, options));
    const trace = await erasures.guarded(() => logTurn(this.#parts, this.id, settled, condensed));
    const result = {
      ...turnResultOf(settled, runResultOf(settled.run)),
      ...(condensed && { condensed }),
      ...(trace !== undefined && { trace }),
    };
    return { result, isNew: settled.isNew };
  }

  #noTurn(): InvalidTransitionError {
    return new InvalidTransitionError(`the session ${this.id} has no turn to go on with`, {
      details: { sessionId: this.id, reason: "no_turn" },
    });
  }

  /** Where the model asked for it, or there is more than it is shown. */
  #condensesBy({ folded, revision, isNew }: SettledTurn): "now" | "smart" | undefined {
    const { limits, autoCondense } = this.#parts;
    if (!isNew) return undefined;
    const wanted = folded.answers
      .flatMap(({ actions }) => actions?.wanted ?? [])
      .flatMap((one) => (one.type === "condense" ? [one.how] : []));
    if (wanted.length > 0) return wanted.includes("smart") ? "smart" : "now";
    return needsCondensing(revision.current, limits) ? autoCondense : undefined;
  }

  /** What was imported, or left by a process that is no more, may be more than a model is shown. */
  async #makeRoom(options: TurnOptions): Promise<void> {
    const { limits, autoCondense } = this.#parts;
    if (needsCondensing((await this.#latest()).current, limits)) await this.#condense(autoCondense, options);
  }

  /** Nothing that it comes to ends a turn. */
  async #condense(
    how: "now" | "smart",
    { signal, onEvent }: TurnOptions,
  ): Promise<CondensedSession | undefined> {
    try {
      const { erasures } = this.#parts;
      const condensed = await erasures.guarded(() => condenseSession(this.#parts, this.id, how, signal));
      if (condensed !== undefined) onEvent?.({ type: "condensed", condensed });
      return condensed;
    } catch (error) {
      this.#parts.trouble({ what: `the session ${this.id} could not be condensed`, error });
      return undefined;
    }
  }
}

/** Tells what happens, until the end or until nobody is to be told. */
function tell(
  handle: RunHandle,
  feed: LiveFeed,
  say: (event: SpectatorEvent) => void,
): { readonly whole: Promise<void>; readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const whole = (async () => {
    const told = withLive(handle.stream({ signal: stopping.signal }), feed.reader(), stopping);
    for await (const one of told)
      say(one.type === "model.delta" ? { type: "text", text: one.text } : { type: "runtime", event: one });
    // Why it is driven no more is told to whoever waits for it.
  })().catch(() => undefined);
  return {
    whole,
    stop: async () => {
      stopping.abort();
      await whole;
    },
  };
}
