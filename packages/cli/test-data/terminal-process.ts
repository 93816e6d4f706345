// `sf` at a real terminal: a process of its own behind a pseudoterminal, which `script` of util-linux makes.
import { spawn, spawnSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { sfProgram, withPackages } from "../../../tests/installed/start-installed.ts";
import { bareEnv, type Home, Started } from "./run-sf.ts";

export const hasTerminals =
  process.platform === "linux" && spawnSync("script", ["-qefc", "true", "/dev/null"]).status === 0;

/** All that it shows comes as what it answers; what is written to it is typed. */
export function startAtTerminal(home: Home, argv: readonly string[]): Started {
  const words = [process.execPath, ...withPackages, sfProgram, ...argv];
  const command = `exec ${words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ")}`;
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd: home.folder,
    env: { ...bareEnv, NO_COLOR: "1", ...home.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return new Started(child);
}
