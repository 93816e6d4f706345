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
  line("tools", toolsText(manifest, where, input.tools));
  line("policy", policyText(policy, policyName));
  if (defaults.length > 0) line("bounds", `as the policy does not say: ${defaults.join(", ")}`);
}

/** Of a platform's it may have been given some, and with them some that are not the platform's. */
function toolsText(
  { tools }: RunTold["manifest"],
  where: string,
  named: readonly string[] | undefined,
): string {
  if (named === undefined) return `${tools.length} of ${where}`;
  const [of, besides] = [true, false].map((isOf) =>
    named.filter((name) => tools.some((tool) => tool.name === name) === isOf),
  ) as [string[], string[]];
  const some = of.length === 0 ? "" : `: ${of.join(", ")}`;
  const more = besides.length === 0 ? "" : `; besides: ${besides.join(", ")}`;
  return `${of.length} of the ${tools.length} of ${where}${some}${more}`;
}

export function modelText(model: RunTold["wanted"]["model"]): string {
  if (model === undefined) return "what was recorded of it";
  const { adapter, price } = model;
  if (price !== undefined)
    return `${adapter.name}, at ${price.inputPerMillion} USD for a million tokens in and ${price.outputPerMillion} out`;
  // One that is named on a command line and asks nobody is a script.
  const scripted = adapter.name === "scripted" ? "scripted" : `${adapter.name}: scripted`;
  return adapter.offline === true
    ? `${scripted}; no network, no key, no cost`
    : `${adapter.name}; what it costs is not known`;
}

export function policyText({ maxSideEffect = "none" }: AgentPolicy, file: string | undefined): string {
  const most =
    maxSideEffect === "none" ? "it may read, and change nothing" : `it may change up to ${maxSideEffect}`;
  return `${file ?? "none was given"}: ${most}`;
}
