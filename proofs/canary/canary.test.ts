// S1, B34: keys are used in every way, and misused in many. Then every byte that anything has written is searched for them.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sfProgram, withPackages } from "../../tests/installed/start-installed.ts";
import { findForms } from "./find-forms.ts";

const root = join(import.meta.dirname, "../..");
const pack = join(root, "packages/server/test-data/class-pack-module.ts");

// proves KEY-5.2, KEY-5.3
test("S1, B34: a key is in the answer that makes it and in its file, and nowhere else", {
  timeout: 120_000,
}, async () => {
  const home = mkdtempSync(join(tmpdir(), "sf-canary-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const data = join(home, "data");
  const config = join(home, "config");
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: home, XDG_CONFIG_HOME: config, SF_DATA: data };
  const written: Record<string, string> = {};

  const first = await up(["--no-markets", "--pack", pack, "--port", "0"], env);
  const keyFiles = filesIn(config).filter(
    (file) => file.endsWith(".key") && !file.endsWith("installation.key"),
  );
  const keyOf = (role: string) =>
    readFileSync(keyFiles.find((file) => file.endsWith(`${role}.key`)) ?? "", "utf8").trim();
  const keys = new Set([keyOf("starter"), keyOf("operator")]);
  const withKey = { ...env, SF_API_KEY: keyOf("starter"), SF_ADMIN_KEY: keyOf("operator") };
  const client = run(join(import.meta.dirname, "client.ts"), [], { ...withKey, SF_API_URL: first.url });
  client.child.on("message", (secret) => keys.add(secret as string));
  written["client"] = await client.ended;
  written["first start"] = (await first.stop()).replaceAll(/^ +sf_live_\S+ {2}shown this once$/gm, "");
  const again = await up(["--no-markets", "--pack", pack, "--port", "0"], withKey);
  written["second start"] = await again.stop();
  const trace = join(home, "trace.jsonl");
  for (const words of [
    [
      "call",
      "world.read",
      "--pack",
      pack,
      "--input",
      JSON.stringify({ text: keyOf("starter") }),
      "--record-trace",
      trace,
    ],
    [
      "call",
      "notes.add",
      "--pack",
      pack,
      "--input",
      JSON.stringify({ password: keyOf("starter") }),
      "--json",
    ],
    ["explain", keyOf("starter"), "--pack", pack],
    ["trace", "verify"],
    ["trace", "show", trace],
  ]) {
    written[words.join(" ").slice(0, 20)] = await run(sfProgram, words, withKey).ended;
  }
  expect(keys.size).toBe(4);
  expect(written["client"]).toContain("runtime.status");
  expect(written["client"]).toContain("events");
  for (const file of [...filesIn(data), trace])
    written[file.slice(home.length)] = readFileSync(file, "latin1");
  const found = Object.entries(written).flatMap(([where, text]) =>
    [...keys].flatMap((key) => findForms(text, key).map((form) => `${where}: ${form}`)),
  );
  expect(found).toStrictEqual([]);
});

type Run = {
  readonly child: ReturnType<typeof fork>;
  readonly ended: Promise<string>;
  readonly said: () => string;
};

function run(file: string, words: readonly string[], env: NodeJS.ProcessEnv): Run {
  const child = fork(file, words, {
    execArgv: [...withPackages, "--disable-warning=ExperimentalWarning"],
    env,
    cwd: root,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (bytes: Buffer) => (text += bytes.toString("latin1")));
  return { child, ended: once(child, "close").then(() => text), said: () => text };
}

async function up(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ url: string; stop: () => Promise<string> }> {
  const { child, ended, said } = run(sfProgram, ["up", ...words], env);
  while (!said().includes("Ctrl-C stops it")) {
    const isOver = await Promise.race([
      once(child.stdout ?? child, "data").then(() => false),
      ended.then(() => true),
    ]);
    if (isOver) throw new Error(`it never came up: ${said()}`);
  }
  const url = /is up at (\S+)/.exec(said())?.[1] ?? "";
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      return await ended;
    },
  };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
