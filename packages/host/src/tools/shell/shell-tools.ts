import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { defineTool, type ToolContext } from "@spfunctions/kernel";
import { openToolRoot, type RootOptions } from "../tool-root.ts";
import { type ShellCommand, shellCommands } from "./check-command.ts";
import { execCommand, type ShellHost, type ShellRequest } from "./exec-command.ts";
import { maxCommandChars } from "./refuse-text.ts";
import { rootInside } from "./sandbox-arguments.ts";
import { longestTimeoutS, type SandboxLimits, sandboxLimits } from "./sandbox-limits.ts";

export type ShellOptions = RootOptions & {
  /** Fewer commands than there are. */
  readonly commands?: readonly ShellCommand[] | undefined;
  readonly limits?: Partial<SandboxLimits> | undefined;
  /** `follow` also shows what is mounted below the root, but never the kernel's own. `refuse` unless given. */
  readonly mounts?: "refuse" | "follow" | undefined;
};

/**
 * How long a command runs whose call says nothing.
 * @limit shell.usualTimeoutS | it is stopped, and `timedOut` says so | `timeout_s` of the call
 */
const usualTimeoutS = 20;

/**
 * One tool, `shell.exec`: a command that looks at files, run without any shell in a sandbox that has no network and in which nothing but
 * the root can be seen. Where there is no sandbox, it is refused and says what to install.
 */
export function shellTools({ root, apart, commands, limits: given, mounts = "refuse" }: ShellOptions) {
  const limits = sandboxLimits(given);
  if (!["refuse", "follow"].includes(mounts))
    throw new HostConfigurationNeededError("the setting mounts is one of refuse, follow", {
      details: { reason: "bad_mounts" },
    });
  const host: ShellHost = {
    root: openToolRoot({ root, apart }),
    commands: commandsFrom(commands),
    limits,
    mounts,
  };
  return [
    defineTool({
      name: "shell.exec",
      title: "Run a command",
      description: `Runs one command in the folder ${rootInside} and returns what it prints. Commands: ${host.commands.join(" ")}. Words are taken as they are written: no pipes, redirections, variables, substitutions or patterns outside of quotes; use find -name instead of *.`,
      permissions: ["shell:exec"],
      sideEffect: "runtime",
      costEffect: "none",
      risk: ["runtime_control"],
      idempotency: { type: "none" },
      input: {
        type: "object",
        properties: {
          cmd: { type: "string", minLength: 1, maxLength: maxCommandChars, description: "The command." },
          timeout_s: {
            type: "integer",
            minimum: 1,
            maximum: limits.timeoutS,
            default: Math.min(usualTimeoutS, limits.timeoutS),
            description: "Seconds after which it is stopped.",
          },
        },
        required: ["cmd"],
        additionalProperties: false,
      },
      output: {
        type: "object",
        properties: {
          exitCode: { type: ["integer", "null"], description: "null where it was stopped." },
          stdout: { type: "string" },
          stderr: { type: "string" },
          truncated: { type: "boolean", description: "It printed more, and was stopped there." },
          timedOut: { type: "boolean", description: "It was stopped when its time was over." },
          durationMs: { type: "integer", minimum: 0 },
          sandbox: { const: "full" },
        },
        required: ["exitCode", "stdout", "stderr", "truncated", "timedOut", "durationMs", "sandbox"],
        additionalProperties: false,
      },
      timeoutMs: (longestTimeoutS + 10) * 1000,
      run: (input: unknown, context: ToolContext) => execCommand(host, input as ShellRequest, context),
    }),
  ] as const;
}

function commandsFrom(given: readonly ShellCommand[] | undefined): readonly ShellCommand[] {
  if (given === undefined) return shellCommands;
  const strange = given.find((name) => !shellCommands.includes(name));
  if (strange === undefined && given.length > 0) return shellCommands.filter((name) => given.includes(name));
  throw new HostConfigurationNeededError(
    `the setting commands names some of ${shellCommands.join(" ")}, and can only shorten that list`,
    { details: { reason: "bad_commands" } },
  );
}
