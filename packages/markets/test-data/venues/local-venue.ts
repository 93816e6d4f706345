import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A time at which the markets of the answers beside this are open. */
export const venueNoon = Date.UTC(2026, 10, 17, 12);

/** Answers the nth request, counted from 0. */
export type Answerer = (request: IncomingMessage, response: ServerResponse, n: number) => void;

/** A server on this machine in place of a venue. */
export class LocalVenue {
  readonly requests: IncomingMessage[] = [];
  answer: Answerer;
  readonly #server: Server;

  private constructor(answer: Answerer) {
    this.answer = answer;
    this.#server = createServer((request, response) => {
      this.requests.push(request);
      this.answer(request, response, this.requests.length - 1);
    });
  }

  static async open(answer: Answerer = (_, response) => response.writeHead(500).end()): Promise<LocalVenue> {
    const venue = new LocalVenue(answer);
    await new Promise<void>((resolve) => {
      venue.#server.listen(0, "127.0.0.1", resolve);
    });
    return venue;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What was asked for so far. */
  get asked(): readonly string[] {
    return this.requests.map(({ url }) => url ?? "");
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export function sendJson(response: ServerResponse, value: unknown): void {
  sendText(response, JSON.stringify(value));
}

export function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "application/json" }).end(text);
}

/** Answers by path; what is not listed is not there. */
export function byPath(answers: Readonly<Record<string, unknown>>): Answerer {
  return (request, response) => {
    const path = new URL(request.url ?? "/", "http://venue").pathname;
    if (Object.hasOwn(answers, path)) sendJson(response, answers[path]);
    else response.writeHead(404).end('{"error":{"code":"not_found"}}');
  };
}
