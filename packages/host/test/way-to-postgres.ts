import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { TestPostgres } from "./start-postgres.ts";

/** A way to a server that can be cut, swallow everything, or change what the server says. */
export type WayToPostgres = {
  readonly port: number;
  /** Ends every connection that goes this way. */
  readonly cut: () => void;
  /** From now on nothing arrives, on either side. */
  readonly swallow: () => void;
};

export async function wayToPostgres(
  { port }: TestPostgres,
  said: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<WayToPostgres> {
  const ends: Socket[] = [];
  let isSwallowing = false;
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    ends.push(near, far);
    near.on("data", (bytes) => isSwallowing || far.write(bytes));
    far.on("data", (bytes) => isSwallowing || near.write(said(bytes)));
    for (const end of [near, far]) end.on("error", () => undefined);
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  const cut = () => {
    for (const end of ends.splice(0)) end.destroy();
  };
  onTestFinished(() => {
    server.close();
    cut();
  });
  return {
    port: address.port,
    cut,
    swallow: () => {
      isSwallowing = true;
    },
  };
}
