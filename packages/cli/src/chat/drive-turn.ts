// A turn until it has ended, or until only a person can take it on who is not there or says later.
import type { SpectatorEvent, SpectatorSession, TurnOptions, TurnResult } from "@spfunctions/agent/spectator";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { isOver } from "../runs/run-states.ts";
import { ShownOnce } from "./shown-once.ts";
import type { OpenChat } from "./open-chat.ts";
import type { TurnView } from "./turn-view.ts";

export type AskInTurn = {
  /** Lets a person answer what an event asks of them; it goes on beside the turn. */
  readonly heard: (event: SpectatorEvent) => Promise<void>;
  /** Lets them answer what the turn rests for. Whether it goes on now. */
  readonly rested: (result: TurnResult) => Promise<boolean>;
};

export type TurnTerms = {
  readonly view: TurnView;
  readonly signal: AbortSignal;
  /** Nothing where nobody is there. */
  readonly ask?: AskInTurn | undefined;
};

type Begin = (options: TurnOptions) => Promise<TurnResult>;

/** `text`: what is said; without one the turn that was left is gone on with. */
export async function driveTurn(
  { session }: Pick<OpenChat, "session">,
  text: string | undefined,
  { view, signal, ask }: TurnTerms,
): Promise<TurnResult> {
  const shown = new ShownOnce(text === undefined ? Date.now() : 0);
  // One after the other: while a person is asked, nothing else is shown.
  let showing: Promise<void> = Promise.resolve();
  const onEvent = (event: SpectatorEvent) => {
    if (!shown.isNew(event)) return;
    showing = showAfter(showing, async () => {
      await view.event(event);
      await ask?.heard(event);
    });
    // Whoever waits for it is told.
    showing.catch(() => undefined);
  };
  const drive = async (begin: Begin) => {
    const result = await begin({ signal, onEvent });
    await showing;
    return result;
  };
  let result = await drive((options) =>
    text === undefined ? session.resume(options) : session.turn(text, options),
  );
  /* oxlint-disable no-await-in-loop -- from one rest to the next */
  while (!isOver(result)) {
    const { runId } = result;
    const goesOn = (await ask?.rested(result)) === true;
    // Whoever rests hears no signal.
    if (signal.aborted) return (await session.cancel()) ?? (await session.ended(runId));
    if (!goesOn) return result;
    result = await drive((options) => goOn(session, runId, options));
  }
  /* oxlint-enable no-await-in-loop */
  return result;
}

/** By its answer it may have come to its end before anybody looked. */
async function goOn(session: SpectatorSession, runId: string, options: TurnOptions): Promise<TurnResult> {
  try {
    return await session.resume(options);
  } catch (error) {
    if (!isSimpleFunctionsError(error) || error.details?.reason !== "no_turn") throw error;
    return await session.ended(runId);
  }
}

async function showAfter(before: Promise<void>, show: () => Promise<void>): Promise<void> {
  await before;
  await show();
}
