import { isBrowser } from "#place";
import { defaultBaseUrl, readBaseUrl, refuseExposedKey } from "../identity/base-url.ts";
import { Credential } from "../identity/credential.ts";
import { refuseKeyInBrowser } from "../identity/require-credential.ts";
import { type ClientOptions, type Fetch, userAgentOf } from "../options/client-options.ts";
import { ownUserAgent } from "./own-user-agent.ts";

/** A request as it goes out, but for the key. */
export type WireRequest = {
  readonly method: string;
  /** Below the platform's address, with its query. */
  readonly path: string;
  readonly body?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the key goes along, if there is one. */
  readonly withKey: boolean;
};

/** The way to the platform: its address, and who comes along it. */
export class Connection {
  readonly baseUrl: string;
  readonly credential: Credential | undefined;
  readonly #fetch: Fetch;
  readonly #userAgent: string;

  constructor(options: ClientOptions) {
    this.baseUrl = readBaseUrl(options.baseUrl ?? defaultBaseUrl);
    this.credential = options.apiKey === undefined ? undefined : new Credential(options.apiKey);
    refuseKeyInBrowser(this.credential);
    if (this.credential !== undefined) refuseExposedKey(this.baseUrl, options.insecure === true);
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.#userAgent = userAgentOf(options, ownUserAgent);
  }

  /** One request, and what comes back of it. No redirect is followed: a key goes to the given address and no further. */
  async open(request: WireRequest, signal: AbortSignal): Promise<Response> {
    const headers = new Headers(request.headers);
    if (request.withKey) this.credential?.authorize(headers);
    const inBrowser = isBrowser();
    if (!inBrowser) headers.set("user-agent", this.#userAgent);
    const send = this.#fetch;
    return send(this.baseUrl + request.path, {
      method: request.method,
      headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: "error",
      // Elsewhere there are no cookies, and some runtimes refuse to be told so.
      ...(inBrowser ? { credentials: "omit" } : {}),
      signal,
    });
  }
}
