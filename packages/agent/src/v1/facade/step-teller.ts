import type { RuntimeEvent, RuntimeStep, StepId } from "@spfunctions/contracts";

/** Steps by the events of a run, each when it has ended. */
export class StepTeller {
  readonly #startedAt = new Map<string, string>();

  take(event: RuntimeEvent): RuntimeStep[] {
    const { runId, ts } = event;
    switch (event.type) {
      case "model.started":
        this.#startedAt.set(event.stepId, ts);
        return [];
      case "model.completed":
      case "model.attempt.discarded": {
        const { stepId } = event;
        const startedAt = this.#began(stepId, ts);
        const step = { stepId, runId, type: "model", startedAt, completedAt: ts } as const;
        if (event.type === "model.completed") return [{ ...step, status: "completed" }];
        const { code, message: reason } = event.error ?? {};
        return [{ ...step, status: "failed", ...(code && { code, reason }) }];
      }
      case "tool.started":
        this.#startedAt.set(event.callId, ts);
        return [];
      case "tool.completed":
      case "tool.failed": {
        const startedAt = this.#began(event.callId, ts);
        const step = { ...callStep(event), type: "tool", startedAt, completedAt: ts } as const;
        if (event.type === "tool.completed") return [{ ...step, status: "completed" }];
        const { code, message: reason } = event.error;
        return [{ ...step, status: "failed", code, reason }];
      }
      case "policy.checked": {
        const { outcome, code, reason } = event.verdict;
        if (outcome !== "deny" || code === "allowed") return [];
        const times = { startedAt: ts, completedAt: ts };
        return [{ ...callStep(event), type: "tool", status: "blocked", ...times, code, reason }];
      }
      case "approval.required": {
        const stepId = `${callStep(event).stepId}-approval` as StepId;
        return [{ ...callStep(event), stepId, type: "approval", status: "started", startedAt: ts }];
      }
      default:
        return [];
    }
  }

  #began(key: string, ts: string): string {
    const startedAt = this.#startedAt.get(key) ?? ts;
    this.#startedAt.delete(key);
    return startedAt;
  }
}

function callStep({
  runId,
  callId,
  tool,
}:
  | Extract<RuntimeEvent, { type: "tool.started" | "policy.checked" }>
  | Extract<RuntimeEvent, { type: "approval.required" | "tool.completed" | "tool.failed" }>) {
  return { stepId: callId.replace(/^call_/, "step_") as StepId, runId, tool };
}
