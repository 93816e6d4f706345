// A socket for the platform, or for an app around it. Loopback unless somebody says otherwise; every stage of a request has an end.
import { HostConfigurationNeededError, refuseUnknown } from "@spfunctions/contracts";
import { heedless } from "@spfunctions/kernel";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { loggedError, type LogLine } from "../log-line.ts";
import { answerBroken, answerOtherProtocol } from "./answer-broken.ts";
import { type FetchApp, requestListener } from "./request-listener.ts";

type ListenLimits = {
  /** The headers of a request together. */
  readonly headerBytes: number;
  /** The time until the headers of a request are there. */
  readonly headersMs: number;
  /** The time until the whole of a request is there. */
  readonly requestMs: number;
  /** A connection without a request. */
  readonly idleMs: number;
  /** The time in which nothing is read of an answer that is there. */
  readonly unreadMs: number;
  /** Connections at once. */
  readonly connections: number;
};

export type ListenOptions = { readonly [Limit in keyof ListenLimits]?: ListenLimits[Limit] | undefined } & {
  /** 127.0.0.1 unless given. */
  readonly host?: string | undefined;
  /** 7700 unless given; 0 takes any that is free. */
  readonly port?: number | undefined;
  /** Told of what goes wrong with the socket once it listens, as where no more connections can be taken. It stays up. */
  readonly log?: ((line: LogLine) => void) | undefined;
};

export type Listening = {
  /** Where it can be reached. */
  readonly url: string;
  /** Takes nothing new, lets what has begun come to its end, then closes. What answers is not closed. */
  readonly close: (graceMs?: number) => Promise<void>;
};

const defaultPort = 7700;

/** @limits socket | `listen(platform, { … })` */
const defaultListenLimits: ListenLimits = {
  /** @at `431`, and the connection ends */
  headerBytes: 16_384,
  /** @at `408`, and the connection ends */
  headersMs: 10_000,
  /** @at `408`, and the connection ends */
  requestMs: 30_000,
  /** @at the connection ends */
  idleMs: 10_000,
  /** @at the connection ends */
  unreadMs: 30_000,
  /** @at others are not taken */
  connections: 10_000,
};

/**
 * Headers of one request.
 * @limit socket.headers | the others are not read | fixed: no client of ours sends a tenth of that
 */
const mostHeaders = 100;

export async function listen(app: FetchApp, options: ListenOptions = {}): Promise<Listening> {
  requireApp(app);
  refuseUnknown(options, ["host", "port", "log", ...Object.keys(defaultListenLimits)], "option of listen");
  const { host = "127.0.0.1", port = defaultPort, log, ...given } = options;
  const { headerBytes, headersMs, requestMs, idleMs, unreadMs, connections } = {
    ...defaultListenLimits,
    ...withoutUndefined(given),
  };
  const answer = requestListener(app);
  /** What was asked last on a connection; a silent one has not asked anything yet. */
  const last = new WeakMap<Duplex, ServerResponse>();
  const silent = new Set<Socket>();
  const take = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { socket } = incoming;
    silent.delete(socket);
    last.set(socket, outgoing);
    // A call may take long and a stream be silent: only what is there to be read counts.
    outgoing.setTimeout(unreadMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    void answer(incoming, outgoing);
  };
  const server = createServer(
    {
      // One without a Host is refused in the words of every other refusal.
      requireHostHeader: false,
      maxHeaderSize: headerBytes,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: Math.min(1000, headersMs),
    },
    take,
  );
  server.maxConnections = connections;
  server.maxHeadersCount = mostHeaders;
  server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("clientError", (error, socket) => answerBroken(error, socket, last.get(socket)));
  // Nothing here is ever upgraded to another protocol.
  server.on("upgrade", answerOtherProtocol);
  server.on("connect", answerOtherProtocol);
  // What a client expects besides 100-continue is no reason to answer it otherwise.
  server.on("checkExpectation", take);
  await listening(server, host, port);
  const tell = heedless(log);
  server.on("error", (error) => {
    const message = "the socket has failed, and listens on";
    tell({ level: "error", event: "socket.failed", message, error: loggedError(error) });
  });
  const { port: real } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${real}`,
    close: (graceMs = 10_000) => closed(server, silent, graceMs),
  };
}

/** What cannot answer does not listen. */
function requireApp(app: unknown): void {
  const { fetch, then } = (app ?? {}) as { readonly fetch?: unknown; readonly then?: unknown };
  if (typeof fetch === "function") return;
  throw new HostConfigurationNeededError(
    typeof then === "function"
      ? "what is to listen is a promise: await it; listen(await openPlatform({ store, installation }))"
      : "there is nothing to answer with; give a platform, or an app with a fetch: listen(await openPlatform({ store, installation }))",
    { details: { reason: "no_app" } },
  );
}

const unheard: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `port ${port} of ${host} is taken by another program; choose another (the option port, or --port), or 0 for any`,
  EACCES: (host, port) =>
    `cannot listen on ${host}, port ${port}: ports below 1024 are for privileged programs; choose a higher one (the option port, or --port)`,
  EADDRNOTAVAIL: (host, port) =>
    `cannot listen on ${host}, port ${port}: that is no address of this machine; choose another (the option host, or --host)`,
};

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => {
      reject(
        new HostConfigurationNeededError(
          unheard[cause.code ?? ""]?.(host, port) ??
            `cannot listen on ${host}, port ${port} (${cause.code ?? "fault"}); choose another host or port`,
          { details: { reason: cause.code ?? "fault" }, cause },
        ),
      );
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

async function closed(server: Server, silent: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const end = Promise.withResolvers<void>();
  server.close(() => end.resolve());
  for (const socket of silent) socket.destroy();
  // With every answer that ends, a connection that would be kept becomes idle.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await end.promise;
  clearInterval(idle);
  clearTimeout(timer);
}

function withoutUndefined(
  given: { readonly [Key in keyof ListenLimits]?: number | undefined },
): Partial<ListenLimits> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
