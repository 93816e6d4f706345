export type { ShellCommand } from "./shell/check-command.ts";
export type { SandboxLimits } from "./shell/sandbox-limits.ts";
export { type SandboxOptions, type SandboxState, sandboxState } from "./shell/sandbox-state.ts";
export { type ShellOptions, shellTools } from "./shell/shell-tools.ts";
