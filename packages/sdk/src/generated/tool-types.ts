// Made by scripts/generate-sdk.ts from the contracts of the tools: change those, and run "npm run generate".
import type { ContractManifest, ContractTool } from "@spfunctions/contracts";
import type { Answering } from "../call/answering.ts";
import type { Listing } from "../call/listing.ts";
import type { CallOptions } from "../options/call-options.ts";

type AlertsCreateInput = {
  readonly ticker: string;
  readonly venue?: string | undefined;
  readonly when:
    | {
        readonly direction: "up" | "down" | "either";
        readonly priceCents: number;
        readonly type: "price_crosses";
      }
    | {
        readonly moveCents: number;
        readonly type: "move";
        readonly withinMinutes: number;
      }
    | {
        readonly type: "closing_soon";
        readonly withinMinutes: number;
      };
};

type AlertsCreateOutput = {
  readonly alertRule: {
    readonly alertRuleId: string;
    readonly createdAt: string;
    readonly priceCents?: number;
    readonly status: "active" | "triggered" | "ended";
    readonly ticker: string;
    readonly triggeredAt?: string;
    readonly venue: string;
    readonly when:
      | {
          readonly direction: "up" | "down" | "either";
          readonly priceCents: number;
          readonly type: "price_crosses";
        }
      | {
          readonly moveCents: number;
          readonly type: "move";
          readonly withinMinutes: number;
        }
      | {
          readonly type: "closing_soon";
          readonly withinMinutes: number;
        };
  };
};

type AlertsListInput = {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  readonly status?: "active" | "triggered" | "ended" | undefined;
};

type AlertsListOutput = {
  readonly items: readonly {
    readonly alertRuleId: string;
    readonly createdAt: string;
    readonly priceCents?: number;
    readonly status: "active" | "triggered" | "ended";
    readonly ticker: string;
    readonly triggeredAt?: string;
    readonly venue: string;
    readonly when:
      | {
          readonly direction: "up" | "down" | "either";
          readonly priceCents: number;
          readonly type: "price_crosses";
        }
      | {
          readonly moveCents: number;
          readonly type: "move";
          readonly withinMinutes: number;
        }
      | {
          readonly type: "closing_soon";
          readonly withinMinutes: number;
        };
  }[];
  readonly next?: string;
};

type BriefWriteInput = {
  readonly maxWords?: number | undefined;
  readonly tickers?: readonly string[] | undefined;
  readonly topic?: string | undefined;
  /** Of the tickers. */
  readonly venue?: string | undefined;
};

type BriefWriteOutput = {
  readonly model: string;
  readonly sources: readonly {
    readonly askCents: number | null;
    readonly bidCents: number | null;
    readonly dayAgoCents: number | null;
    readonly dayVolume: number;
    readonly lastCents: number | null;
    readonly status: "upcoming" | "open" | "closed" | "settled";
    readonly synthetic: boolean;
    readonly ticker: string;
    readonly title: string;
    readonly venue: string;
  }[];
  readonly synthetic: boolean;
  readonly text: string;
  readonly truncated: boolean;
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
};

type CalendarListInput = {
  readonly category?: string | undefined;
  readonly days?: number | undefined;
  readonly limit?: number | undefined;
};

type CalendarListOutput = {
  readonly at: string;
  readonly items: readonly {
    readonly category: string;
    readonly closesAt: string;
    readonly region: string;
    readonly synthetic: boolean;
    readonly ticker: string;
    readonly title: string;
    readonly venue: string;
  }[];
  readonly synthetic: boolean;
  readonly unavailable: readonly {
    readonly code:
      | "missing_api_key"
      | "invalid_api_key"
      | "forbidden"
      | "browser_key_forbidden"
      | "unknown_tool"
      | "tool_not_active"
      | "tool_not_callable"
      | "policy_denied"
      | "trade_guardrail"
      | "capability_denied"
      | "approval_required"
      | "approval_denied"
      | "approval_expired"
      | "approval_mismatch"
      | "budget_exceeded"
      | "invalid_input"
      | "invalid_output"
      | "replay_miss"
      | "live_disabled"
      | "journal_corrupt"
      | "journal_append_failed"
      | "recovery_needed"
      | "revision_conflict"
      | "lease_lost"
      | "rate_limited"
      | "idempotency_conflict"
      | "idempotency_in_progress"
      | "upstream_error"
      | "provider_failed"
      | "timeout"
      | "cancelled"
      | "invalid_manifest"
      | "invalid_policy"
      | "invalid_package"
      | "missing_field"
      | "contract_violation"
      | "invalid_transition"
      | "host_configuration_needed"
      | "sandbox_denied"
      | "not_found"
      | "internal";
    readonly venue: string;
  }[];
};

type CrossvenuePairsInput = {
  readonly limit?: number | undefined;
  readonly minGapCents?: number | undefined;
  readonly minSimilarity?: number | undefined;
};

type CrossvenuePairsOutput = {
  readonly at: string;
  readonly items: readonly {
    readonly a: {
      readonly askCents: number | null;
      readonly bidCents: number | null;
      readonly closesAt: string;
      readonly synthetic: boolean;
      readonly ticker: string;
      readonly title: string;
      readonly venue: string;
    };
    readonly b: {
      readonly askCents: number | null;
      readonly bidCents: number | null;
      readonly closesAt: string;
      readonly synthetic: boolean;
      readonly ticker: string;
      readonly title: string;
      readonly venue: string;
    };
    readonly cheaper?: string;
    readonly gapCents: number;
    readonly similarity: number;
    readonly synthetic: boolean;
  }[];
  readonly synthetic: boolean;
  readonly unavailable: readonly {
    readonly code:
      | "missing_api_key"
      | "invalid_api_key"
      | "forbidden"
      | "browser_key_forbidden"
      | "unknown_tool"
      | "tool_not_active"
      | "tool_not_callable"
      | "policy_denied"
      | "trade_guardrail"
      | "capability_denied"
      | "approval_required"
      | "approval_denied"
      | "approval_expired"
      | "approval_mismatch"
      | "budget_exceeded"
      | "invalid_input"
      | "invalid_output"
      | "replay_miss"
      | "live_disabled"
      | "journal_corrupt"
      | "journal_append_failed"
      | "recovery_needed"
      | "revision_conflict"
      | "lease_lost"
      | "rate_limited"
      | "idempotency_conflict"
      | "idempotency_in_progress"
      | "upstream_error"
      | "provider_failed"
      | "timeout"
      | "cancelled"
      | "invalid_manifest"
      | "invalid_policy"
      | "invalid_package"
      | "missing_field"
      | "contract_violation"
      | "invalid_transition"
      | "host_configuration_needed"
      | "sandbox_denied"
      | "not_found"
      | "internal";
    readonly venue: string;
  }[];
};

type ExecutionPlaceInput = {
  readonly action: "buy" | "sell";
  /** true with a trigger: the order is sent later, by itself. */
  readonly autoExecute?: boolean | undefined;
  readonly confirm?: string | undefined;
  /** true: says what the order would come to, and changes nothing. */
  readonly dryRun: boolean;
  /** With a trigger: until when it waits, and what then still stands is taken back. */
  readonly expiresAt?: string | undefined;
  /** A draft with exactly these facts, which this arms. */
  readonly intentId?: string | undefined;
  readonly jurisdiction?: string | undefined;
  /** Cents for a contract of the side that is ordered. */
  readonly limitPriceCents?: number | undefined;
  readonly quantity: number;
  readonly side: "yes" | "no";
  /** Whether a runtime is to be started for it. The embedded venue needs none and starts none. */
  readonly startsRuntime?: boolean | undefined;
  readonly ticker: string;
  readonly timeInForce?: "gtc" | "ioc" | undefined;
  readonly trigger?:
    | {
        /** Cents for a yes contract, whichever side is ordered. */
        readonly priceCents: number;
        readonly when: "bid_at_or_above" | "bid_at_or_below" | "ask_at_or_above" | "ask_at_or_below";
      }
    | undefined;
  readonly venue: string;
};

type ExecutionPlaceOutput = {
  readonly dryRun: boolean;
  readonly intent?: {
    readonly action: "buy" | "sell";
    /** The key that armed it. */
    readonly armedKeyId?: string;
    readonly expiresAt?: string;
    readonly filled: number;
    readonly history: readonly {
      readonly at: string;
      readonly reason?: string;
      readonly state:
        | "pending"
        | "armed"
        | "triggered"
        | "stopped"
        | "executing"
        | "partial"
        | "filled"
        | "expired"
        | "cancelled"
        | "rejected";
    }[];
    readonly intentId: string;
    /** Cents for a contract of the side that is ordered. */
    readonly limitPriceCents?: number;
    readonly orderId?: string;
    readonly quantity: number;
    readonly side: "yes" | "no";
    readonly state:
      | "pending"
      | "armed"
      | "triggered"
      | "stopped"
      | "executing"
      | "partial"
      | "filled"
      | "expired"
      | "cancelled"
      | "rejected";
    readonly stoppedBy?: {
      readonly code:
        | "missing_api_key"
        | "invalid_api_key"
        | "forbidden"
        | "browser_key_forbidden"
        | "unknown_tool"
        | "tool_not_active"
        | "tool_not_callable"
        | "policy_denied"
        | "trade_guardrail"
        | "capability_denied"
        | "approval_required"
        | "approval_denied"
        | "approval_expired"
        | "approval_mismatch"
        | "budget_exceeded"
        | "invalid_input"
        | "invalid_output"
        | "replay_miss"
        | "live_disabled"
        | "journal_corrupt"
        | "journal_append_failed"
        | "recovery_needed"
        | "revision_conflict"
        | "lease_lost"
        | "rate_limited"
        | "idempotency_conflict"
        | "idempotency_in_progress"
        | "upstream_error"
        | "provider_failed"
        | "timeout"
        | "cancelled"
        | "invalid_manifest"
        | "invalid_policy"
        | "invalid_package"
        | "missing_field"
        | "contract_violation"
        | "invalid_transition"
        | "host_configuration_needed"
        | "sandbox_denied"
        | "not_found"
        | "internal";
      readonly gate?:
        | "tool.exists"
        | "tool.status"
        | "agent.callable"
        | "identity"
        | "forbidden.risk"
        | "deny"
        | "allow"
        | "max.sideEffect"
        | "max.costEffect"
        | "user_data.auth"
        | "budget"
        | "input"
        | "trade"
        | "capability"
        | "pre_tool"
        | "approval";
      readonly reason: string;
    };
    readonly synthetic: boolean;
    readonly ticker: string;
    readonly timeInForce?: "gtc" | "ioc";
    readonly trigger?: {
      /** Cents for a yes contract, whichever side is ordered. */
      readonly priceCents: number;
      readonly when: "bid_at_or_above" | "bid_at_or_below" | "ask_at_or_above" | "ask_at_or_below";
    };
    readonly venue: string;
  };
  readonly order?: {
    readonly action: "buy" | "sell";
    readonly changedAt: string;
    readonly feeCents: number;
    readonly filled: number;
    readonly filledCents: number;
    readonly limitPriceCents?: number;
    readonly orderId?: string;
    readonly placedAt: string;
    readonly quantity: number;
    readonly reason?: string;
    readonly side: "yes" | "no";
    readonly status: "open" | "filled" | "cancelled";
    readonly ticker: string;
  };
  readonly synthetic: boolean;
  readonly venue: string;
};

