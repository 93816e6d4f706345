import { readRetryAfter } from "@spfunctions/contracts";
import { readEnvelope } from "../call/read-envelope.ts";
import type { Limits } from "../options/limits.ts";
import type { Connection, WireRequest } from "../wire/connection.ts";
import { Deadline } from "../wire/deadline.ts";
import { badAnswer, earlyFault, networkFault } from "../wire/faults.ts";
import { NotSent } from "../wire/not-sent.ts";
import type { Outcome } from "../wire/outcome.ts";
import { readText } from "../wire/read-text.ts";

const name = "events";
const errand = { name, isRepeatable: true };

/**
 * How long a stream of events may say nothing.
 * @limit client.streamSilenceMs | the stream is opened anew from its cursor | fixed: four heartbeats of a platform
 */
const longestSilenceMs = 60_000;

/** One connection to a stream of events, from its opening to its break. */
export class EventConnection {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #controller: AbortController;

  private constructor(reader: ReadableStreamDefaultReader<Uint8Array>, controller: AbortController) {
    this.#reader = reader;
    this.#controller = controller;
  }

  /** `over` where the platform has nothing more to tell: the run had ended before the cursor. */
  static async open(
    connection: Connection,
    { timing, timeoutMs }: Limits,
    request: WireRequest,
    caller: AbortSignal,
  ): Promise<Outcome<EventConnection | "over">> {
    const controller = new AbortController();
    const deadline = new Deadline(timing, timeoutMs, caller);
    try {
      const response = await deadline.race(connection.open(request, controller.signal));
      const { status, headers, body } = response;
      const isStream = /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
      if (status === 200 && isStream && body !== null && !response.redirected) {
        return { type: "answered", value: new EventConnection(body.getReader(), controller) };
      }
      if (status === 204) return { type: "answered", value: "over" };
      const refusal = await deadline.race(readText(response, deadline.signal));
      const retryAfterMs = readRetryAfter(headers.get("retry-after"), timing.now());
      const exchange = { status, headers, retryAfterMs, text: "text" in refusal ? refusal.text : "" };
      const outcome = readEnvelope(name, exchange, connection.credential);
      if (outcome.type === "failed") return outcome;
      return badAnswer(name, exchange, { reason: "not_a_stream", says: "is no stream of events" });
    } catch (fault) {
      controller.abort();
      if (deadline.early !== undefined) {
        const error = earlyFault(errand, deadline.early, true);
        return { type: "failed", error, mayHelp: deadline.early === "timeout" };
      }
      if (fault instanceof NotSent) return { type: "failed", error: fault.error, mayHelp: false };
      const cause = connection.credential === undefined ? fault : connection.credential.hideIn(fault);
      return { type: "failed", error: networkFault(errand, connection.baseUrl, cause), mayHelp: true };
    } finally {
      deadline.close();
    }
  }

  /** The next bytes; nothing at the end of the stream; `broken` where it broke off, fell silent or is not wanted any more. */
  async next({ timing }: Limits, caller: AbortSignal): Promise<Uint8Array | undefined | "broken"> {
    const deadline = new Deadline(timing, longestSilenceMs, caller);
    try {
      return (await deadline.race(this.#reader.read())).value;
    } catch {
      return "broken";
    } finally {
      deadline.close();
    }
  }

  close(): void {
    this.#reader.cancel().catch(() => {});
    this.#controller.abort();
  }
}
