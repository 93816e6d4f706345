// The one process that `sf` is: its streams, its signals, its end.
import type { CliIo } from "./io/cli-io.ts";
import { reportStray, runCli } from "./run-cli.ts";

const ending = new AbortController();
let isFaulty = false;

const io: CliIo = {
  stdin: process.stdin,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  isTerminal: { stdout: process.stdout.isTTY, stderr: process.stderr.isTTY },
  env: process.env,
  cwd: process.cwd(),
  signal: ending.signal,
};

// Once: the first asks for an end that is journaled, the second ends at once.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort(signal));

// That nobody reads any more changes nothing about what runs: a call goes on to its end, unread.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") isFaulty = true;
  });
}

for (const fault of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(fault, (thrown: unknown) => {
    isFaulty = true;
    reportStray(thrown, io);
    ending.abort(fault);
  });
}

// Nothing is left that could wake it up: a pack waits for what never comes.
process.once("beforeExit", () => {
  reportStray(new Error("there is nothing left to wait for, and no answer"), io);
  process.exit(1);
});

void main();

async function main(): Promise<void> {
  const code = await runCli(process.argv.slice(2), io);
  await Promise.all([process.stdout, process.stderr].map(drained));
  // Whatever a pack has left running does not keep anybody waiting.
  process.exit(code === 0 && isFaulty ? 1 : code);
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => resolve());
  });
}
