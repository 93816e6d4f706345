// A platform that is up in a home, and its keys as `sf keys` sees them.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import { Home } from "./run-sf.ts";
import { keyPath, startUp, type Up } from "./run-up.ts";

const bare = ["--port", "0", "--no-markets"];
export const keysFolder = "home/.config/simplefunctions/keys";

export async function upHome(): Promise<{ readonly home: Home; readonly up: Up }> {
  const home = new Home();
  return { home, up: await startUp(home, bare) };
}

export type Made = {
  readonly ok: boolean;
  readonly file: string;
  readonly secret?: string;
  readonly key: Key;
};
export type Key = {
  readonly keyId: string;
  readonly name: string;
  readonly status: string;
  readonly scopes: string[];
};

export async function made(home: Home, ...argv: string[]): Promise<Made> {
  const { code, out, err } = await home.run(["keys", "create", "--json", ...argv]);
  expect({ code, err }).toStrictEqual({ code: 0, err: "" });
  return JSON.parse(out) as Made;
}

export async function listed(home: Home): Promise<readonly Key[]> {
  const { out } = await home.run(["keys", "ls", "--json"]);
  return (JSON.parse(out) as { keys: Key[] }).keys;
}

export const secretIn = (file: string) => readFileSync(file, "utf8").trim();

export async function accepts(url: string, secret: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${secret}` };
  return (await fetch(`${url}/api/runtime`, { headers })).status === 200;
}

/** A way to a platform on which something happens: told of each request, it says what becomes of it. */
export async function wayTo(
  url: string,
  meet: (request: IncomingMessage, response: ServerResponse) => "pass" | "met",
): Promise<string> {
  const server = createServer((asked, answer) => {
    if (meet(asked, answer) === "met") return;
    const { method, headers, url: path = "" } = asked;
    const host = new URL(url).host;
    const onward = request(new URL(path, url), { method, headers: { ...headers, host } }, (found) => {
      answer.writeHead(found.statusCode ?? 0, found.headers);
      found.pipe(answer);
    });
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const asOperator = (home: Home, url: string) => [
  "--url",
  url,
  "--key-file",
  keyPath(home, "operator"),
];
