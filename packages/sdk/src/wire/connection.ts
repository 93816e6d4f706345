import { isBrowser } from "#place";
import { readBaseUrl, refuseExposedKey } from "@spfunctions/contracts";
import { Credential } from "../identity/credential.ts";
import { refuseKeyInBrowser } from "../identity/require-credential.ts";
import { type ClientOptions, type Fetch, userAgentOf } from "../options/client-options.ts";
import { ownUserAgent } from "./own-user-agent.ts";

/** Where `sf up` listens. */
const defaultBaseUrl = "http://127.0.0.1:7700";
const addressWords = {
  name: "baseUrl",
  remedy: `give the platform's address, like ${defaultBaseUrl}`,
};

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

/** What goes along instead of the key. */
export type Lender = {
  /** One that is good, asked for if need be. `instead`: one that the platform did not take. */
  readonly lent: (instead?: Credential) => Promise<Credential>;
};

type Way = {
  readonly baseUrl: string;
  readonly credential: Credential | undefined;
  readonly send: Fetch;
  readonly userAgent: string;
  readonly lender?: Lender;
};

/** The way to the platform: its address, and who comes along it. */
export class Connection {
  readonly #way: Way;

  private constructor(way: Way) {
    this.#way = way;
  }

  static to(options: ClientOptions): Connection {
    const baseUrl = readBaseUrl(options.baseUrl ?? defaultBaseUrl, addressWords);
    const credential = options.apiKey === undefined ? undefined : new Credential(options.apiKey);
    refuseKeyInBrowser(credential);
    if (credential !== undefined) refuseExposedKey(baseUrl, options.insecure === true);
    return new Connection({
      baseUrl,
      credential,
      send: options.fetch ?? ((input, init) => fetch(input, init)),
      userAgent: userAgentOf(options, ownUserAgent),
    });
  }

  /** The same way, along which the key never comes: what it lends does. */
  lending(lender: Lender): Connection {
    return new Connection({ ...this.#way, lender });
  }

  get baseUrl(): string {
    return this.#way.baseUrl;
  }

  get credential(): Credential | undefined {
    return this.#way.credential;
  }

  /** One request, and what comes back of it. No redirect is followed: a key goes to the given address and no further. */
  async open(request: WireRequest, signal: AbortSignal): Promise<Response> {
    const { credential, lender } = this.#way;
    if (!request.withKey) return await this.#send(request, undefined, signal);
    if (lender === undefined) return await this.#send(request, credential, signal);
    const lent = await lender.lent();
    const response = await this.#send(request, lent, signal);
    if (response.status !== 401) return response;
    // Nothing was done: what was lent may have run out on the way, or while this machine was asleep.
    const other = await lender.lent(lent);
    await response.body?.cancel();
    return await this.#send(request, other, signal);
  }

  async #send(
    request: WireRequest,
    credential: Credential | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const { baseUrl, userAgent, send } = this.#way;
    const headers = new Headers(request.headers);
    credential?.authorize(headers);
    const inBrowser = isBrowser();
    if (!inBrowser) headers.set("user-agent", userAgent);
    signal.throwIfAborted();
    return await send(baseUrl + request.path, {
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