type IndexCurrentInput = { readonly [key: string]: never };

type IndexCurrentOutput = {
  /** Volume against the usual one of the three days before: 50 is as usual, 75 three times it; null where that is not known. */
  readonly activity: number | null;
  readonly at: string;
  /** The share of moving markets that go up; 50 where none moves. */
  readonly breadth: number;
  /** How far books and venues disagree: the mean spread as a share of the dearer side's price and, where two venues offer the same thing, the mean of that and of the cents between them. */
  readonly disagreement: number;
  readonly markets: number;
  readonly synthetic: boolean;
  readonly unavailable: readonly {
    readonly code:
      | "missing_api_key"
      | "invalid_api_key"
      | "forbidden"
      | "browser_key_forbidden"
      | "unknown_tool"
      | "tool_not_active"
      | "tool_not_callable"
      | "policy_denied"
      | "trade_guardrail"
      | "capability_denied"
      | "approval_required"
      | "approval_denied"
      | "approval_expired"
      | "approval_mismatch"
      | "budget_exceeded"
      | "invalid_input"
      | "invalid_output"
      | "replay_miss"
      | "live_disabled"
      | "journal_corrupt"
      | "journal_append_failed"
      | "recovery_needed"
      | "revision_conflict"
      | "lease_lost"
      | "rate_limited"
      | "idempotency_conflict"
      | "idempotency_in_progress"
      | "upstream_error"
      | "provider_failed"
      | "timeout"
      | "cancelled"
      | "invalid_manifest"
      | "invalid_policy"
      | "invalid_package"
      | "missing_field"
      | "contract_violation"
      | "invalid_transition"
      | "host_configuration_needed"
      | "sandbox_denied"
      | "not_found"
      | "internal";
    readonly venue: string;
  }[];
};

type IndexHistoryInput = {
  readonly interval: "1h" | "1d";
  readonly points?: number | undefined;
};

type IndexHistoryOutput = {
  readonly interval: "1h" | "1d";
  readonly items: readonly {
    /** Volume against the usual one of the three days before: 50 is as usual, 75 three times it; null where that is not known. */
    readonly activity: number | null;
    readonly at: string;
    /** The share of moving markets that go up; 50 where none moves. */
    readonly breadth: number;
    /** How far books and venues disagree: the mean spread as a share of the dearer side's price and, where two venues offer the same thing, the mean of that and of the cents between them. */
    readonly disagreement: number;
    readonly markets: number;
    readonly synthetic: boolean;
  }[];
  readonly synthetic: boolean;
  readonly unavailable: readonly {
    readonly code:
      | "missing_api_key"
      | "invalid_api_key"
      | "forbidden"
      | "browser_key_forbidden"
      | "unknown_tool"
      | "tool_not_active"
      | "tool_not_callable"
      | "policy_denied"
      | "trade_guardrail"
      | "capability_denied"
      | "approval_required"
      | "approval_denied"
      | "approval_expired"
      | "approval_mismatch"
      | "budget_exceeded"
      | "invalid_input"
      | "invalid_output"
      | "replay_miss"
      | "live_disabled"
      | "journal_corrupt"
      | "journal_append_failed"
      | "recovery_needed"
      | "revision_conflict"
      | "lease_lost"
      | "rate_limited"
      | "idempotency_conflict"
      | "idempotency_in_progress"
      | "upstream_error"
      | "provider_failed"
      | "timeout"
      | "cancelled"
      | "invalid_manifest"
      | "invalid_policy"
      | "invalid_package"
      | "missing_field"
      | "contract_violation"
      | "invalid_transition"
      | "host_configuration_needed"
      | "sandbox_denied"
      | "not_found"
      | "internal";
    readonly venue: string;
  }[];
  readonly without: readonly string[];
};

type IntentsCancelInput = {
  readonly intentId: string;
};

type IntentsCancelOutput = {
  readonly intent: {
    readonly action: "buy" | "sell";
    /** The key that armed it. */
    readonly armedKeyId?: string;
    readonly expiresAt?: string;
    readonly filled: number;
    readonly history: readonly {
      readonly at: string;
      readonly reason?: string;
      readonly state:
        | "pending"
        | "armed"
        | "triggered"
        | "stopped"
        | "executing"
        | "partial"
        | "filled"
        | "expired"
        | "cancelled"
        | "rejected";
    }[];
    readonly intentId: string;
    /** Cents for a contract of the side that is ordered. */
    readonly limitPriceCents?: number;
    readonly orderId?: string;
    readonly quantity: number;
    readonly side: "yes" | "no";
    readonly state:
      | "pending"
      | "armed"
      | "triggered"
      | "stopped"
      | "executing"
      | "partial"
      | "filled"
      | "expired"
      | "cancelled"
      | "rejected";
    readonly stoppedBy?: {
      readonly code:
        | "missing_api_key"
        | "invalid_api_key"
        | "forbidden"
        | "browser_key_forbidden"
        | "unknown_tool"
        | "tool_not_active"
        | "tool_not_callable"
        | "policy_denied"
        | "trade_guardrail"
        | "capability_denied"
        | "approval_required"
        | "approval_denied"
        | "approval_expired"
        | "approval_mismatch"
        | "budget_exceeded"
        | "invalid_input"
        | "invalid_output"
        | "replay_miss"
        | "live_disabled"
        | "journal_corrupt"
        | "journal_append_failed"
        | "recovery_needed"
        | "revision_conflict"
        | "lease_lost"
        | "rate_limited"
        | "idempotency_conflict"
        | "idempotency_in_progress"
        | "upstream_error"
        | "provider_failed"
        | "timeout"
        | "cancelled"
        | "invalid_manifest"
        | "invalid_policy"
        | "invalid_package"
        | "missing_field"
        | "contract_violation"
        | "invalid_transition"
        | "host_configuration_needed"
        | "sandbox_denied"
        | "not_found"
        | "internal";
      readonly gate?:
        | "tool.exists"
        | "tool.status"
        | "agent.callable"
        | "identity"
        | "forbidden.risk"
        | "deny"
        | "allow"
        | "max.sideEffect"
        | "max.costEffect"
        | "user_data.auth"
        | "budget"
        | "input"
        | "trade"
        | "capability"
        | "pre_tool"
        | "approval";
      readonly reason: string;
    };
    readonly synthetic: boolean;
    readonly ticker: string;
    readonly timeInForce?: "gtc" | "ioc";
    readonly trigger?: {
      /** Cents for a yes contract, whichever side is ordered. */
      readonly priceCents: number;
      readonly when: "bid_at_or_above" | "bid_at_or_below" | "ask_at_or_above" | "ask_at_or_below";
    };
    readonly venue: string;
  };
};

type IntentsCreateInput = {
  readonly action: "buy" | "sell";
  readonly expiresAt?: string | undefined;
  /** Cents for a contract of the side that is ordered. */
  readonly limitPriceCents?: number | undefined;
  readonly quantity: number;
  readonly side: "yes" | "no";
  readonly ticker: string;
  readonly timeInForce?: "gtc" | "ioc" | undefined;
  readonly trigger?:
    | {
        /** Cents for a yes contract, whichever side is ordered. */
        readonly priceCents: number;
        readonly when: "bid_at_or_above" | "bid_at_or_below" | "ask_at_or_above" | "ask_at_or_below";
      }
    | undefined;
  readonly venue: string;
};

