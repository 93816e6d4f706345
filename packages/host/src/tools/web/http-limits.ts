import { HostConfigurationNeededError } from "@spfunctions/contracts";

export type HttpLimits = {
  /** Bytes of a body that are read, once decompressed. */
  readonly httpBodyBytes: number;
  /** Bytes of an answer's header. */
  readonly httpHeaderBytes: number;
  /** Milliseconds for everything: names, redirects, the last byte, and reading the page. */
  readonly httpMs: number;
  /** Redirects that are followed. */
  readonly redirects: number;
  /** Characters of the text that is given back. */
  readonly textChars: number;
  /** Seconds that a kept answer is given again. */
  readonly cacheTtlS: number;
};

/**
 * @limits web | `limits: { … }` of `httpTools`
 */
export const defaultHttpLimits: HttpLimits = {
  /** @at the rest is not read, and `truncated` says so */
  httpBodyBytes: 2 * 2 ** 20,
  /** @at `upstream_error` */
  httpHeaderBytes: 16 * 2 ** 10,
  /** @at `timeout` */
  httpMs: 15_000,
  /** @at `upstream_error` */
  redirects: 5,
  /** @at the text is cut, and `truncated` says so */
  textChars: 100_000,
  /** @at it is fetched anew */
  cacheTtlS: 3600,
};

/** As a timer takes them at most. */
const most = 2 ** 31 - 1;
const mayBeNone = new Set(["redirects", "cacheTtlS"]);

export function readHttpLimits(given: Partial<HttpLimits> = {}): HttpLimits {
  for (const [name, value] of Object.entries(given)) {
    const least = mayBeNone.has(name) ? 0 : 1;
    const isKnown = Object.hasOwn(defaultHttpLimits, name);
    if (isKnown && Number.isSafeInteger(value) && value >= least && value <= most) continue;
    throw new HostConfigurationNeededError(
      isKnown
        ? `limits.${name} is a whole number from ${least} to ${most}`
        : `there is no limit of the web tool with that name; there are ${Object.keys(defaultHttpLimits).join(", ")}`,
      { details: { path: "/limits", reason: "bad_limit" } },
    );
  }
  return { ...defaultHttpLimits, ...given };
}
