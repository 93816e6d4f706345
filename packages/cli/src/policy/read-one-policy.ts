import { heldSecrets, type ParsedPolicy, parsePolicy } from "@spfunctions/contracts";
import type { CliIo } from "../io/cli-io.ts";
import { readPolicy } from "../seat/read-policy.ts";

/** A policy with its defaults. S1: its confirm token is the word of a person, and shown nowhere. */
export async function readOnePolicy(file: string, io: CliIo): Promise<ParsedPolicy> {
  const policy = parsePolicy(await readPolicy(file, io));
  const token = policy.trade?.confirmToken;
  if (token !== undefined) heldSecrets.add(token, "confirm");
  return policy;
}