type IntentsCreateOutput = {
  readonly intent: {
    readonly action: "buy" | "sell";
    /** The key that armed it. */
    readonly armedKeyId?: string;
    readonly expiresAt?: string;
    readonly filled: number;
    readonly history: readonly {
      readonly at: string;
      readonly reason?: string;
      readonly state:
        | "pending"
        | "armed"
        | "triggered"
        | "stopped"
        | "executing"
        | "partial"
        | "filled"
        | "expired"
        | "cancelled"
        | "rejected";
    }[];
    readonly intentId: string;
    /** Cents for a contract of the side that is ordered. */
    readonly limitPriceCents?: number;
    readonly orderId?: string;
    readonly quantity: number;
    readonly side: "yes" | "no";
    readonly state:
      | "pending"
      | "armed"
      | "triggered"
      | "stopped"
      | "executing"
      | "partial"
      | "filled"
      | "expired"
      | "cancelled"
      | "rejected";
    readonly stoppedBy?: {
      readonly code:
        | "missing_api_key"
        | "invalid_api_key"
        | "forbidden"
        | "browser_key_forbidden"
        | "unknown_tool"
        | "tool_not_active"
        | "tool_not_callable"
        | "policy_denied"
        | "trade_guardrail"
        | "capability_denied"
        | "approval_required"
        | "approval_denied"
        | "approval_expired"
        | "approval_mismatch"
        | "budget_exceeded"
        | "invalid_input"
        | "invalid_output"
        | "replay_miss"
        | "live_disabled"
        | "journal_corrupt"
        | "journal_append_failed"
        | "recovery_needed"
        | "revision_conflict"
        | "lease_lost"
        | "rate_limited"
        | "idempotency_conflict"
        | "idempotency_in_progress"
        | "upstream_error"
        | "provider_failed"
        | "timeout"
        | "cancelled"
        | "invalid_manifest"
        | "invalid_policy"
        | "invalid_package"
        | "missing_field"
        | "contract_violation"
        | "invalid_transition"
        | "host_configuration_needed"
        | "sandbox_denied"
        | "not_found"
        | "internal";
      readonly gate?:
        | "tool.exists"
        | "tool.status"
        | "agent.callable"
        | "identity"
        | "forbidden.risk"
        | "deny"
        | "allow"
        | "max.sideEffect"
        | "max.costEffect"
        | "user_data.auth"
        | "budget"
        | "input"
        | "trade"
        | "capability"
        | "pre_tool"
        | "approval";
      readonly reason: string;
    };
    readonly synthetic: boolean;
    readonly ticker: string;
    readonly timeInForce?: "gtc" | "ioc";
    readonly trigger?: {
      /** Cents for a yes contract, whichever side is ordered. */
      readonly priceCents: number;
      readonly when: "bid_at_or_above" | "bid_at_or_below" | "ask_at_or_above" | "ask_at_or_below";
    };
    readonly venue: string;
  };
};

type IntentsGetInput = {
  readonly intentId: string;
};

type IntentsGetOutput = {
  readonly intent: {
    readonly action: "buy" | "sell";
    /** The key that armed it. */
    readonly armedKeyId?: string;
    readonly expiresAt?: string;
    readonly filled: number;
    readonly history: readonly {
      readonly at: string;
      readonly reason?: string;
      readonly state:
        | "pending"
        | "armed"
        | "triggered"
        | "stopped"
        | "executing"
        | "partial"
        | "filled"
        | "expired"
        | "cancelled"
        | "rejected";
    }[];
    readonly intentId: string;
    /** Cents for a contract of the side that is ordered. */
    readonly limitPriceCents?: number;
    readonly orderId?: string;
    readonly quantity: number;
    readonly side: "yes" | "no";
    readonly state:
      | "pending"
      | "armed"
      | "triggered"
      | "stopped"
      | "executing"
      | "partial"
      | "filled"
      | "expired"
      | "cancelled"
      | "rejected";
    readonly stoppedBy?: {
      readonly code:
        | "missing_api_key"
        | "invalid_api_key"
        | "forbidden"
        | "browser_key_forbidden"
        | "unknown_tool"
        | "tool_not_active"
        | "tool_not_callable"
        | "policy_denied"
        | "trade_guardrail"
        | "capability_denied"
        | "approval_required"
        | "approval_denied"
        | "approval_expired"
        | "approval_mismatch"
        | "budget_exceeded"
        | "invalid_input"
        | "invalid_output"
        | "replay_miss"
        | "live_disabled"
        | "journal_corrupt"
        | "journal_append_failed"
        | "recovery_needed"
        | "revision_conflict"
        | "lease_lost"
        | "rate_limited"
        | "idempotency_conflict"
        | "idempotency_in_progress"
        | "upstream_error"
        | "provider_failed"
        | "timeout"
        | "cancelled"
        | "invalid_manifest"
        | "invalid_policy"
        | "invalid_package"
        | "missing_field"
        | "contract_violation"
        | "invalid_transition"
        | "host_configuration_needed"
        | "sandbox_denied"
        | "not_found"
        | "internal";
      readonly gate?:
        | "tool.exists"
        | "tool.status"
        | "agent.callable"
        | "identity"
        | "forbidden.risk"
        | "deny"
        | "allow"
        | "max.sideEffect"
        | "max.costEffect"
        | "user_data.auth"
        | "budget"
        | "input"
        | "trade"
        | "capability"
        | "pre_tool"
        | "approval";
      readonly reason: string;
    };
    readonly synthetic: boolean;
    readonly ticker: string;
    readonly timeInForce?: "gtc" | "ioc";
    readonly trigger?: {
      /** Cents for a yes contract, whichever side is ordered. */
      readonly priceCents: number;
      readonly when: "bid_at_or_above" | "bid_at_or_below" | "ask_at_or_above" | "ask_at_or_below";
    };
    readonly venue: string;
  };
};

type IntentsListInput = {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  readonly state?:
    | "pending"
    | "armed"
    | "triggered"
    | "stopped"
    | "executing"
    | "partial"
    | "filled"
    | "expired"
    | "cancelled"
    | "rejected"
    | undefined;
};

type IntentsListOutput = {
  readonly items: readonly {
    readonly action: "buy" | "sell";
    /** The key that armed it. */
    readonly armedKeyId?: string;
    readonly expiresAt?: string;
    readonly filled: number;
    readonly history: readonly {
      readonly at: string;
      readonly reason?: string;
      readonly state:
        | "pending"
        | "armed"
        | "triggered"
        | "stopped"
        | "executing"
        | "partial"
        | "filled"
        | "expired"
        | "cancelled"
        | "rejected";
    }[];
    readonly intentId: string;
    /** Cents for a contract of the side that is ordered. */
    readonly limitPriceCents?: number;
    readonly orderId?: string;
    readonly quantity: number;
    readonly side: "yes" | "no";
    readonly state:
      | "pending"
      | "armed"
      | "triggered"
      | "stopped"
      | "executing"
      | "partial"
      | "filled"
      | "expired"
      | "cancelled"
      | "rejected";
    readonly stoppedBy?: {
      readonly code:
        | "missing_api_key"
        | "invalid_api_key"
        | "forbidden"
        | "browser_key_forbidden"
        | "unknown_tool"
        | "tool_not_active"
        | "tool_not_callable"
        | "policy_denied"
        | "trade_guardrail"
        | "capability_denied"
        | "approval_required"
        | "approval_denied"
        | "approval_expired"
        | "approval_mismatch"
        | "budget_exceeded"
        | "invalid_input"
        | "invalid_output"
        | "replay_miss"
        | "live_disabled"
        | "journal_corrupt"
        | "journal_append_failed"
        | "recovery_needed"
        | "revision_conflict"
        | "lease_lost"
        | "rate_limited"
        | "idempotency_conflict"
        | "idempotency_in_progress"
        | "upstream_error"
        | "provider_failed"
        | "timeout"
        | "cancelled"
        | "invalid_manifest"
        | "invalid_policy"
        | "invalid_package"
        | "missing_field"
        | "contract_violation"
        | "invalid_transition"
        | "host_configuration_needed"
        | "sandbox_denied"
        | "not_found"
        | "internal";
      readonly gate?:
        | "tool.exists"
        | "tool.status"
        | "agent.callable"
        | "identity"
        | "forbidden.risk"
        | "deny"
        | "allow"
        | "max.sideEffect"
        | "max.costEffect"
        | "user_data.auth"
        | "budget"
        | "input"
        | "trade"
        | "capability"
        | "pre_tool"
        | "approval";
      readonly reason: string;
    };
    readonly synthetic: boolean;
    readonly ticker: string;
    readonly timeInForce?: "gtc" | "ioc";
    readonly trigger?: {
      /** Cents for a yes contract, whichever side is ordered. */
      readonly priceCents: number;
      readonly when: "bid_at_or_above" | "bid_at_or_below" | "ask_at_or_above" | "ask_at_or_below";
    };
    readonly venue: string;
  }[];
  readonly next?: string;
};

type KeysCreateInput = {
  readonly allowTools?: readonly string[] | undefined;
  readonly approvals?:
    | {
        readonly approvers?: readonly string[] | undefined;
        readonly onDenied?: "continue" | "fail" | undefined;
        readonly requireForCostEffectAtOrAbove?:
          | "none"
          | "api_cost"
          | "search_cost"
          | "venue_request_cost"
          | "llm_cost"
          | undefined;
        readonly requireForSideEffectAtOrAbove?:
          | "none"
          | "auth_telemetry_write"
          | "user_write"
          | "secret"
          | "runtime"
          | "paper_trade"
          | "live_trade"
          | undefined;
        readonly ttlMs?: number | undefined;
      }
    | undefined;
  readonly expiresAt?: string | undefined;
  readonly name?: string | undefined;
  readonly quotas?:
    | {
        readonly api_cost?: number | undefined;
        readonly llm_cost?: number | undefined;
        readonly search_cost?: number | undefined;
        readonly venue_request_cost?: number | undefined;
      }
    | undefined;
  readonly rateLimit?:
    | {
        readonly burst: number;
        readonly perSecond: number;
      }
    | undefined;
  readonly scopes?: readonly ("read" | "write" | "trade" | "admin")[] | undefined;
  readonly trade?:
    | {
        readonly allowAutoExecute?: boolean | undefined;
        readonly allowRuntimeStart?: boolean | undefined;
        readonly allowedVenues: readonly string[];
        readonly blockedJurisdictions?: readonly string[] | undefined;
        readonly confirmToken?: string | undefined;
        readonly dryRunOnly?: boolean | undefined;
        readonly jurisdiction?: string | undefined;
        readonly maxOrderCostCents: number;
        readonly maxQuantity: number;
        readonly requireJurisdiction?: boolean | undefined;
        readonly requireLimitPrice?: boolean | undefined;
      }
    | undefined;
};

