import type { Principal, Verdict } from "@spfunctions/contracts";
import type { GrantInUse } from "../capability/capabilities.ts";
import { draftContent, type Fields, fieldsOf } from "../journal/record-draft.ts";
import { contentRef } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import type { CallHost } from "./call-host.ts";
import type { Allowed, Call } from "./call-in-progress.ts";
import type { PreparedInput } from "./prepare-input.ts";

/** What is the same for every call of a tool that is decided for the same reasons, by whoever calls. */
const shared = new WeakMap<Verdict, WeakMap<Principal, Fields>>();

/** A call with everything that its records say of it before it runs. */
export function allowCall(
  { ids, principal, origin, judge }: CallHost,
  call: Call,
  tool: Tool,
  input: PreparedInput,
  verdict: Verdict,
  use?: GrantInUse,
): Allowed {
  const { name, digest, sideEffect, costEffect } = tool.contract;
  const { text, hash } = input.recorded;
  const content = draftContent(contentRef(call.unique, "input"), ids.salt(), text, hash);
  const { runId, callId, traceId } = call.names;
  const common = {
    principal,
    origin,
    verdict,
    packageFingerprint: judge.packageFingerprint,
    tool: name,
    toolDigest: digest,
    sideEffect,
    costEffect,
  };
  const known = shared.get(verdict) ?? new WeakMap<Principal, Fields>();
  shared.set(verdict, known);
  const fields = known.get(principal) ?? fieldsOf(common);
  known.set(principal, fields);
  const grant = use && { grant: { grantId: use.grant.grantId, capability: use.grant.capability } };
  const own = { runId, callId, traceId, input: content.digest, ...grant };
  return {
    ...call,
    tool,
    input,
    inputRow: content.row,
    opening: { ...common, ...own },
    shared: fields,
    own,
    use,
  };
}
