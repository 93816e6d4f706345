// What a newcomer sees: a few commands, run one after the other in an empty folder of somebody who has never run one.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A command as it is typed: `$RUN` and `$QUESTION` are the ids that the first command has printed. */
const commands = [
  "sf run --demo",
  "sf approvals approve $QUESTION",
  "sf runs resume $RUN --demo",
  "sf trace export $RUN -o run.jsonl",
  "sf trace verify run.jsonl",
  "sed 's/a person must approve/nobody was asked/' run.jsonl | sf trace verify -",
];

/** What stands before the words of a command: options of Node, and the program. */
const fromSources = ["--conditions=source", resolve(import.meta.dirname, "../../packages/cli/bin/sf.mjs")];

/** Runs the commands and answers what stands on the screen afterwards, the folder written as `~/demo`. */
export async function recordTranscript(sf: readonly string[] = fromSources): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "sf-transcript-"));
  try {
    const folder = join(home, "demo");
    await mkdir(folder);
    return (await runAll(sf, home, folder)).replaceAll(home, "~");
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function runAll(sf: readonly string[], home: string, folder: string): Promise<string> {
  const ids: Record<string, string> = {};
  const shown: string[] = [];
  for (const command of commands) {
    const typed = command.replaceAll(/\$[A-Z]+/g, (name) => ids[name] ?? name);
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as they are typed
    const { output, code } = await run(sf, typed, home, folder);
    ids["$RUN"] ??= /run_[0-9a-f-]{36}/.exec(output)?.[0] ?? "$RUN";
    ids["$QUESTION"] ??= /appr_[0-9a-f-]{36}/.exec(output)?.[0] ?? "$QUESTION";
    shown.push(`$ ${typed}\n${output.trimEnd()}\n${code === 0 ? "" : `(exit code ${code})\n`}`);
  }
  return shown.join("\n");
}

function run(
  sf: readonly string[],
  typed: string,
  home: string,
  folder: string,
): Promise<{ output: string; code: number | null }> {
  // Where a command ends by a pipe, both are run by a shell; the words are ours.
  const script = `SF=("$@"); sf() { "$0" "\${SF[@]}" "$@"; }; { ${typed}; } 2>&1`;
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return new Promise((done, failed) => {
    const child = spawn("bash", ["-c", script, process.execPath, ...sf], {
      cwd: folder,
      env: { PATH, NODE_COMPILE_CACHE, HOME: home, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      output += piece;
    });
    child.on("error", failed);
    child.on("close", (code) => done({ output, code }));
  });
}

/** What is the same whenever it is recorded: ids, hashes, times, prices and what the markets of the day are called are left out. */
export function skeletonOf(transcript: string): string {
  return transcript
    .replaceAll(/^Will .*\? \([A-Z0-9-]+\)/gm, "(a market)")
    .replaceAll(/^The world of .*$/gm, "(the world)")
    .replaceAll(/\b(run|appr)_[0-9a-f-]+/g, "$1_…")
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "(id)")
    .replaceAll(/sha256:[0-9a-f]+|ed25519-[0-9a-f]+/g, "(hash)")
    .replaceAll(/\boperator \S+ of account\b/g, "operator (who) of account")
    .replaceAll(/\d+/g, "0");
}
