import { getRequestListener } from "@hono/node-server";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { SocketEnv } from "../route/inquiry.ts";
import { answerUnreadable } from "./answer-broken.ts";

/** A platform, or an app that has one among its routes and hands on what it is given with a request. */
export type FetchApp = {
  readonly fetch: (request: Request, env?: SocketEnv) => Response | Promise<Response>;
};

/** Answers the requests of a server of `node:http`: your own, or that of Express and the like. */
export function requestListener(
  app: FetchApp,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  return getRequestListener((request, env) => app.fetch(request, env as SocketEnv), {
    errorHandler: answerUnreadable,
  });
}