type KeysCreateOutput = {
  readonly key: {
    readonly allowTools?: readonly string[];
    readonly approvals?: {
      readonly approvers?: readonly string[];
      readonly onDenied?: "continue" | "fail";
      readonly requireForCostEffectAtOrAbove?:
        | "none"
        | "api_cost"
        | "search_cost"
        | "venue_request_cost"
        | "llm_cost";
      readonly requireForSideEffectAtOrAbove?:
        | "none"
        | "auth_telemetry_write"
        | "user_write"
        | "secret"
        | "runtime"
        | "paper_trade"
        | "live_trade";
      readonly ttlMs?: number;
    };
    readonly createdAt: string;
    readonly createdBy: string;
    readonly expiresAt?: string;
    readonly keyId: string;
    readonly lastUsedAt?: string;
    readonly name: string;
    readonly quotas?: {
      readonly api_cost?: number;
      readonly llm_cost?: number;
      readonly search_cost?: number;
      readonly venue_request_cost?: number;
    };
    readonly rateLimit?: {
      readonly burst: number;
      readonly perSecond: number;
    };
    readonly revokedAt?: string;
    readonly rotatedAt?: string;
    readonly scopes: readonly ("read" | "write" | "trade" | "admin")[];
    readonly status: "active" | "expired" | "revoked";
    readonly trade?: {
      readonly allowAutoExecute: boolean;
      readonly allowRuntimeStart: boolean;
      readonly allowedVenues: readonly string[];
      readonly blockedJurisdictions?: readonly string[];
      readonly dryRunOnly: boolean;
      readonly jurisdiction?: string;
      readonly maxOrderCostCents: number;
      readonly maxQuantity: number;
      readonly requireJurisdiction?: boolean;
      readonly requireLimitPrice: boolean;
    };
  };
  /** Shown once and kept nowhere. */
  readonly secret: string;
};

type KeysListInput = {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
};

type KeysListOutput = {
  readonly items: readonly {
    readonly allowTools?: readonly string[];
    readonly approvals?: {
      readonly approvers?: readonly string[];
      readonly onDenied?: "continue" | "fail";
      readonly requireForCostEffectAtOrAbove?:
        | "none"
        | "api_cost"
        | "search_cost"
        | "venue_request_cost"
        | "llm_cost";
      readonly requireForSideEffectAtOrAbove?:
        | "none"
        | "auth_telemetry_write"
        | "user_write"
        | "secret"
        | "runtime"
        | "paper_trade"
        | "live_trade";
      readonly ttlMs?: number;
    };
    readonly createdAt: string;
    readonly createdBy: string;
    readonly expiresAt?: string;
    readonly keyId: string;
    readonly lastUsedAt?: string;
    readonly name: string;
    readonly quotas?: {
      readonly api_cost?: number;
      readonly llm_cost?: number;
      readonly search_cost?: number;
      readonly venue_request_cost?: number;
    };
    readonly rateLimit?: {
      readonly burst: number;
      readonly perSecond: number;
    };
    readonly revokedAt?: string;
    readonly rotatedAt?: string;
    readonly scopes: readonly ("read" | "write" | "trade" | "admin")[];
    readonly status: "active" | "expired" | "revoked";
    readonly trade?: {
      readonly allowAutoExecute: boolean;
      readonly allowRuntimeStart: boolean;
      readonly allowedVenues: readonly string[];
      readonly blockedJurisdictions?: readonly string[];
      readonly dryRunOnly: boolean;
      readonly jurisdiction?: string;
      readonly maxOrderCostCents: number;
      readonly maxQuantity: number;
      readonly requireJurisdiction?: boolean;
      readonly requireLimitPrice: boolean;
    };
  }[];
  readonly next?: string;
};

type KeysRevokeInput = {
  readonly decided?: "list" | "end" | undefined;
  readonly keyId: string;
};

type KeysRevokeOutput = {
  readonly decided?: {
    readonly approvals: readonly {
      readonly approvalId: string;
      readonly decidedByKeyId: string;
      readonly expiresAt: string;
      readonly holderKeyId: string;
      readonly tool: string;
    }[];
    readonly capabilities: readonly {
      readonly capability: string;
      readonly decidedByKeyId: string;
      readonly expiresAt: string;
      readonly grantId: string;
      readonly holderKeyId?: string;
    }[];
    readonly isEnded: boolean;
    readonly madeKeys: readonly {
      readonly createdBy: string;
      readonly isOwn: boolean;
      readonly keyId: string;
      readonly name: string;
      readonly scopes: readonly ("read" | "write" | "trade" | "admin")[];
    }[];
    readonly more: boolean;
    readonly sessions: readonly {
      readonly decidedByKeyId: string;
      readonly expiresAt: string;
      readonly grantId: string;
      readonly holderKeyId: string;
      readonly sessionId: string;
      readonly tool: string;
    }[];
  };
  readonly key: {
    readonly allowTools?: readonly string[];
    readonly approvals?: {
      readonly approvers?: readonly string[];
      readonly onDenied?: "continue" | "fail";
      readonly requireForCostEffectAtOrAbove?:
        | "none"
        | "api_cost"
        | "search_cost"
        | "venue_request_cost"
        | "llm_cost";
      readonly requireForSideEffectAtOrAbove?:
        | "none"
        | "auth_telemetry_write"
        | "user_write"
        | "secret"
        | "runtime"
        | "paper_trade"
        | "live_trade";
      readonly ttlMs?: number;
    };
    readonly createdAt: string;
    readonly createdBy: string;
    readonly expiresAt?: string;
    readonly keyId: string;
    readonly lastUsedAt?: string;
    readonly name: string;
    readonly quotas?: {
      readonly api_cost?: number;
      readonly llm_cost?: number;
      readonly search_cost?: number;
      readonly venue_request_cost?: number;
    };
    readonly rateLimit?: {
      readonly burst: number;
      readonly perSecond: number;
    };
    readonly revokedAt?: string;
    readonly rotatedAt?: string;
    readonly scopes: readonly ("read" | "write" | "trade" | "admin")[];
    readonly status: "active" | "expired" | "revoked";
    readonly trade?: {
      readonly allowAutoExecute: boolean;
      readonly allowRuntimeStart: boolean;
      readonly allowedVenues: readonly string[];
      readonly blockedJurisdictions?: readonly string[];
      readonly dryRunOnly: boolean;
      readonly jurisdiction?: string;
      readonly maxOrderCostCents: number;
      readonly maxQuantity: number;
      readonly requireJurisdiction?: boolean;
      readonly requireLimitPrice: boolean;
    };
  };
};

type KeysRotateInput = {
  readonly keyId: string;
};

type KeysRotateOutput = {
  readonly key: {
    readonly allowTools?: readonly string[];
    readonly approvals?: {
      readonly approvers?: readonly string[];
      readonly onDenied?: "continue" | "fail";
      readonly requireForCostEffectAtOrAbove?:
        | "none"
        | "api_cost"
        | "search_cost"
        | "venue_request_cost"
        | "llm_cost";
      readonly requireForSideEffectAtOrAbove?:
        | "none"
        | "auth_telemetry_write"
        | "user_write"
        | "secret"
        | "runtime"
        | "paper_trade"
        | "live_trade";
      readonly ttlMs?: number;
    };
    readonly createdAt: string;
    readonly createdBy: string;
    readonly expiresAt?: string;
    readonly keyId: string;
    readonly lastUsedAt?: string;
    readonly name: string;
    readonly quotas?: {
      readonly api_cost?: number;
      readonly llm_cost?: number;
      readonly search_cost?: number;
      readonly venue_request_cost?: number;
    };
    readonly rateLimit?: {
      readonly burst: number;
      readonly perSecond: number;
    };
    readonly revokedAt?: string;
    readonly rotatedAt?: string;
    readonly scopes: readonly ("read" | "write" | "trade" | "admin")[];
    readonly status: "active" | "expired" | "revoked";
    readonly trade?: {
      readonly allowAutoExecute: boolean;
      readonly allowRuntimeStart: boolean;
      readonly allowedVenues: readonly string[];
      readonly blockedJurisdictions?: readonly string[];
      readonly dryRunOnly: boolean;
      readonly jurisdiction?: string;
      readonly maxOrderCostCents: number;
      readonly maxQuantity: number;
      readonly requireJurisdiction?: boolean;
      readonly requireLimitPrice: boolean;
    };
  };
  /** Shown once and kept nowhere. */
  readonly secret: string;
};

type KeysTouchInput = { readonly [key: string]: never };

type KeysTouchOutput = {
  readonly keyId: string;
  readonly lastUsedAt: string;
};

type ManifestGetInput = {
  readonly name: string;
};

type ManifestListInput = {
  readonly mode?: "implemented" | "review" | undefined;
};

type MarketCandlesInput = {
  readonly from?: string | undefined;
  readonly interval: "1m" | "5m" | "15m" | "1h" | "1d";
  readonly ticker: string;
  readonly to?: string | undefined;
  readonly venue?: string | undefined;
};

type MarketCandlesOutput = {
  readonly interval: "1m" | "5m" | "15m" | "1h" | "1d";
  readonly items: readonly {
    readonly at: string;
    readonly closeCents: number;
    readonly highCents: number;
    readonly lowCents: number;
    readonly openCents: number;
    readonly volume: number;
  }[];
  readonly synthetic: boolean;
  readonly ticker: string;
  readonly venue: string;
};

type MarketInspectInput = {
  readonly ticker: string;
  readonly venue?: string | undefined;
};

