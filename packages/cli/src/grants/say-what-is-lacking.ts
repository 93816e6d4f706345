// What somebody at a terminal does about a call that may not reach where it wants to go.
import type { Receipt, SimpleFunctionsError } from "@spfunctions/contracts";
import type { AskedPlace } from "../approvals/say-what-is-asked.ts";
import { optionsFor } from "../effects/what-to-do.ts";
import type { Printer } from "../io/printer.ts";
import { howToAnswerQuestion } from "./print-grant.ts";

/** Of a call that has returned: by the question where one stands, else by the capability itself. */
export function sayHowToGrant(
  { err }: Pick<Printer, "err">,
  { code, details }: SimpleFunctionsError,
  receipt: Receipt | undefined,
  place: AskedPlace,
): void {
  const { capability, grantId, reason } = details ?? {};
  if (code !== "capability_denied" || typeof capability !== "string") return;
  // What this side has let pass, the platform has not.
  const isSent = receipt?.verdict.outcome === "allow" && place.isAgents === true;
  const options = isSent ? (place.there ?? "") : optionsFor(place);
  // What is for one call is for where that is sent, and for no hop of it.
  const isHop = reason === "not_granted";
  for (const line of howToGrant(capability, grantId, options, isHop)) err(`  ${line}`);
  err("  then run the same command again");
}

function howToGrant(capability: string, grantId: unknown, options: string, isHop: boolean): string[] {
  if (typeof grantId === "string") return howToAnswerQuestion(grantId, options);
  return [
    ...(isHop ? [] : [`to grant it, for one call: sf grants grant ${capability}${options}`]),
    `to grant it for an hour:   sf grants grant ${capability} --for 1h${options}`,
  ];
}
