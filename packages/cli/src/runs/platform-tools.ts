// A run over a platform goes on with that platform's tools, and with the key that it was started with.
import { remotePack } from "@spfunctions/agent";
import { InvalidPackageError } from "@spfunctions/contracts";
import { readKeptPackage, searchToolName, type Tool } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import { reachPlatform, type ReachOptions } from "../platform/reach-platform.ts";
import { held } from "../seat/held.ts";
import type { RunPorts } from "./load-model.ts";
import type { FoundRun } from "./look-at-runs.ts";
import type { RestTerms } from "./rest-of-run.ts";

/** Tools, and what of their platform has a say in a run. */
export type ResumedTools = {
  readonly tools: readonly Tool[];
  readonly ports: RunPorts;
  /** How a question stands that the platform has asked. */
  readonly elsewhere?: RestTerms["elsewhere"];
};

const answerMs = 5000;

/** Whether a run has tools, and, but for those that are `own`, none but such as a platform has; or whether somebody has named one. */
export async function isPlatforms(
  { store, document: { packageFingerprint } }: Pick<FoundRun, "store" | "document">,
  { url }: Pick<ReachOptions, "url">,
  own: readonly Tool[],
): Promise<boolean> {
  if (url) return true;
  const { capabilities } = await readKeptPackage(store, packageFingerprint);
  const contracts = capabilities.flatMap((one) => (one.type === "active" ? [one.contract] : []));
  const besides = new Set([searchToolName, ...own.map(({ contract }) => contract.name)]);
  const others = contracts.filter(({ name }) => !besides.has(name));
  return others.length > 0 && others.every(({ http }) => http !== undefined);
}

/** Does something with the tools of the platform that `sf run` would reach, while that is open. */
export async function withPlatformTools<Done>(
  { document: { runId, starter } }: Pick<FoundRun, "document">,
  options: Omit<ReachOptions, "pack">,
  context: CommandContext,
  act: (tools: ResumedTools) => Promise<Done>,
): Promise<Done> {
  return await held(async (undo, leave) => {
    const { client, where, close } = await reachPlatform(options, "starter", context);
    undo.push(close);
    const keyId = client.credentialId();
    // I1: with another key it would be another caller.
    if (keyId !== starter.keyId)
      throw new InvalidPackageError(
        `${runId} was started by ${starter.keyId}, and goes on by no other; at ${where} it would be ${keyId ?? "nobody"}. Name its platform with --url, its key with --key-file, or go to the folder that it was started in`,
        { details: { reason: "other_key", runId } },
      );
    const { signal } = context.io;
    const { tools } = await client.manifest.list({}, { signal });
    const done = await act({
      tools: remotePack(client, tools),
      ports: { isStarterValid: async () => await client.mayActFor(runId) },
      elsewhere: async (approvalId) =>
        await client.approvals.get(approvalId, { signal, timeoutMs: answerMs }).catch(() => undefined),
    });
    await leave();
    return done;
  });
}
