import type { ClientOptions } from "../options/client-options.ts";
import type { ToolEntry } from "../tool/tool-facts.ts";
import type { Connection } from "../wire/connection.ts";
import type { Timing } from "../wire/timing.ts";

/** What tests put in place of the clock and the generated table, and a client in place of a way of its own to the platform. */
export type Internals = {
  readonly timing?: Timing;
  readonly table?: readonly ToolEntry[];
  readonly connection?: Connection;
};

/** The key under which they do. It leaves no trace in the public types. */
export const internals = Symbol("internals");

export function internalsOf(options: ClientOptions): Internals {
  return (options as { [internals]?: Internals })[internals] ?? {};
}
