// The one process that `sf` is: its streams, its signals, its end. They are its own from the moment this is loaded.
import { exitCodes, HostConfigurationNeededError } from "@spfunctions/contracts";
import type { CliIo, Entered } from "./io/cli-io.ts";
import { nameOfUser } from "./io/user-name.ts";
import { reportLost, reportStray, runCli } from "./run-cli.ts";

const argv = process.argv.slice(2);
const ending = new AbortController();
let isFaulty = false;
let isUnwritable = false;
let entered: Entered | undefined;
/** Who hears of Ctrl-C, and whether they have. */
let hearing: { readonly hear: () => void; isTold: boolean } | undefined;
/** How the command has ended, once it has. */
let ended: number | undefined;

// Before any pack is loaded: what packs and tools print stands beside the answer, never in it.
const answer = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

const io: CliIo = {
  stdin: process.stdin,
  stdout: (text) => void answer(text),
  stderr: (text) => void process.stderr.write(text),
  isTerminal: { stdout: process.stdout.isTTY, stderr: process.stderr.isTTY },
  // Asked when it is needed: it can become wider meanwhile.
  get columns() {
    return (process.stdout.isTTY ? process.stdout : process.stderr).columns;
  },
  env: process.env,
  // Asked when it is needed: most commands name nobody.
  get user() {
    return nameOfUser();
  },
  cwd: process.cwd(),
  signal: ending.signal,
  hearInterrupt: (hear) => {
    hearing = { hear, isTold: false };
    return () => {
      hearing = undefined;
    };
  },
  entering: (code) => {
    entered = code;
  },
};

// Once: the first asks for an end that is journaled, the second ends at once.
for (const signal of ["SIGTERM", "SIGHUP"] as const) process.once(signal, () => ending.abort(signal));
process.on("SIGINT", function interrupted() {
  if (hearing?.isTold === false) {
    hearing.isTold = true;
    return hearing.hear();
  }
  process.off("SIGINT", interrupted);
  if (hearing === undefined) ending.abort("SIGINT");
  else process.kill(process.pid, "SIGINT");
});

// That nobody reads any more changes nothing about what runs: a call goes on to its end, unread.
process.stderr.on("error", ({ code }: NodeJS.ErrnoException) => {
  if (code !== "EPIPE") isFaulty = true;
});
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  if (code === "EPIPE" || isUnwritable) return;
  isFaulty = isUnwritable = true;
  const message = `the standard output cannot be written to (${code}): the answer is lost, what was done is not; make room, or write elsewhere`;
  reportStray(new HostConfigurationNeededError(message), io);
});

for (const fault of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(fault, (thrown: unknown) => {
    isFaulty = true;
    reportStray(thrown, io);
    ending.abort(fault);
  });
}

// Nothing is left that could wake it up.
process.once("beforeExit", () => {
  reportLost(`${nameOf(entered)} never comes to an end: there is nothing left to wait for`, argv, io);
  ended = exitCodes.failed;
  process.exit();
});

// Whoever ends the process, and with whichever code: without an answer it has failed.
process.on("exit", () => {
  if (ended === undefined) reportEnded(entered);
  const code = ended ?? exitCodes.failed;
  process.exitCode = code === exitCodes.done && isFaulty ? exitCodes.failed : code;
});

/** Runs the command line it was started with. It is over when this process is. */
export async function runProcess(): Promise<void> {
  ended = await runCli(argv, io);
  await Promise.all([drained(answer), drained(process.stderr.write.bind(process.stderr))]);
  // Whatever a pack has left running does not keep anybody waiting.
  process.exit();
}

function reportEnded(code: Entered | undefined): void {
  const message = `code of ${nameOf(code)} has ended this process before there was an answer`;
  const hint = "; what it had begun is settled when this data folder is opened next with its pack";
  reportLost(code?.type === "tool" ? `${message}${hint}` : message, argv, io);
}

function nameOf(code: Entered | undefined): string {
  if (code === undefined) return "something";
  return code.type === "pack" ? `pack ${code.name}` : code.name;
}

function drained(write: NodeJS.WriteStream["write"]): Promise<void> {
  return new Promise((resolve) => {
    write("", () => resolve());
  });
}
