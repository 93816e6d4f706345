// Runs commands until it is killed.
import { shellCommands } from "../src/tools/shell/check-command.ts";
import { execCommand } from "../src/tools/shell/exec-command.ts";
import { sandboxLimits } from "../src/tools/shell/sandbox-limits.ts";
import { sandboxState } from "../src/tools/shell/sandbox-state.ts";
import { openToolRoot } from "../src/tools/tool-root.ts";

export type ShellOrder = { readonly root: string; readonly commands: readonly string[] };

process.on("message", ({ root, commands }: ShellOrder) => {
  const host = { root: openToolRoot({ root }), commands: shellCommands, limits: sandboxLimits() };
  const watching = { signal: new AbortController().signal, timeoutMs: 60_000, progress: () => undefined };
  void Promise.all(
    commands.map((cmd) =>
      execCommand(host, { cmd, timeout_s: 60 }, watching).then(
        (result) => process.send?.(result),
        (error: unknown) => process.send?.(String(error)),
      ),
    ),
  );
});
process.send?.(await sandboxState());
