import { InvalidInputError } from "@spfunctions/contracts";
import type { Pack } from "@spfunctions/kernel";
import type { SimpleFunctions } from "@spfunctions/sdk";
import type { GovernOptions } from "../govern.ts";
import type { AgentOptions } from "../platform/agent-options.ts";

/** How a fixture is used. */
export type FixtureUse = {
  /** Whether a missing fixture is recorded, also where CI is set; `false` for never. Unless said, SF_RECORD decides, and not where CI is set. */
  readonly record?: boolean;
  /** Whether it is an error if recorded calls were not asked for when a replay ends; `ignore` unless said. */
  readonly unused?: "fail" | "ignore";
};

/** Own functions under law: what `govern` takes. In a replay they never run. */
export type GovernedUse<Packs extends readonly Pack[]> = FixtureUse &
  Omit<GovernOptions<Packs>, "packs" | "trace" | "replay" | "inspects"> & { readonly packs: Packs };

/** The tools of a platform: what a `SimpleFunctionsAgent` takes. */
export type AgentUse = FixtureUse &
  Omit<AgentOptions, "trace" | "replay" | "mode" | "client"> & {
    /** The way to the platform; a function is called only when something is recorded. A replay needs none. */
    readonly client?: SimpleFunctions | (() => SimpleFunctions | Promise<SimpleFunctions>);
    readonly packs?: never;
  };

/** Refuses what a fixture decides by itself, and what would be misread. */
export function checkFixtureUse(options: object): void {
  const taken = ["trace", "replay", "mode", "inspects"].find((key) => Object.hasOwn(options, key));
  if (taken !== undefined) {
    throw new InvalidInputError(`a fixture has its own ${taken}; leave it away`, {
      details: { path: `/${taken}`, reason: "unknown_option" },
    });
  }
  const { unused = "ignore", record } = options as FixtureUse;
  if (unused !== "fail" && unused !== "ignore") throw bad("unused", "is one of fail, ignore");
  if (record !== undefined && typeof record !== "boolean") throw bad("record", "is true or false");
}

function bad(option: string, message: string): InvalidInputError {
  return new InvalidInputError(`${option} ${message}`, {
    details: { path: `/${option}`, reason: "unknown" },
  });
}
