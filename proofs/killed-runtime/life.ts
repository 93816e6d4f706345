// One life of the program, and how it ends: some time after it has begun, at a record that it is about to write or has just written, or at
// a moment of a request that the world sees.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { withPackages } from "../../tests/installed/start-installed.ts";
import type { CountingServer, Moment } from "../crash-truth/counting-server.ts";

export type DeathAt =
  | { readonly type: "start" | "ready"; readonly afterMs: number }
  | {
      readonly type: "record";
      readonly kind: string;
      readonly when: "before" | "after";
      readonly nth: number;
    }
  | { readonly type: "request"; readonly moment: Moment; readonly nth: number };

/** Records that every program writes. */
export const usualKinds: readonly string[] = [
  "run.opened",
  "run.resumed",
  "context.condensed",
  "model.intended",
  "model.settled",
  "call.revised",
  "call.waiting",
  "call.intended",
  "call.read",
  "call.settled",
  "call.released",
  "call.retried",
  "call.resolved",
  "approval.answered",
  "run.ended",
];
const moments: readonly Moment[] = ["arrived", "applied", "answered"];

export function anyDeath(random: () => number, kinds: readonly string[]): DeathAt {
  const among = <Item>(list: readonly Item[]) => list[Math.floor(random() * list.length)] as Item;
  const nth = 1 + Math.floor(random() * 4);
  const type = random();
  if (type < 0.1) return { type: "start", afterMs: random() * 1500 };
  if (type < 0.3) return { type: "ready", afterMs: random() * 500 };
  if (type < 0.55) return { type: "request", moment: among(moments), nth };
  return { type: "record", kind: among(kinds), when: among(["before", "after"] as const), nth };
}

/** Where what it is to die at does not come. */
const longestMs = 2500;

export type LifeParts = {
  /** The file of the program. */
  readonly program: string;
  readonly folder: string;
  readonly server: string;
  readonly world: CountingServer;
  readonly how: "open" | "resume";
  /** It ends when it is told to, where there is none. */
  readonly death?: DeathAt | undefined;
  readonly broken: string[];
};

export class Life {
  isReady = false;
  isOver = false;
  /** Where it was killed. */
  killedAt: string | undefined;
  readonly over: Promise<void>;
  readonly #child: ChildProcess;
  readonly #told = new Set<string>();

  constructor({ program, folder, server, world, how, death, broken }: LifeParts) {
    const at = death?.type === "record" ? [death.kind, death.when, String(death.nth)] : [];
    this.#child = spawn(
      process.execPath,
      [...withPackages, "--disable-warning=ExperimentalWarning", program, folder, server, how, ...at],
      { stdio: ["pipe", "pipe", "pipe", "ipc"] },
    );
    const { stdin, stdout, stderr } = this.#child;
    stdin?.on("error", () => undefined);
    let errors = "";
    stderr?.on("data", (text) => (errors += String(text)));
    if (stdout)
      createInterface({ input: stdout }).on("line", (line) => {
        const said = readLine(line);
        if (said?.failed !== undefined) broken.push(said.failed);
        if (said?.ready === true) this.#ready(death);
      });
    this.over = new Promise((resolve) => {
      this.#child.once("exit", (code, signal) => {
        this.isOver = true;
        world.at = () => {};
        if (this.killedAt === undefined && code !== 0)
          broken.push(`a program ended by itself with ${code ?? signal}: ${errors.slice(0, 2000)}`);
        resolve();
      });
    });
    if (death !== undefined) this.#dieAt(death, world);
  }

  /** Says once what it is to start. */
  tell(what: object): void {
    const line = JSON.stringify(what);
    if (!this.isReady || this.isOver || this.#told.has(line)) return;
    this.#told.add(line);
    this.#child.stdin?.write(`${line}\n`);
  }

  end(): void {
    this.#child.stdin?.end("end\n");
  }

  /** Whatever becomes of it. */
  abandon(): void {
    this.#kill("nobody needs it");
  }

  /** What it is to die at may come before it is ready. */
  #dieAt(death: DeathAt, world: CountingServer): void {
    let count = 0;
    if (death.type === "start") this.#dieLater(death.afterMs, "after its start");
    if (death.type === "record") this.#child.on("message", () => this.#kill(`${death.when} ${death.kind}`));
    if (death.type === "request")
      world.at = (moment) => {
        if (moment === death.moment && ++count === death.nth) this.#kill(`request ${moment}`);
      };
  }

  #ready(death: DeathAt | undefined): void {
    this.isReady = true;
    if (death?.type === "ready") this.#dieLater(death.afterMs, "after it was ready");
    else if (death !== undefined) this.#dieLater(longestMs, "nothing of that kind came");
  }

  #dieLater(ms: number, where: string): void {
    const timer = setTimeout(() => this.#kill(where), ms);
    void this.over.then(() => clearTimeout(timer));
  }

  #kill(where: string): void {
    if (this.isOver || this.killedAt !== undefined) return;
    this.killedAt = where;
    this.#child.kill("SIGKILL");
  }
}

type Said = { readonly ready?: true; readonly failed?: string };

/** The last line of a program that was killed may be half a line. */
function readLine(line: string): Said | undefined {
  try {
    return JSON.parse(line) as Said;
  } catch {
    return undefined;
  }
}
