import {
  isSimpleFunctionsError,
  type JsonValue,
  type KeyedHash,
  type SecretRegistry,
} from "@spfunctions/contracts";
import type { JudgedInput } from "../judge/input-gates.ts";
import type { Tool } from "../tool/define-tool.ts";
import { checksOf } from "../tool/tool-checks.ts";
import { freeze, type Payload, type Recorded, recordedForm, type Unreadable } from "./payload.ts";

/** An input in its two forms. */
export type PreparedInput = {
  readonly type: "prepared";
  readonly live: Payload;
  readonly recorded: Recorded;
};

/** Fills in the contract's defaults, then takes the recorded form: from here on nothing changes (G4). `also`: what is hidden besides. */
export function prepareInput(
  tool: Tool,
  frozen: Payload | Unreadable,
  keyedHash: KeyedHash,
  also?: SecretRegistry,
): PreparedInput | Unreadable {
  if (frozen.type === "unreadable") return frozen;
  const { fillDefaults, inputMarks, isDeclaredInInput: isDeclared } = checksOf(tool);
  const live = fillDefaults === undefined ? frozen : withDefaults(frozen, fillDefaults);
  if (live.type === "unreadable") return live;
  const recorded = recordedForm(live, { ...inputMarks, isDeclared }, keyedHash, also);
  return { type: "prepared", live, recorded };
}

/** With its defaults it may have become too large, or too deep. */
function withDefaults(frozen: Payload, fill: (value: JsonValue) => JsonValue): Payload | Unreadable {
  try {
    const value = fill(frozen.value);
    return value === frozen.value ? frozen : freeze(value);
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    const problem = { path: "", reason: "too_large", message: "is too large or too deep with its defaults" };
    return { type: "unreadable", problem };
  }
}

export function judgedForm(input: PreparedInput | Unreadable): JudgedInput {
  return input.type === "unreadable"
    ? input
    : {
        type: "live",
        value: input.live.value,
        text: input.live.text,
        hidden: input.recorded.hiddenParts?.unexplained,
      };
}
