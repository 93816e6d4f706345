import { readCanonicalJson } from "@spfunctions/contracts";
import type { CallNames } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import type { PolicyView } from "./ask-policy.ts";
import type { CallHost } from "./call-host.ts";
import { hiddenPartsIn } from "./hidden-parts.ts";
import type { PreparedInput } from "./prepare-input.ts";

/** What a host's own code sees of a call: its recorded form, in a copy of its own, so that nothing is changed that runs (B2). */
export function policyViewOf(
  { principal, origin, routeOf }: Pick<CallHost, "principal" | "origin" | "routeOf">,
  { runId, callId }: Pick<CallNames, "runId" | "callId">,
  { contract: { name, digest, sideEffect, costEffect } }: Tool,
  { recorded: { text, hash, hiddenParts } }: PreparedInput,
): PolicyView {
  const input = readCanonicalJson(text);
  return Object.freeze({
    runId,
    callId,
    tool: name,
    toolDigest: digest,
    sideEffect,
    costEffect,
    principal: structuredClone(principal),
    origin,
    input,
    inputHash: hash,
    hidden: hiddenParts?.all ?? hiddenPartsIn(input),
    route: routeOf(name),
  });
}