type MarketInspectOutput = {
  readonly askCents: number | null;
  readonly bidCents: number | null;
  readonly category: string;
  readonly closesAt: string;
  readonly dayAgoCents: number | null;
  readonly dayVolume: number;
  readonly depth: {
    readonly asks: readonly {
      readonly priceCents: number;
      readonly quantity: number;
    }[];
    readonly bids: readonly {
      readonly priceCents: number;
      readonly quantity: number;
    }[];
  };
  readonly event: string;
  readonly lastCents: number | null;
  readonly moveCents: number | null;
  readonly opensAt: string;
  readonly outcome?: "yes" | "no";
  readonly priceCents: number | null;
  readonly region: string;
  readonly rules: string;
  readonly spreadCents: number | null;
  readonly status: "upcoming" | "open" | "closed" | "settled";
  readonly synthetic: boolean;
  readonly tags: readonly string[];
  readonly ticker: string;
  readonly title: string;
  readonly venue: string;
};

type MarketsScreenInput = {
  readonly by: "move" | "volume" | "spread" | "closing";
  readonly category?: string | undefined;
  readonly closesWithinMs?: number | undefined;
  readonly direction?: "up" | "down" | undefined;
  readonly limit?: number | undefined;
  readonly maxSpreadCents?: number | undefined;
  readonly minMoveCents?: number | undefined;
  readonly minVolume?: number | undefined;
  readonly region?: string | undefined;
};

type MarketsScreenOutput = {
  readonly at: string;
  readonly items: readonly {
    readonly askCents: number | null;
    readonly bidCents: number | null;
    readonly category: string;
    readonly closesAt: string;
    readonly dayAgoCents: number | null;
    readonly dayVolume: number;
    readonly event: string;
    readonly lastCents: number | null;
    readonly moveCents: number | null;
    readonly opensAt: string;
    readonly outcome?: "yes" | "no";
    readonly priceCents: number | null;
    readonly region: string;
    readonly spreadCents: number | null;
    readonly status: "upcoming" | "open" | "closed" | "settled";
    readonly synthetic: boolean;
    readonly tags: readonly string[];
    readonly ticker: string;
    readonly title: string;
    readonly venue: string;
  }[];
  readonly synthetic: boolean;
  readonly unavailable: readonly {
    readonly code:
      | "missing_api_key"
      | "invalid_api_key"
      | "forbidden"
      | "browser_key_forbidden"
      | "unknown_tool"
      | "tool_not_active"
      | "tool_not_callable"
      | "policy_denied"
      | "trade_guardrail"
      | "capability_denied"
      | "approval_required"
      | "approval_denied"
      | "approval_expired"
      | "approval_mismatch"
      | "budget_exceeded"
      | "invalid_input"
      | "invalid_output"
      | "replay_miss"
      | "live_disabled"
      | "journal_corrupt"
      | "journal_append_failed"
      | "recovery_needed"
      | "revision_conflict"
      | "lease_lost"
      | "rate_limited"
      | "idempotency_conflict"
      | "idempotency_in_progress"
      | "upstream_error"
      | "provider_failed"
      | "timeout"
      | "cancelled"
      | "invalid_manifest"
      | "invalid_policy"
      | "invalid_package"
      | "missing_field"
      | "contract_violation"
      | "invalid_transition"
      | "host_configuration_needed"
      | "sandbox_denied"
      | "not_found"
      | "internal";
    readonly venue: string;
  }[];
};

type MarketsSearchInput = {
  readonly after?: string | undefined;
  readonly category?: string | undefined;
  readonly closesBefore?: string | undefined;
  readonly limit?: number | undefined;
  readonly maxPriceCents?: number | undefined;
  readonly minPriceCents?: number | undefined;
  readonly query?: string | undefined;
  readonly region?: string | undefined;
  readonly sort?: "relevance" | "volume" | "move" | "closing" | undefined;
  readonly venue?: string | undefined;
};

type MarketsSearchOutput = {
  readonly at: string;
  readonly items: readonly {
    readonly askCents: number | null;
    readonly bidCents: number | null;
    readonly category: string;
    readonly closesAt: string;
    readonly dayAgoCents: number | null;
    readonly dayVolume: number;
    readonly event: string;
    readonly lastCents: number | null;
    readonly moveCents: number | null;
    readonly opensAt: string;
    readonly outcome?: "yes" | "no";
    readonly priceCents: number | null;
    readonly region: string;
    readonly spreadCents: number | null;
    readonly status: "upcoming" | "open" | "closed" | "settled";
    readonly synthetic: boolean;
    readonly tags: readonly string[];
    readonly ticker: string;
    readonly title: string;
    readonly venue: string;
  }[];
  readonly next?: string;
  readonly synthetic: boolean;
  readonly unavailable: readonly {
    readonly code:
      | "missing_api_key"
      | "invalid_api_key"
      | "forbidden"
      | "browser_key_forbidden"
      | "unknown_tool"
      | "tool_not_active"
      | "tool_not_callable"
      | "policy_denied"
      | "trade_guardrail"
      | "capability_denied"
      | "approval_required"
      | "approval_denied"
      | "approval_expired"
      | "approval_mismatch"
      | "budget_exceeded"
      | "invalid_input"
      | "invalid_output"
      | "replay_miss"
      | "live_disabled"
      | "journal_corrupt"
      | "journal_append_failed"
      | "recovery_needed"
      | "revision_conflict"
      | "lease_lost"
      | "rate_limited"
      | "idempotency_conflict"
      | "idempotency_in_progress"
      | "upstream_error"
      | "provider_failed"
      | "timeout"
      | "cancelled"
      | "invalid_manifest"
      | "invalid_policy"
      | "invalid_package"
      | "missing_field"
      | "contract_violation"
      | "invalid_transition"
      | "host_configuration_needed"
      | "sandbox_denied"
      | "not_found"
      | "internal";
    readonly venue: string;
  }[];
};

type PaperCancelInput = {
  readonly orderId: string;
};

type PaperCancelOutput = {
  readonly order: {
    readonly action: "buy" | "sell";
    readonly changedAt: string;
    readonly feeCents: number;
    readonly filled: number;
    readonly filledCents: number;
    readonly limitPriceCents?: number;
    readonly orderId: string;
    readonly placedAt: string;
    readonly quantity: number;
    readonly reason?: string;
    readonly side: "yes" | "no";
    readonly status: "open" | "filled" | "cancelled";
    readonly ticker: string;
  };
  readonly synthetic: true;
};

type PaperOrderInput = {
  readonly action: "buy" | "sell";
  readonly limitPriceCents?: number | undefined;
  readonly quantity: number;
  readonly side: "yes" | "no";
  readonly ticker: string;
  readonly timeInForce?: "gtc" | "ioc" | undefined;
};

type PaperOrderOutput = {
  readonly order: {
    readonly action: "buy" | "sell";
    readonly changedAt: string;
    readonly feeCents: number;
    readonly filled: number;
    readonly filledCents: number;
    readonly limitPriceCents?: number;
    readonly orderId: string;
    readonly placedAt: string;
    readonly quantity: number;
    readonly reason?: string;
    readonly side: "yes" | "no";
    readonly status: "open" | "filled" | "cancelled";
    readonly ticker: string;
  };
  readonly synthetic: true;
};

type PaperOrdersInput = {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  readonly status?: "open" | "filled" | "cancelled" | undefined;
};

type PaperOrdersOutput = {
  readonly items: readonly {
    readonly action: "buy" | "sell";
    readonly changedAt: string;
    readonly feeCents: number;
    readonly filled: number;
    readonly filledCents: number;
    readonly limitPriceCents?: number;
    readonly orderId: string;
    readonly placedAt: string;
    readonly quantity: number;
    readonly reason?: string;
    readonly side: "yes" | "no";
    readonly status: "open" | "filled" | "cancelled";
    readonly ticker: string;
  }[];
  readonly next?: string;
  readonly synthetic: true;
};

type PortfolioStateInput = {
  /** Which ledger; live unless said. */
  readonly ledger?: "live" | "paper" | undefined;
};

type PortfolioStateOutput = {
  readonly cashCents: number;
  readonly equityCents: number;
  readonly ledger: "live" | "paper";
  readonly openOrders: number;
  readonly positions: readonly {
    readonly no: number;
    readonly ticker: string;
    readonly title: string;
    readonly valueCents: number;
    readonly yes: number;
  }[];
  readonly reservedCents: number;
  readonly synthetic: true;
  readonly venue: "embedded";
};

type PortfolioTradesInput = {
  readonly after?: string | undefined;
  /** Which ledger; live unless said. */
  readonly ledger?: "live" | "paper" | undefined;
  readonly limit?: number | undefined;
};

type PortfolioTradesOutput = {
  readonly items: readonly {
    readonly action: "buy" | "sell";
    readonly at: string;
    readonly feeCents: number;
    readonly orderId: string;
    readonly priceCents: number;
    readonly quantity: number;
    readonly side: "yes" | "no";
    readonly ticker: string;
    readonly tradeId: string;
  }[];
  readonly next?: string;
  readonly synthetic: true;
};

type RegimeScanInput = {
  readonly limit?: number | undefined;
};

