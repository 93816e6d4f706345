import type { Command } from "commander";
import { bashScript } from "./bash-script.ts";
import { completionTree } from "./completion-tree.ts";
import { fishScript } from "./fish-script.ts";
import type { Shell } from "./shells.ts";
import { zshScript } from "./zsh-script.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** A script that lets a shell complete this very program. */
export function completionScript(shell: Shell, program: Command): string {
  return scripts[shell](completionTree(program));
}
