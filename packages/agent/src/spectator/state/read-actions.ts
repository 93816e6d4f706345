// B17: a model may ask, and only ask.
import { type Capability, capabilitySchema, cutText } from "@spfunctions/contracts";

type WantedAction =
  | { readonly type: "condense"; readonly how: "now" | "smart" }
  | { readonly type: "request"; readonly capability: Capability };

export type RefusedAction = {
  /** Its first characters. */
  readonly action: string;
  readonly reason: "model_cannot_grant" | "unknown_action" | "bad_capability" | "too_many";
};

export type ReadActions = {
  readonly wanted: readonly WantedAction[];
  readonly refused: readonly RefusedAction[];
};

const mostShown = 200;
const request = "request_permission:";

/**
 * Actions of one answer.
 * @limit chat.actions | the others are refused, and the model is told; of refusals no more are listed | fixed: a model that asks for everything is to drown nobody
 */
const mostActions = 16;

/** What a model's actions ask for, each once, in their order. */
export function readActions(actions: readonly string[]): ReadActions {
  const wanted: WantedAction[] = [];
  const refused: RefusedAction[] = [];
  let unlisted = 0;
  const refuse = (action: string, reason: RefusedAction["reason"]) => {
    if (refused.length < mostActions) refused.push({ action: cutText(action, mostShown), reason });
    else unlisted += 1;
  };
  for (const action of new Set(actions.map((text) => text.trim()))) {
    const read = readAction(action);
    if (typeof read === "string") refuse(action, read);
    else if (wanted.length < mostActions) wanted.push(read);
    else refuse(action, "too_many");
  }
  if (unlisted > 0) refused.push({ action: `and ${unlisted} more`, reason: "too_many" });
  return { wanted, refused };
}

function readAction(action: string): WantedAction | RefusedAction["reason"] {
  if (action === "condense_now") return { type: "condense", how: "now" };
  if (action === "condense_smart") return { type: "condense", how: "smart" };
  if (/^grant_permission(?:$|[^a-z_])/.test(action)) return "model_cannot_grant";
  if (!action.startsWith(request)) return "unknown_action";
  const read = capabilitySchema.safeParse(action.slice(request.length));
  return read.success ? { type: "request", capability: read.data } : "bad_capability";
}