type RegimeScanOutput = {
  readonly at: string;
  readonly categories: readonly {
    readonly components: {
      readonly activity: number | null;
      readonly breadth: number;
      readonly nearCertainty: number;
      readonly volatility: number;
    };
    readonly markets: number;
    readonly name: string;
    readonly regime: {
      readonly label:
        | "thin"
        | "event_driven"
        | "volatile"
        | "trending_up"
        | "trending_down"
        | "resolving"
        | "calm";
      readonly reason: string;
    };
    readonly synthetic: boolean;
  }[];
  readonly overall: {
    readonly components: {
      readonly activity: number | null;
      readonly breadth: number;
      readonly nearCertainty: number;
      readonly volatility: number;
    };
    readonly markets: number;
    readonly name: string;
    readonly regime: {
      readonly label:
        | "thin"
        | "event_driven"
        | "volatile"
        | "trending_up"
        | "trending_down"
        | "resolving"
        | "calm";
      readonly reason: string;
    };
    readonly synthetic: boolean;
  };
  readonly regions: readonly {
    readonly components: {
      readonly activity: number | null;
      readonly breadth: number;
      readonly nearCertainty: number;
      readonly volatility: number;
    };
    readonly markets: number;
    readonly name: string;
    readonly regime: {
      readonly label:
        | "thin"
        | "event_driven"
        | "volatile"
        | "trending_up"
        | "trending_down"
        | "resolving"
        | "calm";
      readonly reason: string;
    };
    readonly synthetic: boolean;
  }[];
  readonly synthetic: boolean;
  readonly unavailable: readonly {
    readonly code:
      | "missing_api_key"
      | "invalid_api_key"
      | "forbidden"
      | "browser_key_forbidden"
      | "unknown_tool"
      | "tool_not_active"
      | "tool_not_callable"
      | "policy_denied"
      | "trade_guardrail"
      | "capability_denied"
      | "approval_required"
      | "approval_denied"
      | "approval_expired"
      | "approval_mismatch"
      | "budget_exceeded"
      | "invalid_input"
      | "invalid_output"
      | "replay_miss"
      | "live_disabled"
      | "journal_corrupt"
      | "journal_append_failed"
      | "recovery_needed"
      | "revision_conflict"
      | "lease_lost"
      | "rate_limited"
      | "idempotency_conflict"
      | "idempotency_in_progress"
      | "upstream_error"
      | "provider_failed"
      | "timeout"
      | "cancelled"
      | "invalid_manifest"
      | "invalid_policy"
      | "invalid_package"
      | "missing_field"
      | "contract_violation"
      | "invalid_transition"
      | "host_configuration_needed"
      | "sandbox_denied"
      | "not_found"
      | "internal";
    readonly venue: string;
  }[];
};

type ResearchQueryInput = {
  readonly limit?: number | undefined;
  readonly question: string;
};

type ResearchQueryOutput = {
  readonly at: string;
  readonly items: readonly {
    readonly facts: {
      readonly closesAt: string;
      readonly dayVolume: number;
      readonly moveCents: number | null;
      readonly priceCents: number | null;
    };
    readonly kind: "title" | "rules";
    /** Higher fits better; only comparable within one answer. */
    readonly score: number;
    readonly source: {
      readonly ticker: string;
      readonly title: string;
      readonly venue: string;
    };
    readonly synthetic: boolean;
    readonly text: string;
  }[];
  readonly synthetic: boolean;
  readonly unavailable: readonly {
    readonly code:
      | "missing_api_key"
      | "invalid_api_key"
      | "forbidden"
      | "browser_key_forbidden"
      | "unknown_tool"
      | "tool_not_active"
      | "tool_not_callable"
      | "policy_denied"
      | "trade_guardrail"
      | "capability_denied"
      | "approval_required"
      | "approval_denied"
      | "approval_expired"
      | "approval_mismatch"
      | "budget_exceeded"
      | "invalid_input"
      | "invalid_output"
      | "replay_miss"
      | "live_disabled"
      | "journal_corrupt"
      | "journal_append_failed"
      | "recovery_needed"
      | "revision_conflict"
      | "lease_lost"
      | "rate_limited"
      | "idempotency_conflict"
      | "idempotency_in_progress"
      | "upstream_error"
      | "provider_failed"
      | "timeout"
      | "cancelled"
      | "invalid_manifest"
      | "invalid_policy"
      | "invalid_package"
      | "missing_field"
      | "contract_violation"
      | "invalid_transition"
      | "host_configuration_needed"
      | "sandbox_denied"
      | "not_found"
      | "internal";
    readonly venue: string;
  }[];
};

type RuntimeEnsureInput = { readonly [key: string]: never };

type RuntimeEnsureOutput = {
  readonly changedAt?: string;
  readonly changedBy?: string;
  readonly state: "running" | "stopped";
};

type RuntimeStatusInput = { readonly [key: string]: never };

type RuntimeStatusOutput = {
  readonly changedAt?: string;
  readonly changedBy?: string;
  readonly state: "running" | "stopped";
};

type RuntimeStopInput = { readonly [key: string]: never };

type RuntimeStopOutput = {
  readonly changedAt?: string;
  readonly changedBy?: string;
  readonly state: "running" | "stopped";
};

type TokensCreateInput = {
  readonly origin: string;
  readonly scopes?: readonly ("read" | "write")[] | undefined;
  readonly ttlSeconds?: number | undefined;
};

type TokensCreateOutput = {
  readonly expiresAt: string;
  readonly origin: string;
  readonly scopes: readonly ("read" | "write")[];
  /** Shown once and kept nowhere. */
  readonly token: string;
};

type WatchlistsAddInput = {
  readonly name: string;
  readonly ticker?: string | undefined;
  readonly tickers?: readonly string[] | undefined;
  readonly venue?: string | undefined;
};

type WatchlistsAddOutput = {
  readonly watchlist: {
    readonly changedAt: string;
    readonly createdAt: string;
    readonly markets: readonly {
      readonly ticker: string;
      readonly venue: string;
    }[];
    readonly name: string;
    readonly watchlistId: string;
  };
};

type WatchlistsListInput = {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
};

type WatchlistsListOutput = {
  readonly items: readonly {
    readonly changedAt: string;
    readonly createdAt: string;
    readonly markets: readonly {
      readonly ticker: string;
      readonly venue: string;
    }[];
    readonly name: string;
    readonly watchlistId: string;
  }[];
  readonly next?: string;
};

type WorldDeltaInput = {
  readonly since: string;
};

type WorldDeltaOutput = {
  readonly at: string;
  readonly closed: {
    readonly count: number;
    readonly items: readonly {
      readonly synthetic: boolean;
      readonly ticker: string;
      readonly title: string;
      readonly venue: string;
    }[];
  };
  readonly indices: {
    readonly after: {
      /** Volume against the usual one of the three days before: 50 is as usual, 75 three times it; null where that is not known. */
      readonly activity: number | null;
      /** The share of moving markets that go up; 50 where none moves. */
      readonly breadth: number;
      /** How far books and venues disagree: the mean spread as a share of the dearer side's price and, where two venues offer the same thing, the mean of that and of the cents between them. */
      readonly disagreement: number;
    };
    readonly before: {
      /** Volume against the usual one of the three days before: 50 is as usual, 75 three times it; null where that is not known. */
      readonly activity: number | null;
      /** The share of moving markets that go up; 50 where none moves. */
      readonly breadth: number;
      /** How far books and venues disagree: the mean spread as a share of the dearer side's price and, where two venues offer the same thing, the mean of that and of the cents between them. */
      readonly disagreement: number;
    };
  };
  readonly movers: readonly {
    readonly moveCents: number;
    readonly priceCents: number | null;
    readonly synthetic: boolean;
    readonly ticker: string;
    readonly title: string;
    readonly venue: string;
  }[];
  readonly opened: {
    readonly count: number;
    readonly items: readonly {
      readonly synthetic: boolean;
      readonly ticker: string;
      readonly title: string;
      readonly venue: string;
    }[];
  };
  readonly regime: {
    readonly after:
      | "thin"
      | "event_driven"
      | "volatile"
      | "trending_up"
      | "trending_down"
      | "resolving"
      | "calm";
    readonly before:
      | "thin"
      | "event_driven"
      | "volatile"
      | "trending_up"
      | "trending_down"
      | "resolving"
      | "calm";
  };
  readonly since: string;
  readonly synthetic: boolean;
  readonly unavailable: readonly {
    readonly code:
      | "missing_api_key"
      | "invalid_api_key"
      | "forbidden"
      | "browser_key_forbidden"
      | "unknown_tool"
      | "tool_not_active"
      | "tool_not_callable"
      | "policy_denied"
      | "trade_guardrail"
      | "capability_denied"
      | "approval_required"
      | "approval_denied"
      | "approval_expired"
      | "approval_mismatch"
      | "budget_exceeded"
      | "invalid_input"
      | "invalid_output"
      | "replay_miss"
      | "live_disabled"
      | "journal_corrupt"
      | "journal_append_failed"
      | "recovery_needed"
      | "revision_conflict"
      | "lease_lost"
      | "rate_limited"
      | "idempotency_conflict"
      | "idempotency_in_progress"
      | "upstream_error"
      | "provider_failed"
      | "timeout"
      | "cancelled"
      | "invalid_manifest"
      | "invalid_policy"
      | "invalid_package"
      | "missing_field"
      | "contract_violation"
      | "invalid_transition"
      | "host_configuration_needed"
      | "sandbox_denied"
      | "not_found"
      | "internal";
    readonly venue: string;
  }[];
  readonly without: readonly string[];
};

type WorldReadInput = { readonly [key: string]: never };

