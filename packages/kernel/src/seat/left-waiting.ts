// B4: a call that waited for a person when its process ended goes on by itself once they have answered, or nobody has in time.
import type { CallId } from "@spfunctions/contracts";
import type { CallHost } from "../call/call-host.ts";
import { untilAnswered } from "../call/until-answered.ts";
import { isPending } from "../journal/fold-calls.ts";
import { lookUpCall } from "../journal/look-up-call.ts";
import { recoverSegment } from "../recovery/recover-account.ts";
import type { Settled, WaitsFor } from "../recovery/settled.ts";
import { isOutage } from "../store/is-outage.ts";

type Left = Pick<Settled, "callId" | "waitsFor">;

/** How long somebody else has who holds a segment, or a store that does not answer. */
const pauseMs = 1000;

/** The calls of other processes that a seat looks after. */
export class LeftWaiting {
  readonly #host: CallHost;
  readonly #callIds = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(host: CallHost) {
    this.#host = host;
  }

  /** Each goes on when its time has come. */
  lookAfter(left: readonly Left[]): void {
    for (const { callId, waitsFor } of left) {
      if (waitsFor === undefined || this.#callIds.has(callId)) continue;
      this.#callIds.add(callId);
      const going = this.#goOn(callId as CallId, waitsFor)
        // What could not be settled now is when the store is opened next.
        .catch(() => undefined)
        .finally(() => {
          this.#callIds.delete(callId);
          this.#underWay.delete(going);
        });
      this.#underWay.add(going);
    }
  }

  /** Once the seat closes, nothing more is begun. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async #goOn(callId: CallId, given: WaitsFor): Promise<void> {
    const { closing } = this.#host;
    for (let waitsFor = given; ; ) {
      // oxlint-disable-next-line no-await-in-loop -- again only while it could not be settled
      const isAnswered = await untilAnswered(this.#host, waitsFor, [closing]);
      if (!isAnswered || closing.aborted) return;
      // oxlint-disable-next-line no-await-in-loop -- see above
      const settled = await recoverSegment(this.#host, waitsFor.stream).catch(unlessOutage);
      // Others in the same segment may have been left waiting by now.
      if (settled !== undefined) this.lookAfter(settled);
      const again = settled?.find((one) => one.callId === callId)?.waitsFor;
      // oxlint-disable-next-line no-await-in-loop -- see above
      if (again === undefined && (await this.#hasEnded(callId, waitsFor.stream))) return;
      waitsFor = again ?? waitsFor;
      // oxlint-disable-next-line no-await-in-loop -- see above
      await this.#host.waits.pause(pauseMs, [closing]);
    }
  }

  async #hasEnded(callId: CallId, stream: string): Promise<boolean> {
    const { store, principal } = this.#host;
    const place = { accountId: principal.accountId, stream, callId };
    const found = await lookUpCall(store, place).catch(unlessOutage);
    return found !== undefined && !isPending(found.call);
  }
}

function unlessOutage(error: unknown): undefined {
  if (isOutage(error)) return undefined;
  throw error;
}
