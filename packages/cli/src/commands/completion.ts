import { Argument, type Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { jsonOption } from "../command-line/options.ts";
import { type Shell, shells } from "../completion/shells.ts";

export function addCompletion(program: Command, context: CommandContext): void {
  program
    .command("completion")
    .description("print a script that lets a shell complete commands and options")
    .addArgument(new Argument("<shell>", "the shell it is for").choices(shells))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf completion bash
  $ sf completion zsh
  $ sf completion fish

To have it in every new shell, keep the script where that shell looks for it, once, and again after an update:
  bash  mkdir -p ~/.local/share/bash-completion/completions
        sf completion bash > ~/.local/share/bash-completion/completions/sf
        without the package bash-completion, add to ~/.bashrc:
        source <(sf completion bash)
  zsh   mkdir -p ~/.zfunc && sf completion zsh > ~/.zfunc/_sf
        and in ~/.zshrc, before compinit:  fpath+=~/.zfunc
  fish  mkdir -p ~/.config/fish/completions
        sf completion fish > ~/.config/fish/completions/sf.fish
Exit codes: 0 printed, 2 bad usage.`,
    )
    .action(async (shell: Shell, { json }: { readonly json?: true }) => {
      const { completionScript } = await import("../completion/completion-script.ts");
      const script = completionScript(shell, program);
      if (json === true) context.print.json({ ok: true, shell, script }, 2);
      else context.print.page(script, "stdout");
    });
}