type WorldReadOutput = {
  readonly at: string;
  readonly counts: {
    readonly closingWithinDay: number;
    readonly markets: number;
    readonly moving: number;
    readonly venues: number;
  };
  readonly indices: {
    /** Volume against the usual one of the three days before: 50 is as usual, 75 three times it; null where that is not known. */
    readonly activity: number | null;
    /** The share of moving markets that go up; 50 where none moves. */
    readonly breadth: number;
    /** How far books and venues disagree: the mean spread as a share of the dearer side's price and, where two venues offer the same thing, the mean of that and of the cents between them. */
    readonly disagreement: number;
  };
  readonly movers: readonly {
    readonly moveCents: number;
    readonly priceCents: number | null;
    readonly synthetic: boolean;
    readonly ticker: string;
    readonly title: string;
    readonly venue: string;
  }[];
  readonly regime: {
    readonly label:
      | "thin"
      | "event_driven"
      | "volatile"
      | "trending_up"
      | "trending_down"
      | "resolving"
      | "calm";
    readonly reason: string;
  };
  readonly regions: readonly {
    readonly markets: number;
    readonly moveCents: number;
    readonly regime:
      | "thin"
      | "event_driven"
      | "volatile"
      | "trending_up"
      | "trending_down"
      | "resolving"
      | "calm";
    readonly region: string;
    readonly synthetic: boolean;
  }[];
  readonly synthetic: boolean;
  readonly unavailable: readonly {
    readonly code:
      | "missing_api_key"
      | "invalid_api_key"
      | "forbidden"
      | "browser_key_forbidden"
      | "unknown_tool"
      | "tool_not_active"
      | "tool_not_callable"
      | "policy_denied"
      | "trade_guardrail"
      | "capability_denied"
      | "approval_required"
      | "approval_denied"
      | "approval_expired"
      | "approval_mismatch"
      | "budget_exceeded"
      | "invalid_input"
      | "invalid_output"
      | "replay_miss"
      | "live_disabled"
      | "journal_corrupt"
      | "journal_append_failed"
      | "recovery_needed"
      | "revision_conflict"
      | "lease_lost"
      | "rate_limited"
      | "idempotency_conflict"
      | "idempotency_in_progress"
      | "upstream_error"
      | "provider_failed"
      | "timeout"
      | "cancelled"
      | "invalid_manifest"
      | "invalid_policy"
      | "invalid_package"
      | "missing_field"
      | "contract_violation"
      | "invalid_transition"
      | "host_configuration_needed"
      | "sandbox_denied"
      | "not_found"
      | "internal";
    readonly venue: string;
  }[];
};

/** What each tool takes and gives, by its canonical name. */
export type ToolTypes = {
  readonly "alerts.create": {
    readonly input: AlertsCreateInput;
    readonly answer: Answering<AlertsCreateOutput>;
  };
  readonly "alerts.list": {
    readonly input: AlertsListInput;
    readonly answer: Listing<AlertsListOutput, AlertsListOutput["items"][number]>;
  };
  readonly "brief.write": { readonly input: BriefWriteInput; readonly answer: Answering<BriefWriteOutput> };
  readonly "calendar.list": {
    readonly input: CalendarListInput;
    readonly answer: Answering<CalendarListOutput>;
  };
  readonly "crossvenue.pairs": {
    readonly input: CrossvenuePairsInput;
    readonly answer: Answering<CrossvenuePairsOutput>;
  };
  readonly "execution.place": {
    readonly input: ExecutionPlaceInput;
    readonly answer: Answering<ExecutionPlaceOutput>;
  };
  readonly "index.current": {
    readonly input: IndexCurrentInput;
    readonly answer: Answering<IndexCurrentOutput>;
  };
  readonly "index.history": {
    readonly input: IndexHistoryInput;
    readonly answer: Answering<IndexHistoryOutput>;
  };
  readonly "intents.cancel": {
    readonly input: IntentsCancelInput | string;
    readonly answer: Answering<IntentsCancelOutput>;
  };
  readonly "intents.create": {
    readonly input: IntentsCreateInput;
    readonly answer: Answering<IntentsCreateOutput>;
  };
  readonly "intents.get": {
    readonly input: IntentsGetInput | string;
    readonly answer: Answering<IntentsGetOutput>;
  };
  readonly "intents.list": {
    readonly input: IntentsListInput;
    readonly answer: Listing<IntentsListOutput, IntentsListOutput["items"][number]>;
  };
  readonly "keys.create": { readonly input: KeysCreateInput; readonly answer: Answering<KeysCreateOutput> };
  readonly "keys.list": {
    readonly input: KeysListInput;
    readonly answer: Listing<KeysListOutput, KeysListOutput["items"][number]>;
  };
  readonly "keys.revoke": {
    readonly input: KeysRevokeInput | string;
    readonly answer: Answering<KeysRevokeOutput>;
  };
  readonly "keys.rotate": {
    readonly input: KeysRotateInput | string;
    readonly answer: Answering<KeysRotateOutput>;
  };
  readonly "keys.touch": { readonly input: KeysTouchInput; readonly answer: Answering<KeysTouchOutput> };
  readonly "manifest.get": {
    readonly input: ManifestGetInput | string;
    readonly answer: Answering<ContractTool>;
  };
  readonly "manifest.list": {
    readonly input: ManifestListInput;
    readonly answer: Answering<ContractManifest>;
  };
  readonly "market.candles": {
    readonly input: MarketCandlesInput;
    readonly answer: Answering<MarketCandlesOutput>;
  };
  readonly "market.inspect": {
    readonly input: MarketInspectInput | string;
    readonly answer: Answering<MarketInspectOutput>;
  };
  readonly "markets.screen": {
    readonly input: MarketsScreenInput;
    readonly answer: Answering<MarketsScreenOutput>;
  };
  readonly "markets.search": {
    readonly input: MarketsSearchInput;
    readonly answer: Listing<MarketsSearchOutput, MarketsSearchOutput["items"][number]>;
  };
  readonly "paper.cancel": {
    readonly input: PaperCancelInput | string;
    readonly answer: Answering<PaperCancelOutput>;
  };
  readonly "paper.order": { readonly input: PaperOrderInput; readonly answer: Answering<PaperOrderOutput> };
  readonly "paper.orders": {
    readonly input: PaperOrdersInput;
    readonly answer: Listing<PaperOrdersOutput, PaperOrdersOutput["items"][number]>;
  };
  readonly "portfolio.state": {
    readonly input: PortfolioStateInput;
    readonly answer: Answering<PortfolioStateOutput>;
  };
  readonly "portfolio.trades": {
    readonly input: PortfolioTradesInput;
    readonly answer: Listing<PortfolioTradesOutput, PortfolioTradesOutput["items"][number]>;
  };
  readonly "regime.scan": { readonly input: RegimeScanInput; readonly answer: Answering<RegimeScanOutput> };
  readonly "research.query": {
    readonly input: ResearchQueryInput;
    readonly answer: Answering<ResearchQueryOutput>;
  };
  readonly "runtime.ensure": {
    readonly input: RuntimeEnsureInput;
    readonly answer: Answering<RuntimeEnsureOutput>;
  };
  readonly "runtime.status": {
    readonly input: RuntimeStatusInput;
    readonly answer: Answering<RuntimeStatusOutput>;
  };
  readonly "runtime.stop": {
    readonly input: RuntimeStopInput;
    readonly answer: Answering<RuntimeStopOutput>;
  };
  readonly "tokens.create": {
    readonly input: TokensCreateInput;
    readonly answer: Answering<TokensCreateOutput>;
  };
  readonly "watchlists.add": {
    readonly input: WatchlistsAddInput;
    readonly answer: Answering<WatchlistsAddOutput>;
  };
  readonly "watchlists.list": {
    readonly input: WatchlistsListInput;
    readonly answer: Listing<WatchlistsListOutput, WatchlistsListOutput["items"][number]>;
  };
  readonly "world.delta": { readonly input: WorldDeltaInput; readonly answer: Answering<WorldDeltaOutput> };
  readonly "world.read": { readonly input: WorldReadInput; readonly answer: Answering<WorldReadOutput> };
};

