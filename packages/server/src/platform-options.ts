import { type AgentPolicy, HostConfigurationNeededError, refuseUnknown } from "@spfunctions/contracts";
import {
  type Clock,
  type EvaluatePostTool,
  type EvaluatePreTool,
  type HostRule,
  type Ids,
  type Installation,
  type NetworkOptions,
  type Pack,
  readHostRules,
  requireParts,
  type Store,
} from "@spfunctions/kernel";
import type { LogLine } from "./log-line.ts";
import type { PlatformLimits } from "./platform-limits.ts";

export type PlatformOptions = {
  /** Whoever opened it closes it. */
  readonly store: Store;
  readonly installation: Installation;
  /** The tools it serves, besides its own. */
  readonly packs?: readonly Pack[] | undefined;
  /** What holds for every key, besides the key's own law. Without one the keys' laws are all there is. */
  readonly policy?: AgentPolicy | undefined;
  /** Rules of the operator's own, asked about the calls of every key; they can only object. Each has an id and a version. */
  readonly rules?: readonly HostRule[] | undefined;
  /** The same without an id and a version: what a person approves under it is approved in this process only. */
  readonly evaluatePreTool?: EvaluatePreTool | undefined;
  /** The same for outputs: nobody gets one before it has answered. */
  readonly evaluatePostTool?: EvaluatePostTool | undefined;
  readonly limits?: Partial<PlatformLimits> | undefined;
  /** What is said of the network: which hosts `net` reaches, and which local ones are opened. What may be reached, operators grant. */
  readonly network?: NetworkOptions | undefined;
  /** Host names it answers to besides `localhost`, `127.0.0.1` and `[::1]`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins whose pages may call it, with a token. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Told of faults of its own, one plain object each. Without it nothing is said: a platform prints nothing. */
  readonly log?: ((line: LogLine) => void) | undefined;
  /** Whether it is told of every request, too. */
  readonly logRequests?: boolean | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
};

const optionNames =
  `store installation packs policy rules evaluatePreTool evaluatePostTool limits network allowedHosts allowedOrigins log logRequests clock ids`.split(
    " ",
  );

export function requireOptions(options: PlatformOptions): void {
  refuseUnknown(options, optionNames, "option");
  const { store, installation } = options;
  if (!store || !installation)
    throw new HostConfigurationNeededError(
      "a platform needs a store and an installation; give openPlatform both",
    );
  requireParts({ store, installation });
  readHostRules(options);
}
