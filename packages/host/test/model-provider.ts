// A provider of models on a real socket, which does with every request what it is told to.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { GivenAnswer, OpenedModel, Reply, Way } from "@spfunctions/kernel/conformance";
import type { Clock, ModelAdapter } from "@spfunctions/kernel";

export type WireFormat = (
  answer: GivenAnswer,
  way: Way,
) => { readonly bytes: Uint8Array; readonly wholeAt: number };

export type ProviderPlace = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clock: Clock;
  readonly maxAnswerBytes: number;
};

const apiKey = "the+key/of the-tests%42";
const maxAnswerBytes = 256 * 1024;

/** An adapter that reaches its provider at the place it is given, and what the conformance suite needs to know about both. */
export async function openModel(
  format: WireFormat,
  adapterAt: (place: ProviderPlace) => ModelAdapter,
): Promise<OpenedModel> {
  const provider = new ModelProvider(format);
  const clock = new PatientClock();
  const baseUrl = await provider.listen();
  const adapter = adapterAt({ baseUrl, apiKey, clock, maxAnswerBytes });
  return {
    adapter,
    says: (answer) => provider.says(answer),
    wire: {
      bytesOf: format,
      reply: (reply) => provider.reply(reply),
      asked: () => provider.asked,
      sent: () => provider.sent(),
      left: () => provider.left(),
      beSilent: () => clock.pass(),
      secret: apiKey,
      maxAnswerBytes,
    },
    dispose: () => provider.close(),
  };
}

/** A clock on which no time passes until it is told to. */
class PatientClock implements Clock {
  readonly #waiting = new Set<() => void>();
  readonly now = () => Date.now();
  readonly elapsed = () => 0;
  readonly after = (_ms: number, act: () => void) => {
    this.#waiting.add(act);
    return () => void this.#waiting.delete(act);
  };

  pass(): void {
    for (const act of this.#waiting) act();
  }
}

export class ModelProvider {
  readonly asked: string[] = [];
  readonly heads: IncomingMessage["headers"][] = [];
  readonly #format: WireFormat;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #open = new Set<ServerResponse>();
  #leaving: (() => void)[] = [];
  #replyTo: (way: Way) => Reply = () => ({ status: 500, pieces: [] });
  #sent = Promise.withResolvers<void>();

  constructor(format: WireFormat) {
    this.#format = format;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  says(answer: GivenAnswer): void {
    this.#replyTo = (way) => ({ pieces: [this.#format(answer, way).bytes] });
  }

  reply(reply: Reply): void {
    this.#replyTo = () => reply;
    this.#sent = Promise.withResolvers();
  }

  /** One after the other; the last one again and again. */
  plays(replies: readonly Reply[]): void {
    const left = [...replies];
    this.#replyTo = () => (left.length > 1 ? left.shift() : left[0]) ?? { status: 500, pieces: [] };
  }

  sent(): Promise<void> {
    return this.#sent.promise;
  }

  left(): Promise<void> {
    return this.#open.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#leaving.push(resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open.add(response);
    response.on("close", () => {
      this.#open.delete(response);
      if (this.#open.size > 0) return;
      for (const leave of this.#leaving.splice(0)) leave();
    });
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    this.asked.push(body);
    this.heads.push(request.headers);
    const isStream = body.includes('"stream":true');
    await this.#play(response, this.#replyTo(isStream ? "stream" : "complete"), isStream);
    this.#sent.resolve();
  }

  async #play(
    response: ServerResponse,
    { status = 200, headers = {}, pieces, ending }: Reply,
    isStream: boolean,
  ): Promise<void> {
    const type = isStream ? "text/event-stream" : "application/json";
    response.writeHead(status, { "content-type": type, ...headers });
    for (const piece of pieces) if (piece.length > 0) response.write(piece);
    if (ending === undefined || ending === "end") return void response.end();
    if (ending === "hang") return;
    // What was written is to be there before the connection breaks.
    await setImmediate();
    response.destroy();
  }
}