/** The methods of a client: one for each tool. */
export type Resources = {
  readonly alerts: {
    /**
     * Keeps a rule about one open market: its price comes to a level or goes over it, it is so many cents from where it was some minutes ago, or it closes soon. It is met once; alerts.list says whether it was.
     * Tool `alerts.create`; side effect user_write, cost venue_request_cost.
     */
    readonly create: (input: AlertsCreateInput, options?: CallOptions) => Answering<AlertsCreateOutput>;
    /**
     * The alert rules of this account: those that wait (active), those that were met, with the time and the price (triggered), and those whose market closed before (ended).
     * Tool `alerts.list`; side effect none, cost api_cost.
     */
    readonly list: (
      input?: AlertsListInput,
      options?: CallOptions,
    ) => Listing<AlertsListOutput, AlertsListOutput["items"][number]>;
  };
  readonly brief: {
    /**
     * A short text about a topic or some markets, written by a model from the prices that stand beside it. The text is a model's: the sources are the facts.
     * Tool `brief.write`; side effect none, cost llm_cost.
     */
    readonly write: (input?: BriefWriteInput, options?: CallOptions) => Answering<BriefWriteOutput>;
  };
  readonly calendar: {
    /**
     * The markets that close next, within 30 days unless said. Markets of real venues are in it once somebody has read them.
     * Tool `calendar.list`; side effect none, cost none.
     */
    readonly list: (input?: CalendarListInput, options?: CallOptions) => Answering<CalendarListOutput>;
  };
  readonly crossvenue: {
    /**
     * Markets of different venues about the same thing, by their titles and closing times, and the cents left between them after both spreads. The widest gap comes first. Likeness is no proof: read the rules of both.
     * Tool `crossvenue.pairs`; side effect none, cost venue_request_cost.
     */
    readonly pairs: (input?: CrossvenuePairsInput, options?: CallOptions) => Answering<CrossvenuePairsOutput>;
  };
  readonly execution: {
    /**
     * Places a live order under the guardrails of the caller's policy: at once, or with a trigger and autoExecute once the book is there. With an intentId it arms that draft, and the facts must be the draft's own. The answer names the intent that the order is of: intents.get shows it, and intents.cancel takes back what stands.
     * Tool `execution.place`; side effect live_trade, cost venue_request_cost.
     */
    readonly place: (input: ExecutionPlaceInput, options?: CallOptions) => Answering<ExecutionPlaceOutput>;
  };
  readonly index: {
    /**
     * Disagreement, breadth and activity over all open markets, each from 0 to 100.
     * Tool `index.current`; side effect none, cost api_cost.
     */
    readonly current: (input?: IndexCurrentInput, options?: CallOptions) => Answering<IndexCurrentOutput>;
    /**
     * The indices at the end of each hour or day, the oldest first: 30 of them unless said. Venues that cannot tell their past are named in `without` and left out.
     * Tool `index.history`; side effect none, cost api_cost.
     */
    readonly history: (input: IndexHistoryInput, options?: CallOptions) => Answering<IndexHistoryOutput>;
  };
  readonly intents: {
    /**
     * Ends a draft or an armed intent, and takes back what still stands of its order; what was filled stays filled. Cancelling it again changes nothing.
     * Tool `intents.cancel`; side effect user_write, cost venue_request_cost.
     */
    readonly cancel: (
      input: IntentsCancelInput | string,
      options?: CallOptions,
    ) => Answering<IntentsCancelOutput>;
    /**
     * Keeps a draft of an order. A draft never fires by itself: execution.place, given the same facts and the intentId, arms it.
     * Tool `intents.create`; side effect user_write, cost api_cost.
     */
    readonly create: (input: IntentsCreateInput, options?: CallOptions) => Answering<IntentsCreateOutput>;
    /**
     * One intent of this account: its order, where it stands, and how it came there.
     * Tool `intents.get`; side effect none, cost api_cost.
     */
    readonly get: (input: IntentsGetInput | string, options?: CallOptions) => Answering<IntentsGetOutput>;
    /**
     * The intents of this account, by state if asked. One that is stopped does not fire: stoppedBy says which gate stopped it, and execution.place with its intentId arms it again.
     * Tool `intents.list`; side effect none, cost api_cost.
     */
    readonly list: (
      input?: IntentsListInput,
      options?: CallOptions,
    ) => Listing<IntentsListOutput, IntentsListOutput["items"][number]>;
  };
  readonly keys: {
    /**
     * Makes a key for this account. Its secret is in this answer and nowhere else: keep it where only its user can read it.
     * Tool `keys.create`; side effect secret, cost none.
     */
    readonly create: (input?: KeysCreateInput, options?: CallOptions) => Answering<KeysCreateOutput>;
    /**
     * The keys of this account, without their secrets.
     * Tool `keys.list`; side effect none, cost api_cost.
     */
    readonly list: (
      input?: KeysListInput,
      options?: CallOptions,
    ) => Listing<KeysListOutput, KeysListOutput["items"][number]>;
    /**
     * Ends a key at once, with every secret and token of it. It cannot be undone. decided says what becomes of what this key, and the keys that come from it, have made, granted and approved: list shows it, end ends it, too.
     * Tool `keys.revoke`; side effect secret, cost none.
     */
    readonly revoke: (input: KeysRevokeInput | string, options?: CallOptions) => Answering<KeysRevokeOutput>;
    /**
     * A new secret for a key, in this answer and nowhere else. The one before stays good for 24 hours; revoke the key to end it at once.
     * Tool `keys.rotate`; side effect secret, cost none.
     */
    readonly rotate: (input: KeysRotateInput | string, options?: CallOptions) => Answering<KeysRotateOutput>;
    /**
     * Writes down now that the calling key is in use, instead of with the next bookkeeping.
     * Tool `keys.touch`; side effect auth_telemetry_write, cost none.
     */
    readonly touch: (input?: KeysTouchInput, options?: CallOptions) => Answering<KeysTouchOutput>;
  };
  readonly manifest: {
    /**
     * The contract of one tool, by its canonical name.
     * Tool `manifest.get`; side effect none, cost none.
     */
    readonly get: (input: ManifestGetInput | string, options?: CallOptions) => Answering<ContractTool>;
    /**
     * Every active tool with its contract: what it changes, costs, needs, takes and gives.
     * Tool `manifest.list`; side effect none, cost none.
     */
    readonly list: (input?: ManifestListInput, options?: CallOptions) => Answering<ContractManifest>;
  };
  readonly market: {
    /**
     * What was traded in each interval, the oldest first: the last 100 unless `from` or `to` is given, at most 500.
     * Tool `market.candles`; side effect none, cost venue_request_cost.
     */
    readonly candles: (input: MarketCandlesInput, options?: CallOptions) => Answering<MarketCandlesOutput>;
    /**
     * One market with its book and its rules. Without a venue, the venues are asked one after the other, the embedded one first.
     * Tool `market.inspect`; side effect none, cost venue_request_cost.
     */
    readonly inspect: (
      input: MarketInspectInput | string,
      options?: CallOptions,
    ) => Answering<MarketInspectOutput>;
  };
  readonly markets: {
    /**
     * Open markets by the widest move, the most volume, the narrowest spread or the nearest close, within limits.
     * Tool `markets.screen`; side effect none, cost api_cost.
     */
    readonly screen: (input: MarketsScreenInput, options?: CallOptions) => Answering<MarketsScreenOutput>;
    /**
     * Open markets by words of their titles, tags and categories, and by filters. Relevance also counts volume; without words the most traded come first. `next` leads to the next page of the same question.
     * Tool `markets.search`; side effect none, cost search_cost.
     */
    readonly search: (
      input?: MarketsSearchInput,
      options?: CallOptions,
    ) => Listing<MarketsSearchOutput, MarketsSearchOutput["items"][number]>;
  };
  readonly paper: {
    /**
     * Takes back what is left of an order on paper. What was filled stays filled; cancelling again changes nothing.
     * Tool `paper.cancel`; side effect paper_trade, cost venue_request_cost.
     */
    readonly cancel: (
      input: PaperCancelInput | string,
      options?: CallOptions,
    ) => Answering<PaperCancelOutput>;
    /**
     * Places an order on the paper ledger of the embedded venue: at its limit or better, or without a limit at whatever the book has. What is not filled at once stands unless timeInForce is ioc.
     * Tool `paper.order`; side effect paper_trade, cost venue_request_cost.
     */
    readonly order: (input: PaperOrderInput, options?: CallOptions) => Answering<PaperOrderOutput>;
    /**
     * The account's orders on paper, all or those of one status.
     * Tool `paper.orders`; side effect none, cost api_cost.
     */
    readonly orders: (
      input?: PaperOrdersInput,
      options?: CallOptions,
    ) => Listing<PaperOrdersOutput, PaperOrdersOutput["items"][number]>;
  };
  readonly portfolio: {
    /**
     * Cash, what is reserved for standing orders, and positions of this account at the embedded venue.
     * Tool `portfolio.state`; side effect none, cost venue_request_cost.
     */
    readonly state: (input?: PortfolioStateInput, options?: CallOptions) => Answering<PortfolioStateOutput>;
    /**
     * What this account has traded at the embedded venue, newest first.
     * Tool `portfolio.trades`; side effect none, cost venue_request_cost.
     */
    readonly trades: (
      input?: PortfolioTradesInput,
      options?: CallOptions,
    ) => Listing<PortfolioTradesOutput, PortfolioTradesOutput["items"][number]>;
  };
  readonly regime: {
    /**
     * Which regime each category and each region is in, with the numbers that decided it: breadth, volatility, activity and the share of markets near certainty. The largest groups come first.
     * Tool `regime.scan`; side effect none, cost api_cost.
     */
    readonly scan: (input?: RegimeScanInput, options?: CallOptions) => Answering<RegimeScanOutput>;
  };
  readonly research: {
    /**
     * Passages of markets and their rules that fit a question best, with their sources and what those markets cost. Nothing is written anew: what no venue has published is not in the answer.
     * Tool `research.query`; side effect none, cost search_cost.
     */
    readonly query: (input: ResearchQueryInput, options?: CallOptions) => Answering<ResearchQueryOutput>;
  };
  readonly runtime: {
    /**
     * Lets waiting runs of this account go on. Where they do already, nothing changes.
     * Tool `runtime.ensure`; side effect runtime, cost none.
     */
    readonly ensure: (input?: RuntimeEnsureInput, options?: CallOptions) => Answering<RuntimeEnsureOutput>;
    /**
     * Whether waiting runs of this account go on, and who changed that last.
     * Tool `runtime.status`; side effect none, cost api_cost.
     */
    readonly status: (input?: RuntimeStatusInput, options?: CallOptions) => Answering<RuntimeStatusOutput>;
    /**
     * From now on no waiting run of this account goes on, until runtime.ensure. Direct calls are not touched.
     * Tool `runtime.stop`; side effect runtime, cost none.
     */
    readonly stop: (input?: RuntimeStopInput, options?: CallOptions) => Answering<RuntimeStopOutput>;
  };
  readonly tokens: {
    /**
     * A token for one browser page: read-only unless asked otherwise, good for minutes, and only from the origin it is made for.
     * Tool `tokens.create`; side effect auth_telemetry_write, cost none.
     */
    readonly create: (input: TokensCreateInput, options?: CallOptions) => Answering<TokensCreateOutput>;
  };
  readonly watchlists: {
    /**
     * Puts one market (ticker) or several (tickers) of a venue on the watchlist of this name, which is made if there is none.
     * Tool `watchlists.add`; side effect user_write, cost api_cost.
     */
    readonly add: (input: WatchlistsAddInput, options?: CallOptions) => Answering<WatchlistsAddOutput>;
    /**
     * The watchlists of this account, with the markets on them.
     * Tool `watchlists.list`; side effect none, cost api_cost.
     */
    readonly list: (
      input?: WatchlistsListInput,
      options?: CallOptions,
    ) => Listing<WatchlistsListOutput, WatchlistsListOutput["items"][number]>;
  };
  readonly world: {
    /**
     * What changed since a time within the last 30 days: indices and regime before and after, movers since, markets opened and closed. Venues that cannot tell their past are named in `without` and left out.
     * Tool `world.delta`; side effect none, cost api_cost.
     */
    readonly delta: (input: WorldDeltaInput, options?: CallOptions) => Answering<WorldDeltaOutput>;
    /**
     * What is going on over all markets, in under 1,000 tokens: regime, indices, salient movers of the last day, regions, counts.
     * Tool `world.read`; side effect none, cost api_cost.
     */
    readonly read: (input?: WorldReadInput, options?: CallOptions) => Answering<WorldReadOutput>;
  };
};
