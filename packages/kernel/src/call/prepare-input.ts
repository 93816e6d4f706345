import { canonicalJson, type KeyedHash } from "@spfunctions/contracts";
import type { JudgedInput } from "../judge/input-gates.ts";
import type { Tool } from "../tool/define-tool.ts";
import { checksOf } from "../tool/tool-checks.ts";
import { type Payload, type Recorded, recordedForm, type Unreadable } from "./payload.ts";

/** An input in its two forms. */
export type PreparedInput = {
  readonly type: "prepared";
  readonly live: Payload;
  readonly recorded: Recorded;
};

/** Fills in the contract's defaults, then takes the recorded form: from here on nothing changes (G4). */
export function prepareInput(
  tool: Tool,
  frozen: Payload | Unreadable,
  keyedHash: KeyedHash,
): PreparedInput | Unreadable {
  if (frozen.type === "unreadable") return frozen;
  const { fillDefaults, inputMarks } = checksOf(tool);
  const value = fillDefaults === undefined ? frozen.value : fillDefaults(frozen.value);
  const live: Payload =
    value === frozen.value ? frozen : { type: "payload", text: canonicalJson(value), value };
  return { type: "prepared", live, recorded: recordedForm(live, inputMarks, keyedHash) };
}

export function judgedForm(input: PreparedInput | Unreadable): JudgedInput {
  return input.type === "unreadable"
    ? input
    : { type: "live", value: input.live.value, text: input.live.text };
}
