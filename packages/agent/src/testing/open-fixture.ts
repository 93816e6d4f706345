import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { InvalidInputError } from "@spfunctions/contracts";
import type { Pack } from "@spfunctions/kernel";
import type { AgentUse, GovernedUse } from "./fixture-options.ts";
import { type AgentFixture, type Ends, type GovernedFixture, openSession } from "./open-session.ts";

type InFile = {
  /** The fixture; a path that is not whole begins in the current folder. */
  readonly file: string | URL;
};

/**
 * Record once, then never live: answers come from the file if it is there; if it is not, and recording was asked for, calls are live and
 * `close` writes it. What is disposed of and was not closed has failed, and is not written.
 */
export function openFixture<const Packs extends readonly Pack[]>(
  options: GovernedUse<Packs> & InFile,
): Promise<GovernedFixture<Packs>>;
export function openFixture(options: AgentUse & InFile): Promise<AgentFixture>;
export async function openFixture(
  options: (GovernedUse<readonly Pack[]> | AgentUse) & InFile,
): Promise<unknown> {
  const { file, ...use } = options;
  if (!(file instanceof URL || (typeof file === "string" && file !== ""))) {
    throw new InvalidInputError("a fixture needs a file: a path or a URL", {
      details: { path: "/file", reason: "missing" },
    });
  }
  const path = resolve(file instanceof URL ? fileURLToPath(file) : file);
  return (await openSession(path, use, endsByClosing)).caller;
}

const endsByClosing: Ends = (session) => ({
  close: () => session.keep(),
  [Symbol.asyncDispose]: () => session.discard(),
});
