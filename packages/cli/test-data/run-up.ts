// `sf up` for a test, inside this process: up until the test stops it, or ends.
import { loadInstallation } from "@spfunctions/host/installation";
import type { Signer } from "@spfunctions/kernel";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { CliIo } from "../src/index.ts";
import type { Endpoint } from "../src/up/endpoint-file.ts";
import { processMark } from "../src/up/process-mark.ts";
import { type Home, type Ran, routedPack, type Started } from "./run-sf.ts";

export type Up = {
  readonly url: string;
  /** All that was said until it was up. */
  readonly out: string;
  readonly stop: () => Promise<Ran>;
};

export async function startUp(
  home: Home,
  argv: readonly string[] = ["--port", "0"],
  env: CliIo["env"] = {},
): Promise<Up> {
  const ending = new AbortController();
  const isUp = Promise.withResolvers<void>();
  let out = "";
  const stdout = (text: string) => {
    out += text;
    if (text.startsWith("Ctrl-C stops it.")) isUp.resolve();
  };
  const ran = home.run(["up", ...argv], { stdout, signal: ending.signal, env: { ...home.env, ...env } });
  const stop = async () => {
    ending.abort("SIGINT");
    return { ...(await ran), out };
  };
  onTestFinished(async () => void (await stop()));
  const early = await Promise.race([isUp.promise, ran]);
  if (early !== undefined) throw new Error(`it ended with ${early.code}: ${early.err}`);
  return { url: urlIn(out), out, stop };
}

/** The same as the real program, in a process that can be killed. */
export async function spawnUp(
  home: Home,
  argv: readonly string[] = ["--port", "0"],
): Promise<{ readonly url: string; readonly started: Started }> {
  const started = home.start(["up", ...argv]);
  onTestFinished(() => void started.child.kill("SIGKILL"));
  await started.says("Ctrl-C stops it.");
  return { url: urlIn(started.said), started };
}

export function urlIn(out: string): string {
  return /is up at (\S+)/.exec(out)?.[1] ?? "";
}

/** Where the keys of the only data folder of a home lie. */
export function keyPath(home: Home, role: "operator" | "starter"): string {
  const keys = home.path("home/.config/simplefunctions/keys");
  return join(keys, readdirSync(keys)[0] ?? "", `${role}.key`);
}

/** What a platform in this very process says of itself. */
export function endpointHere(url: string, starterKey: string): Endpoint {
  const mark = processMark(process.pid);
  return { url, pid: process.pid, starterKey, ...(mark !== undefined && { mark }) };
}

/** Who signs for the platforms of a home. */
export function signerOf({ env }: Home): Signer {
  return loadInstallation({ env }).installation.signer;
}

type AskedUp = {
  readonly role?: "operator" | "starter";
  readonly body?: object;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** One request with one of its keys, and its answer. */
export async function askUp(
  home: Home,
  url: string,
  { role = "starter", body, method, headers = {} }: AskedUp = {},
): Promise<{ readonly status: number; readonly answer: unknown }> {
  const authorization = `Bearer ${readFileSync(keyPath(home, role), "utf8").trim()}`;
  const response = await fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { authorization, ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, answer: await response.json() };
}

/** A platform in a process of its own that has died in the middle of `routed.die`: one effect of which nobody knows what became. */
export async function crashedUp(home: Home, argv: readonly string[] = []): Promise<void> {
  const up = home.start(["up", "--port", "0", "--pack", routedPack, ...argv]);
  await up.says("Ctrl-C stops it.");
  await askUp(home, `${urlIn(up.said)}/api/routed/die`, { body: {} }).catch(() => undefined);
  if ((await up.ended).signal !== "SIGKILL") throw new Error("it has not died");
}

/** Waits until a call of `routed.hold` is under way. */
export async function isHeld(home: Home): Promise<void> {
  await isNoted(home, "held");
}

/** Waits until there is such a line among the notes. */
export async function isNoted(home: Home, line: string): Promise<void> {
  const isThere = () => existsSync(home.path("notes")) && home.read("notes").split("\n").includes(line);
  while (!isThere()) await after(10);
}

/** What is said of the journal in `.sf`. */
export async function verified(home: Home): Promise<string | undefined> {
  const { out } = await home.run(["trace", "verify", "--data", ".sf"]);
  return out.split("\n").at(-2);
}
