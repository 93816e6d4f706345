// One GET of a public address. It sends no key and no cookie, and follows no redirect: what was configured is what is asked.
import {
  type JsonValue,
  readBaseUrl,
  readRetryAfter,
  type SimpleFunctionsError,
  UpstreamError,
} from "@spfunctions/contracts";
import { passed } from "@spfunctions/kernel";
import { limitsOf, type VenueLimits, type VenueOptions } from "../venue-options.ts";
import { readText } from "./read-text.ts";
import { cancelled, tooOften, tooSlow, upstream } from "./venue-faults.ts";
import { parseVenueJson } from "./venue-json.ts";
import { type VenueRest, venueRest } from "./venue-rest.ts";

/** Gets what is at a path below the venue's address; nothing where the venue says that there is nothing. */
export type HttpJson = (
  path: readonly string[],
  query: Readonly<Record<string, string | number>>,
  signal?: AbortSignal,
) => Promise<JsonValue | undefined>;

/** What one request came to: an answer, or a fault that another request may not meet. */
type Attempt =
  | { readonly type: "answered"; readonly value: JsonValue | undefined }
  | { readonly type: "passing"; readonly error: SimpleFunctionsError; readonly waitMs?: number | undefined };

/** Before the second request, and before the third. */
const backoffMs = (attempt: number): number => 250 * 4 ** attempt;

/** Those of one venue share its rest: while it wants to be left alone, nothing is asked of it. */
export function openHttpJson(
  venue: string,
  defaultBaseUrl: string,
  options: VenueOptions,
  rest: VenueRest = venueRest(options.clock),
): HttpJson {
  const baseUrl = readBaseUrl(options.baseUrl ?? defaultBaseUrl, {
    name: `${venue}: the address to read it at`,
    remedy: "give its public address, or none for its own",
  });
  const limits = limitsOf(options);
  const { clock } = options;
  const send = options.fetch ?? ((input, init) => fetch(input, init));

  return async (path, query, signal) => {
    const url = urlOf(baseUrl, path, query);
    for (let attempt = 0; ; attempt++) {
      // oxlint-disable-next-line no-await-in-loop -- before anything is asked
      await restOver(signal);
      // oxlint-disable-next-line no-await-in-loop -- each request depends on what became of the one before
      const outcome = await attemptOnce(url, signal);
      if (outcome.type === "answered") return outcome.value;
      rest.begin(outcome.error);
      const waitMs = outcome.waitMs ?? backoffMs(attempt);
      if (attempt >= limits.retries || waitMs > limits.maxWaitMs) throw outcome.error;
      // oxlint-disable-next-line no-await-in-loop -- before the next one
      if (!(await passed(clock, waitMs, [signal]))) throw cancelled(venue);
    }
  };

  async function restOver(signal: AbortSignal | undefined): Promise<void> {
    for (let leftMs = rest.leftMs(); leftMs > 0; leftMs = rest.leftMs()) {
      if (leftMs > limits.maxWaitMs) throw tooOften(venue, leftMs);
      // oxlint-disable-next-line no-await-in-loop -- somebody else may have been told to wait meanwhile
      if (!(await passed(clock, leftMs, [signal]))) throw cancelled(venue);
    }
  }

  async function attemptOnce(url: string, signal: AbortSignal | undefined): Promise<Attempt> {
    if (signal?.aborted) throw cancelled(venue);
    const overtime = new AbortController();
    const callOff = clock.after(limits.timeoutMs, () => overtime.abort());
    try {
      const response = await send(url, {
        method: "GET",
        headers: { accept: "application/json" },
        redirect: "manual",
        credentials: "omit",
        signal: signal === undefined ? overtime.signal : AbortSignal.any([signal, overtime.signal]),
      });
      if (response.ok) return await answerOf(venue, response, limits);
      await response.body?.cancel();
      return refusalOf(venue, response, clock.now());
    } catch (error) {
      if (signal?.aborted) throw cancelled(venue);
      if (overtime.signal.aborted) throw tooSlow(venue, limits.timeoutMs);
      if (error instanceof UpstreamError) throw error;
      const says = "gave no whole answer; is it up, and can it be reached from here?";
      return { type: "passing", error: upstream(venue, says, "network", { cause: error }) };
    } finally {
      callOff();
    }
  }
}

async function answerOf(venue: string, response: Response, { maxBytes }: VenueLimits): Promise<Attempt> {
  const text = await readText(response, maxBytes);
  if (text === undefined) throw upstream(venue, `answered with more than ${maxBytes} bytes`, "too_large");
  try {
    return { type: "answered", value: parseVenueJson(text, maxBytes) };
  } catch {
    // What the reader says is wrong names a place in the answer, and the answer is nobody's to repeat.
    throw upstream(venue, "answered with something that is not JSON", "not_json");
  }
}

/** What an answer other than "here it is" means. */
function refusalOf(venue: string, { status, headers }: Response, now: number): Attempt {
  if (status === 404) return { type: "answered", value: undefined };
  if (status === 429) {
    const waitMs = readRetryAfter(headers.get("retry-after"), now);
    return { type: "passing", error: tooOften(venue, waitMs), waitMs };
  }
  if (status >= 500) {
    return {
      type: "passing",
      error: upstream(venue, `answered ${status}`, "status", { details: { status } }),
    };
  }
  // A browser shows a redirect that it was told not to follow as status 0.
  if (status < 400) throw upstream(venue, "answered with a redirect, and none is followed", "redirect");
  throw upstream(venue, `answered ${status}`, "status", { details: { status }, retry: "never" });
}

function urlOf(baseUrl: string, path: readonly string[], query: Readonly<Record<string, string | number>>) {
  const members = Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]);
  const asked = new URLSearchParams(members).toString();
  const place = path.map((part) => `/${encodeURIComponent(part)}`).join("");
  return `${baseUrl}${place}${asked === "" ? "" : `?${asked}`}`;
}
