import type { AgentPolicy } from "@spfunctions/contracts";
import type { Printer } from "../io/printer.ts";
import type { RunTold } from "./run-view.ts";

/** What a run is driven with: whoever has said little is told what that means. */
export function printOpening(
  { err }: Pick<Printer, "err">,
  { wanted, manifest, where, policyName }: RunTold,
): void {
  const { model, policy, defaults, input } = wanted;
  const line = (name: string, text: string) => err({ text: `${name.padEnd(6)}  ${text}`, style: "dim" });
  line("model", modelText(model));
  const only = input.tools === undefined ? "" : `, and no other than ${input.tools.join(", ")}`;
  line("tools", `${manifest.tools.length} of ${where}${only}`);
  line("policy", policyText(policy, policyName));
  if (defaults.length > 0) line("bounds", `as the policy does not say: ${defaults.join(", ")}`);
}

export function modelText(model: RunTold["wanted"]["model"]): string {
  if (model === undefined) return "what was recorded of it";
  const { adapter, price } = model;
  if (price !== undefined)
    return `${adapter.name}, at ${price.inputPerMillion} USD for a million tokens in and ${price.outputPerMillion} out`;
  return adapter.offline === true
    ? `${adapter.name}, which asks nobody`
    : `${adapter.name}; what it costs is not known`;
}

export function policyText({ maxSideEffect = "none" }: AgentPolicy, file: string | undefined): string {
  const most =
    maxSideEffect === "none" ? "it may read, and change nothing" : `it may change up to ${maxSideEffect}`;
  return `${file ?? "none was given"}: ${most}`;
}
