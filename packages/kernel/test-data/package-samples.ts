// A runtime package with one of everything: reads, writes, a trade, a secret, a tool that starts an agent, and one that is reserved.
import type { Digest, PackageDelta, RuntimePackage } from "@spfunctions/contracts";
import { buildRuntimePackage, type GivenPackage } from "../src/package/build-runtime-package.ts";
import { defineTool } from "../src/tool/define-tool.ts";
import { registerPacks } from "../src/tool/registry.ts";
import { levelsOf } from "./judge-samples.ts";
import { orderSpec, toolWith } from "./tool-samples.ts";

export const digestOf = (hexDigit: string): Digest => `sha256:${hexDigit.repeat(64)}` as Digest;

export const readNote = toolWith({ access: { anonymousAllowed: true }, authRequired: false });
export const writeNote = toolWith({
  name: "notes.write",
  description: "Writes a note.",
  sideEffect: "user_write",
});
export const shareNote = toolWith({
  name: "notes.share",
  description: "Shares a note.",
  sideEffect: "user_write",
});
export const placeOrder = defineTool(orderSpec());
export const showKey = toolWith({ name: "keys.show", description: "Shows a key.", sideEffect: "secret" });
const delegate = toolWith({
  name: "research.delegate",
  description: "Hands a question to another agent.",
  sideEffect: "runtime",
});
const planned = toolWith({ name: "notes.translate", status: "deferred" });

export const allTools = [readNote, writeNote, shareNote, placeOrder, showKey, delegate, planned];

/** What the package is built of, whole. */
export function givenPackage(changes: Partial<GivenPackage> = {}): GivenPackage {
  return {
    agentId: "agent_1",
    packs: registerPacks([allTools]),
    agentTools: ["research.delegate"],
    reserved: [{ capabilityId: "tool.notes.share", owner: "the notes team" }],
    levels: levelsOf({ maxSideEffect: "user_write" }, { denyTools: ["keys.*"] }),
    provider: { routeId: "scripted", model: "model-1", maxOutputTokens: 1024 },
    hooks: [
      { id: "limits", version: "2", point: "before_tool_call", timeoutMs: 500, sidecarRef: "limits/1" },
      { id: "log", version: "1", point: "after_tool_call", phase: "observe", order: 9 },
    ],
    sidecars: [
      { ref: "limits/1", kind: "hook_settings", digest: digestOf("1") },
      {
        ref: "style/4",
        kind: "style_guide",
        digest: digestOf("2"),
        capabilityIds: ["tool.notes.write", "tool.notes.read"],
      },
      { ref: "words/2", kind: "word_list", digest: digestOf("3"), capabilityIds: ["tool.notes.write"] },
    ],
    outputContract: { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] },
    strategy: { type: "ordered_batch", maxInFlight: 4 },
    createdAt: "2026-01-02T03:04:05.678Z",
    labels: { ticket: "OPS-7" },
    ...changes,
  };
}

export const packageWith = (changes: Partial<GivenPackage> = {}): RuntimePackage =>
  buildRuntimePackage(givenPackage(changes));

export function deltaFor({ fingerprint }: RuntimePackage, ...changes: PackageDelta["changes"]): PackageDelta {
  return {
    previousFingerprint: fingerprint,
    reason: "sharing is open to everybody now",
    createdAt: "2026-01-02T05:00:00.000Z",
    changes,
  };
}

export const activateSharing: PackageDelta["changes"][number] = {
  type: "activate_capability",
  capabilityId: "tool.notes.share",
  contract: shareNote.contract,
};
