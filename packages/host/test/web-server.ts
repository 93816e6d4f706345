// A server on a real socket of this machine, and a law that lets tests reach it: what the kernel decides about an address, in short.
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from "node:net";
import { CapabilityDeniedError } from "@spfunctions/contracts";
import type { ToolContext } from "@spfunctions/kernel";
import { onTestFinished } from "vitest";

export type Listening = {
  readonly port: number;
  /** How often somebody has connected. */
  readonly connections: () => number;
  /** Of these, how many are open. */
  readonly open: () => number;
};

/** Answers requests until the test is over. */
export async function webServer(
  answer: RequestListener,
): Promise<Listening & { readonly asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  return { ...(await listening(server)), asked };
}

/** Says anything to whoever connects, until the test is over. */
export async function rawServer(speak: (socket: Socket) => void): Promise<Listening> {
  return await listening(
    createTcpServer((socket) => {
      socket.on("error", () => {});
      // Whoever does not read does not see the other end go.
      socket.on("data", () => {});
      speak(socket);
    }),
  );
}

/** The same, once a request has come. */
export async function answersWith(...pieces: readonly (string | Uint8Array)[]): Promise<Listening> {
  return await rawServer((socket) => {
    socket.once("data", () => {
      for (const piece of pieces) socket.write(piece);
      socket.end();
    });
  });
}

export async function listening(server: Server | TcpServer): Promise<Listening> {
  const sockets = new Set<Socket>();
  let count = 0;
  server.on("connection", (socket: Socket) => {
    count += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => count,
    open: () => sockets.size,
  };
}

export type GivenLaw = {
  /** Names that are opened in the configuration. All of `.local` unless given. */
  readonly isLocal?: (host: string) => boolean;
  readonly isGranted?: (host: string) => boolean;
};

export type WebContext = ToolContext & {
  /** What was asked for, in order. */
  readonly authorized: string[];
  readonly abort: (reason?: unknown) => void;
};

/** A call of an account that may reach what the law says. */
export function webContext(
  { isLocal = (host) => host.endsWith(".local"), isGranted = () => true }: GivenLaw = {},
  accountId = "acct_one",
): WebContext {
  const controller = new AbortController();
  const authorized: string[] = [];
  const authorize: ToolContext["authorize"] = async (given) => {
    authorized.push(given);
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password !== "")
      throw new CapabilityDeniedError("no address of the web");
    const host = url.hostname;
    if (host.startsWith("[") || /^[\d.]+$/.test(host)) throw new CapabilityDeniedError("no name");
    if (!isGranted(host)) throw new CapabilityDeniedError(`${host} is not granted`);
    const usual = url.protocol === "https:" ? 443 : 80;
    const port = url.port === "" ? usual : Number(url.port);
    if (port !== 80 && port !== 443 && !isLocal(host)) throw new CapabilityDeniedError("not that port");
    url.hash = "";
    return { url: url.href, host, port, isLocal: isLocal(host) };
  };
  return {
    principal: { accountId, keyId: "key_one", scopes: ["read"], kind: "key" },
    signal: controller.signal,
    authorize,
    authorized,
    abort: (reason: unknown) => controller.abort(reason),
  } as unknown as WebContext;
}

/** Every name of `.local` stands at this machine. */
export const resolveLocal = async (): Promise<readonly string[]> => ["127.0.0.1"];
