// The arrow that is the product: a tool's function is reachable from here alone, and from here only with a permit, which the
// governed call makes after the judge has allowed the call and, for everything but a free read, its intent is committed (J1, G4).
import {
  type ContractTool,
  ContractViolationError,
  type Idempotency,
  type JsonValue,
  type Origin,
  type Principal,
} from "@spfunctions/contracts";
import type { DocumentWrite } from "../store/store.ts";

/** What a tool's function is told besides its input. */
export type ToolContext = {
  readonly runId: string;
  readonly callId: string;
  readonly effectId: string;
  readonly traceId: string;
  /** The approval that the call runs by, if it needs one. */
  readonly approvalId?: string | undefined;
  /** The same in every attempt at this effect: pass it on to whoever can deduplicate by it. */
  readonly idempotencyKey: string;
  /** 1, or more where an effect is tried again after a crash. */
  readonly attempt: number;
  readonly principal: Principal;
  /** Through which entry point the call came in. */
  readonly origin: Origin;
  /** Milliseconds that the call may take in all. */
  readonly timeoutMs: number;
  /** Aborts when the caller cancels or the time is over. */
  readonly signal: AbortSignal;
  /** Says something to whoever watches the call; it is seen once and kept nowhere. */
  readonly progress: (message: string) => void;
  /** Keeps what the other side calls this operation, and where to ask later what became of it. */
  readonly external: (operation: {
    readonly operationId?: string;
    readonly reconciliationRef?: string;
  }) => void;
  /**
   * Changes documents of the caller's account together with the record of how this call ended: both are written, or neither, and
   * only where the tool comes to its own end. Where somebody else has changed them since, the call fails with `revision_conflict`
   * and may be tried again: so this is for tools that change nothing anywhere else. It throws where nothing may be changed.
   */
  readonly commit: (documents: readonly DocumentWrite[]) => void;
  /**
   * Asks whether this call may reach an address on the network: before every request that it makes, each hop of a redirect too. Throws
   * `capability_denied` where it may not, or may no more. What is to be fetched is what is returned, and nothing else.
   */
  readonly authorize: (url: string) => Promise<Reach>;
};

/** What may be reached. */
export type Reach = {
  /** As it was judged: absolute, normalised, without a fragment. */
  readonly url: string;
  /** Lower case, punycode, without a port. */
  readonly host: string;
  readonly port: number;
  /** Opened by name in the host's configuration: it may stand at an address that is otherwise out of reach. */
  readonly isLocal: boolean;
};

/** The call that has ordered another one for later, and the approval that it ran by. */
export type EarlierCall = { readonly callId: string; readonly approvalId?: string | undefined };

/** What a tool found out about an effect whose end nobody saw. */
export type Reconciled =
  | { readonly status: "completed"; readonly output?: unknown }
  | { readonly status: "failed" | "unknown" };

export type Executor = {
  readonly run: (input: JsonValue, context: ToolContext) => unknown;
  readonly reconcile?: ((input: JsonValue, context: ToolContext) => unknown) | undefined;
  readonly orderedBy?:
    | ((input: JsonValue, context: Pick<ToolContext, "principal" | "idempotencyKey">) => unknown)
    | undefined;
  /** Milliseconds a call may take unless the caller says less. */
  readonly timeoutMs?: number | undefined;
  /** It comes to its own end, however long that takes and also when it is told to stop: nobody gives it up before. */
  readonly seesItThrough?: boolean | undefined;
  /** It runs in another place: that this side gave it up says nothing about what became of it there. */
  readonly isElsewhere?: boolean | undefined;
  /** What repeating the call does by the way it is taken here; what the contract says unless given. */
  readonly idempotency?: Idempotency | undefined;
  /**
   * Where it runs, a person may be asked: how that question stands, once somebody has answered it or the time is over. Whoever
   * cannot say has its calls answered with `approval_required`, and nobody waits.
   */
  readonly answered?: ((approvalId: string, terms: AnsweredTerms) => unknown) | undefined;
};

export type AnsweredTerms = { readonly waitMs: number; readonly signal: AbortSignal };

const executors = new WeakMap<object, Executor>();

/** Permission for exactly one execution. Only this file can tell a real one. */
export type Permit = { readonly tool: object };

const permits = new WeakSet<Permit>();

export function bindExecutor(tool: object, executor: Executor): void {
  if (executors.has(tool))
    throw new ContractViolationError("a tool has one function, and this one has it already");
  executors.set(tool, executor);
}

export function isBound(tool: unknown): tool is object {
  return typeof tool === "object" && tool !== null && executors.has(tool);
}

export function timeLimitOf(tool: object): number | undefined {
  return executors.get(tool)?.timeoutMs;
}

/** Idempotency belongs to the route: the contract gives its default. */
export function idempotencyOf(tool: { readonly contract: ContractTool }): Idempotency {
  return executors.get(tool)?.idempotency ?? tool.contract.idempotency;
}

export function isElsewhere(tool: object): boolean {
  return executors.get(tool)?.isElsewhere === true;
}

export function seesItThrough(tool: object): boolean {
  return executors.get(tool)?.seesItThrough === true;
}

export function canReconcile(tool: object): boolean {
  return executors.get(tool)?.reconcile !== undefined;
}

export function canBeAnswered(tool: object): boolean {
  return executors.get(tool)?.answered !== undefined;
}

/** Asks where a tool runs how a question to a person stands. Nothing runs by it. */
export function answeredAt(tool: object, approvalId: string, terms: AnsweredTerms): unknown {
  return executors.get(tool)?.answered?.(approvalId, terms);
}

/** Asks a tool whether an earlier call has ordered this one. Nothing runs by it. */
export function earlierCallOf(
  tool: object,
  input: JsonValue,
  context: Pick<ToolContext, "principal" | "idempotencyKey">,
): EarlierCall | undefined | Promise<EarlierCall | undefined> {
  const { orderedBy } = executors.get(tool) ?? {};
  return orderedBy?.(input, context) as ReturnType<typeof earlierCallOf>;
}

/** For the governed call and for recovery, once a call has been allowed and committed. */
export function permit(tool: object): Permit {
  const made = Object.freeze({ tool });
  permits.add(made);
  return made;
}

/** Runs a tool's function once. A permit is used up by it. */
export function execute(permitted: Permit, input: JsonValue, context: ToolContext): unknown {
  return spend(permitted).run(input, context);
}

/** Asks a tool what became of an effect. */
export function reconcile(permitted: Permit, input: JsonValue, context: ToolContext): unknown {
  return spend(permitted).reconcile?.(input, context);
}

function spend(permitted: Permit): Executor {
  const executor = permits.delete(permitted) ? executors.get(permitted.tool) : undefined;
  if (executor === undefined)
    throw new ContractViolationError("a tool runs once for each permit, and not without one");
  return executor;
}
