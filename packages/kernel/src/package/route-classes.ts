import {
  type ContractTool,
  type PrivacyClass,
  type RetentionClass,
  type Risk,
  type RiskClass,
  type RouteDestination,
  readsUserData,
  risks,
} from "@spfunctions/contracts";

/** The highest of a tool's risks, or `none`. */
export function riskClassOf({ risk }: Pick<ContractTool, "risk">): RiskClass {
  return risks.findLast((known) => risk.includes(known)) ?? "none";
}

/** What shows somebody's account or money. */
const personal: readonly Risk[] = ["account_context", "paper_trade", "live_trade"];

/** The narrowest that the contract gives a reason for; what needs a key and says no more is internal. */
export function privacyOf(contract: ContractTool): PrivacyClass {
  if (contract.sideEffect === "secret" || contract.risk.includes("secret")) return "secret";
  if (readsUserData(contract) || personal.some((risk) => contract.risk.includes(risk))) return "private";
  return contract.access.anonymousAllowed ? "public" : "internal";
}

/**
 * A secret is shown once and kept nowhere. Of what changed something there must be proof for good. What a read tells about people
 * ends with their session, anything else with the run that read it.
 */
export function retentionOf(contract: ContractTool): RetentionClass {
  const privacy = privacyOf(contract);
  if (privacy === "secret") return "ephemeral";
  if (contract.sideEffect !== "none") return "durable";
  return privacy === "private" ? "session_scoped" : "run_scoped";
}

export function destinationOf({ http, capability }: ContractTool): RouteDestination {
  if (http !== undefined) return "platform";
  return capability === undefined ? "process" : "net";
}
