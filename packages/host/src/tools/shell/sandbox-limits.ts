import { HostConfigurationNeededError } from "@spfunctions/contracts";

/** What one command may use. */
export type SandboxLimits = {
  /** The longest that a call may ask for, in seconds; at most 120. */
  readonly timeoutS: number;
  /** What it prints, on each of its two streams; there it is stopped. */
  readonly outputBytes: number;
  /** Addresses that one process may have. */
  readonly memoryBytes: number;
  /** Seconds on a processor, of all its threads together. */
  readonly cpuS: number;
  /** The longest file that it may write. */
  readonly fileBytes: number;
  /** What it may keep in its /tmp. */
  readonly tmpBytes: number;
  /** Files that one process has open. */
  readonly openFiles: number;
  /** Processes and threads; holds for ordinary users, the kernel does not count root's. */
  readonly processes: number;
};

/**
 * What the limit `timeoutS` may be.
 * @limit shell.longestTimeoutS | `host_configuration_needed` | fixed: what takes longer is no look at files
 */
export const longestTimeoutS = 120;

/**
 * @limits shell | `limits: { … }` of `shellTools`
 */
const defaultSandboxLimits: SandboxLimits = {
  /** @at `invalid_input`; a command that runs longer than its call says is stopped, and `timedOut` says so */
  timeoutS: longestTimeoutS,
  /** @at the command is stopped, and `truncated` says so */
  outputBytes: 64 * 1024,
  /** @at the command gets no more, and fails as it fails */
  memoryBytes: 512 * 2 ** 20,
  /** @at the command is killed */
  cpuS: longestTimeoutS,
  /** @at the command is killed */
  fileBytes: 64 * 2 ** 20,
  /** @at the command is told that there is no room */
  tmpBytes: 64 * 2 ** 20,
  /** @at the command can open no more */
  openFiles: 64,
  /** @at the command can start no more */
  processes: 32,
};

/** The defaults with what is given in their place. */
export function sandboxLimits(given: Partial<SandboxLimits> = {}): SandboxLimits {
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of stated) {
    if (!Object.hasOwn(defaultSandboxLimits, name))
      throw refused(`there is no limit "${name}"; there are ${Object.keys(defaultSandboxLimits).join(", ")}`);
    if (!Number.isSafeInteger(value) || value < 1)
      throw refused(`the limit ${name} is a whole number above 0`);
  }
  const limits = { ...defaultSandboxLimits, ...Object.fromEntries(stated) };
  if (limits.timeoutS > longestTimeoutS) throw refused(`the limit timeoutS is at most ${longestTimeoutS}`);
  return limits;
}

function refused(message: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(message, { details: { reason: "bad_limit" } });
}
