// Runs `sf` for a test: inside this process with everything it prints caught, or as the real program in a process of its own.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { sfProgram, withPackages } from "../../../tests/installed/start-installed.ts";
import { type CliIo, runCli } from "../src/index.ts";

export const notesPack = join(import.meta.dirname, "notes-pack.ts");
export const routedPack = join(import.meta.dirname, "routed-pack.ts");
export const keyedPack = join(import.meta.dirname, "keyed-pack.ts");
export const unrulyPack = join(import.meta.dirname, "unruly-pack.ts");

export type Ran = { readonly code: number; readonly out: string; readonly err: string };

const { PATH, NODE_COMPILE_CACHE } = process.env;
/** What every process of a test has of this one's environment. */
export const bareEnv = { PATH, NODE_COMPILE_CACHE };

/** How many run in this process. */
let underWay = 0;

/** An empty home, removed when the test has ended. */
export class Home {
  readonly folder: string = mkdtempSync(join(tmpdir(), "sf-cli-"));
  readonly env: Readonly<Record<string, string>>;

  constructor(env: Readonly<Record<string, string>> = {}) {
    mkdirSync(join(this.folder, "home"));
    this.env = { HOME: join(this.folder, "home"), SF_TEST_NOTES: join(this.folder, "notes"), ...env };
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string | object): string {
    writeFileSync(this.path(name), typeof content === "string" ? content : JSON.stringify(content));
    return this.path(name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  /** In this process. */
  async run(argv: readonly string[], given: Partial<CliIo> & { readonly input?: string } = {}): Promise<Ran> {
    for (const [name, value] of Object.entries(this.env)) vi.stubEnv(name, value);
    underWay += 1;
    let [out, err] = ["", ""];
    const { input = "", env = {}, ...rest } = given;
    const io: CliIo = {
      stdin: (async function* stdin() {
        yield Buffer.from(input);
      })(),
      stdout: (text) => void (out += text),
      stderr: (text) => void (err += text),
      isTerminal: { stdout: false, stderr: false },
      env: { ...this.env, ...env },
      cwd: this.folder,
      signal: new AbortController().signal,
      ...rest,
    };
    try {
      const code = await runCli(argv, io);
      return { code, out, err };
    } finally {
      underWay -= 1;
      // What still runs in this process has its own yet.
      if (underWay === 0) vi.unstubAllEnvs();
    }
  }

  /** As the real program; what it answers can go to a file instead. */
  start(
    argv: readonly string[],
    env: Readonly<Record<string, string>> = {},
    stdout: "pipe" | number = "pipe",
  ): Started {
    const child = spawn(process.execPath, [...withPackages, sfProgram, ...argv], {
      cwd: this.folder,
      env: { ...bareEnv, ...this.env, ...env },
      stdio: ["pipe", stdout, "pipe"],
    });
    return new Started(child as ChildProcessWithoutNullStreams);
  }

  async runBinary(argv: readonly string[], input = ""): Promise<Ran> {
    const started = this.start(argv);
    started.child.stdin.on("error", () => undefined).end(input);
    return await started.ended;
  }
}

export class Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ran & { readonly signal: string | null }>;
  #said = { out: "", err: "" };

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    // Not there where the answer goes to a file.
    (child.stdout as ChildProcessWithoutNullStreams["stdout"] | null)
      ?.setEncoding("utf8")
      .on("data", (text: string) => void (this.#said.out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => void (this.#said.err += text));
    this.ended = once(child, "close").then(([code, signal]) => ({
      code: (code ?? -1) as number,
      signal: signal as string | null,
      ...this.#said,
    }));
  }

  /** What it has answered so far. */
  get said(): string {
    return this.#said.out;
  }

  /** Waits until it has said something, on either stream. */
  async says(text: string): Promise<void> {
    while (!`${this.#said.out}${this.#said.err}`.includes(text)) {
      if (this.child.exitCode !== null) throw new Error(`it ended without saying ${text}: ${this.#said.err}`);
      const heard = new AbortController();
      const said = [this.child.stdout, this.child.stderr].map((one) => once(one, "data", heard));
      await Promise.race([...said, once(this.child, "close", heard)]).finally(() => heard.abort());
    }
  }
}
