// Time passes in the markets whether or not anybody calls: standing orders are met, closed markets settle, armed intents fire,
// alert rules are met, and real venues are read, so that reads that may not ask them know them.
import { attemptAgain } from "./attempt-again.ts";
import { type Firing, FiringMemory, fireIntents } from "./intents/fire-intents.ts";
import { checkAlerts } from "./saved/check-alerts.ts";
import { newAlertMemory } from "./saved/venue-look.ts";
import type { MarketsHost } from "./tools/markets-host.ts";
import type { World } from "./world/open-world.ts";

export type Tending = {
  /** How long it rests between two rounds; five seconds unless given. */
  readonly everyMs?: number | undefined;
  /**
   * Told what could not be done, once until it changes or is over; it is tried again in every round. Of `orders` it is told which armed
   * orders were stopped, and why: they are not tried again.
   */
  readonly onFault?: ((what: string, fault: unknown) => void) | undefined;
  /** Whether armed orders fire; they do unless given. A process that does not know the rules that they are under leaves them armed. */
  readonly firesOrders?: boolean | undefined;
};

/** Gives what stops it, which waits for the round that is under way. */
export function tendMarkets(
  host: Pick<
    MarketsHost,
    "store" | "proves" | "clock" | "readers" | "live" | "paper" | "mayCall" | "explainCall" | "fire"
  >,
  { rows }: Pick<World, "rows">,
  { everyMs = 5000, onFault = () => undefined, firesOrders = true }: Tending = {},
): () => Promise<void> {
  const { clock, live, paper } = host;
  const ended = new AbortController();
  const { signal } = ended;
  let callOff: (() => void) | undefined;
  const attempt = attemptAgain(onFault, signal);
  const memory = new FiringMemory(host);
  const alertHost = { ...host, memory: newAlertMemory() };
  // Beside the rounds: what asks real venues may take its time, and no order waits for that.
  const venues = oneAtATime(() =>
    attempt("venues", async () => ({ failed: (await rows.current()).unavailable })),
  );
  const alerts = oneAtATime(() => attempt("alerts", () => checkAlerts(alertHost, clock.now(), signal)));
  const fire = async (): Promise<void> => {
    let stopped: Firing["stopped"];
    await attempt("intents", async () => {
      const fired = await fireIntents(host, memory);
      stopped = fired.stopped;
      return fired;
    });
    await attempt("orders", async () => ({ failed: stopped ?? [] }));
  };
  const round = async (): Promise<void> => {
    await attempt("live ledger", () => live.advance(signal));
    await attempt("paper ledger", () => paper.advance(signal));
    if (firesOrders) await fire();
    // After the ledgers: what is read then need not go through what they have just written.
    venues.begin();
    alerts.begin();
    if (!signal.aborted) callOff = clock.after(everyMs, () => void (running = round()));
  };
  let running: Promise<void> = round();
  return async () => {
    ended.abort();
    callOff?.();
    await running;
    // A venue that is being read is not waited for: nothing is written after it.
    await alerts.ended();
  };
}

/** Begins something unless it is under way already. */
function oneAtATime(act: () => Promise<void>): { begin: () => void; ended: () => Promise<void> } {
  let running: Promise<void> | undefined;
  return {
    begin: () => void (running ??= act().finally(() => (running = undefined))),
    ended: async () => await running,
  };
}
