// A platform that says what a test tells it to, over a real socket and in this process alike.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fixtureManifest } from "./fixture-tools.ts";

/** A request as it arrived. */
export type Arrived = {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
};

/** `break` ends the connection without a word, `silence` leaves it open. */
export type Reply = Response | "break" | "silence";

export type Handler = (request: Arrived, count: number) => Reply | Promise<Reply>;

export class TestPlatform {
  readonly arrived: Arrived[] = [];
  readonly #server: Server;
  /** What answers; a test puts its own here. */
  handler: Handler = () => answer({});

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<TestPlatform> {
    const platform = new TestPlatform();
    await new Promise<void>((resolve) => {
      platform.#server.listen(0, "127.0.0.1", resolve);
    });
    return platform;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get paths(): string[] {
    return this.arrived.map(({ path }) => path);
  }

  /** Ends what is open as well. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  /** In process. It takes no notice of a signal: a platform need not. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const reply = await this.#take({ method, path: pathname + search, headers, body: await request.text() });
    if (reply === "break") throw new TypeError("it broke off");
    return reply === "silence" ? await new Promise(() => {}) : reply;
  };

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url: path = "", headers } = request;
    const body = Buffer.concat(chunks).toString();
    const reply = await this.#take({
      method,
      path,
      headers: new Headers(headers as Record<string, string>),
      body,
    });
    if (reply === "silence") return;
    if (reply === "break") response.destroy();
    else await writeOut(reply, response);
  }

  async #take(arrived: Arrived): Promise<Reply> {
    this.arrived.push(arrived);
    return await this.handler(arrived, this.arrived.length);
  }
}

/** As fast as it is read; a body that fails breaks the connection, a connection that ends cancels the body. */
async function writeOut(reply: Response, response: ServerResponse): Promise<void> {
  response.writeHead(reply.status, Object.fromEntries(reply.headers));
  response.flushHeaders();
  const reader = reply.body?.getReader();
  response.on("close", () => void reader?.cancel().catch(() => {}));
  try {
    for (;;) {
      const next = await reader?.read();
      if (next?.value === undefined) break;
      await written(response, next.value);
    }
    response.end();
  } catch {
    response.destroy();
  }
}

/** Done when it has left this process, or nobody is there to take it. */
function written(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes, () => resolve());
  });
}

const requestId = "req_1";

/** An answer in the envelope. */
export function answer(data: unknown, meta: object = {}): Response {
  return say(200, { ok: true, data, meta: { requestId, ...meta } });
}

type Refusal = {
  readonly headers?: Record<string, string>;
  readonly meta?: object;
  readonly details?: object;
  readonly message?: string;
};

/** A refusal in the envelope. */
export function refuse(code: string, status: number, { headers, meta, ...error }: Refusal = {}): Response {
  const said = { code, status, message: "it was refused", ...error };
  return say(status, { ok: false, error: said, meta: { requestId, ...meta } }, headers);
}

export function say(status: number, value: unknown, headers: Record<string, string> = {}): Response {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const all = { "content-type": "application/json", "x-request-id": requestId, ...headers };
  return new Response(text, { status, headers: all });
}

/** Answers for the manifest as the platform does: bare, with an ETag. */
export function sayManifest({ headers }: Arrived, manifest = fixtureManifest): Response {
  const etag = `"${manifest.digest}"`;
  if (headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers: { etag } });
  return say(200, manifest, { etag });
}
