import type { ErrorCode } from "./error-codes.ts";

/** What a code means, and what somebody who meets it does now. An error's own message says with what, and comes first. */
export type ErrorHelp = { readonly means: string; readonly doNow: string };

/** The one place where that is said: the reference and the command line read it here. */
export const errorHelp = {
  missing_api_key: {
    means: "Nobody is known to be calling, and it is not for everybody.",
    doNow: "Call with a key: set SF_API_KEY, give --key-file, or pass apiKey.",
  },
  invalid_api_key: {
    means: "The key is none of this platform, or is over: revoked, rotated out or expired.",
    doNow:
      "Check that the key belongs to this address; `sf keys ls` shows those that stand, `sf keys create` makes one.",
  },
  forbidden: {
    means: "Whoever calls is known, and may not do this.",
    doNow: "Use a key with the scope that the message names, or ask an operator for one.",
  },
  browser_key_forbidden: {
    means: "A long-lived key was used where anybody could read it.",
    doNow: "Get a short-lived token for the page with tokens.create, on a server, and use that.",
  },
  unknown_tool: {
    means: "There is no tool of this name.",
    doNow: "Take a name from `sf manifest`, or one of those that the error suggests.",
  },
  tool_not_active: {
    means: "The tool is known and not implemented, or retired.",
    doNow: "Call one whose status is implemented: `sf manifest` lists them.",
  },
  tool_not_callable: {
    means: "The tool is for people, not for agents.",
    doNow: "Call it yourself, with a key of your own, over HTTP or with the SDK.",
  },
  policy_denied: {
    means: "A policy, a scope or the host objects.",
    doNow:
      "Read the verdict's remedy, which names the level and the key that stops it; `sf explain` shows every gate.",
  },
  trade_guardrail: {
    means: "A live trade is outside of the guardrails of a level.",
    doNow: "Change the order to fit, or let whoever keeps that level's policy change its trade.",
  },
  capability_denied: {
    means: "The call may not reach the address that it is sent to.",
    doNow:
      "Have an operator grant it: `sf grants ls` shows what is asked for, `sf grants grant` gives it. What no grant lifts is in docs/capabilities.md.",
  },
  approval_required: {
    means: "A person must approve this call, and was asked.",
    doNow:
      "`sf approvals approve <id>` with an operator's credential, and then the same call again; or wait with --wait-for-approval.",
  },
  approval_denied: {
    means: "A person has said no to this call.",
    doNow: "Do not send it again as it is: read their note, and change the call or ask them.",
  },
  approval_expired: {
    means: "The question or the yes is over: nobody answered or called in time.",
    doNow: "Make the call again, which asks anew; approvals.ttlMs in a policy gives more time.",
  },
  approval_mismatch: {
    means: "An approval was shown that is for another call, caller, tool or policy.",
    doNow: "Make the call that was approved, exactly, or have this one approved.",
  },
  budget_exceeded: {
    means: "What a run, or a child of one, may use up is used up, or this would go beyond it.",
    doNow: "Raise the limit that the message names, in the budget of the policy, or start another run.",
  },
  invalid_input: {
    means: "What was given does not fit what is asked for: a tool's schema, an option, a document.",
    doNow:
      "Correct what stands at the path that the error names; `sf manifest <tool>` shows a tool's schema.",
  },
  invalid_output: {
    means: "The tool ran, and what it gave back does not fit its own contract. It has had its effect.",
    doNow: "Do not send it again. Mend the tool or its output schema; the journal has what it gave back.",
  },
  replay_miss: {
    means: "The traces that are replayed have no answer for this call, and a replay never calls live.",
    doNow: "Record it once without --replay-trace, or make the call with the recorded input.",
  },
  live_disabled: {
    means: "Something would have been called live where only recorded answers are given.",
    doNow: "Record the missing call, or run outside of replay mode.",
  },
  journal_corrupt: {
    means: "Something that is kept is not as it was written: a record, a seal, a proof.",
    doNow: "Trust nothing of it: look with `sf trace verify` and `sf doctor`, and restore it from a copy.",
  },
  journal_append_failed: {
    means: "What must be on record before anything runs could not be written. Nothing ran.",
    doNow: "See that the disk has room and the store can be reached (`sf doctor`), then try again.",
  },
  recovery_needed: {
    means: "An effect was begun and nobody saw its end.",
    doNow:
      "Find out what became of it, and say so: `sf effects ls`, `sf effects resolve`, for a run `sf runs resolve`.",
  },
  revision_conflict: {
    means: "Somebody else changed it meanwhile. Nothing was changed by this.",
    doNow: "Read it again, and try again.",
  },
  lease_lost: {
    means: "Another process drives this data or this run, or this one is closing.",
    doNow:
      "Try again in a moment; where another process holds a data folder, end it, or use a database with --store.",
  },
  rate_limited: {
    means:
      "There were too many requests in too short a time, too many are open, or the calls of a day are used up.",
    doNow:
      "Wait for as long as Retry-After says; rateLimit and quotas of a key and the limits of a platform say how many there may be.",
  },
  idempotency_conflict: {
    means: "The idempotency key was used for another call.",
    doNow: "Use a new key for a new call; send the first call as it was to get its answer again.",
  },
  idempotency_in_progress: {
    means: "The call with this idempotency key is still under way.",
    doNow: "Wait, and send the same again: it gives the answer of the first.",
  },
  upstream_error: {
    means: "What the tool relies on failed, or the tool itself.",
    doNow:
      "Try again later, unless the error's own `retry` is `never`; the journal and the log of where it runs say why.",
  },
  provider_failed: {
    means: "A model's provider refused, failed or answered something that cannot be read.",
    doNow:
      "Read what the provider said: key, model's name, quota. Then start a new run: one that has ended is not resumed.",
  },
  timeout: {
    means: "It took longer than it may. Whether it had its effect, the journal says.",
    doNow:
      "See what became of it (`sf effects ls`) before sending it again; --timeout or timeoutMs gives more time.",
  },
  cancelled: {
    means: "Whoever called, or ended the process, has cancelled it.",
    doNow: "Nothing, if that was meant; else make the call again.",
  },
  invalid_manifest: {
    means: "Contracts contradict each other or themselves.",
    doNow: "Correct the tool or the pack that the message names.",
  },
  invalid_policy: {
    means: "A policy has an unknown key or a value that it cannot have. It is not taken in part.",
    doNow: "Correct what stands at the path that the error names; `sf policy check` reads a policy to you.",
  },
  invalid_package: {
    means: "What a run would be driven by does not hold together, or is not what the run was started with.",
    doNow:
      "Correct what the message names, or go on with the tools, policy and model that the run was started with.",
  },
  missing_field: {
    means: "Something that must be given was left out.",
    doNow: "Give what the message names.",
  },
  contract_violation: {
    means: "A part did what its contract rules out: a fault of ours, of a pack or of a store.",
    doNow: "Report it with what the message says; SF_DEBUG=1 shows where.",
  },
  invalid_transition: {
    means: "It is not in a state in which that can be done.",
    doNow: "Look at where it stands (`sf runs show`, `sf approvals show`), and do what is still possible.",
  },
  host_configuration_needed: {
    means: "Something that this needs is not set up here, or not as it must be.",
    doNow: "Set what the message names; `sf doctor` looks at all of it.",
  },
  sandbox_denied: {
    means: "A file, a command or an address is outside of what the sandbox lets a tool reach.",
    doNow:
      "Stay below the root and with the commands that the tool lists; whoever opens the tools sets both.",
  },
  not_found: {
    means: "There is no such thing, or it is another account's.",
    doNow: "Check the id and the place that is looked in: --data, --store, --url, --account.",
  },
  internal: {
    means: "Something failed that should not.",
    doNow: "Report it; SF_DEBUG=1 shows where, and the platform's log has it with the request's id.",
  },
} as const satisfies Record<ErrorCode, ErrorHelp>;
