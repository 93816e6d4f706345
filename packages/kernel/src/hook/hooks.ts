// Hooks have an order: who changes comes before who says no, so that what is looked at is what would run; who only watches comes last.
// One that throws, is late, or answers what is no answer has denied (B15, B24). One that only watches decides nothing, also by failing.
import {
  HostConfigurationNeededError,
  type HookPhase,
  hookPhases,
  type HookPoint,
  type PackageHook,
} from "@spfunctions/contracts";
import { isAborted } from "../time/abort-signal.ts";
import { type AskTerms, maxReasonChars, orDenied } from "../call/ask-policy.ts";
import { emit } from "../call/emit.ts";
import { safeText } from "../call/safe-text.ts";
import type { HookAnswer, HookFailure, HookViews, RunHook } from "./run-hook.ts";

/** A hook with its place. */
export type PlacedHook<Point extends HookPoint = HookPoint> = Pick<PackageHook, "id" | "version"> & {
  readonly point: Point;
  readonly phase: HookPhase;
  /** It never throws. Whoever is told to stop meanwhile waits no longer. */
  readonly ask: (view: HookViews[Point], signal?: AbortSignal) => Promise<HookAnswer>;
};

/** What hooks say together: the first that objects decides. */
export type Objection = { readonly by: string; readonly reason: string };

export type HookTerms = Pick<AskTerms, "clock" | "timeoutMs"> & {
  /** Hears of those that only watch and have failed: nothing comes of that, and it is not silent. */
  readonly failed: (failure: HookFailure) => void;
};

export class Hooks {
  readonly #at: ReadonlyMap<HookPoint, readonly PlacedHook[]>;

  /** `sealed`: as the package has them. Every one must have its function, or nothing begins. */
  constructor(sealed: readonly PackageHook[], given: readonly RunHook[], terms: HookTerms) {
    const placed = sealed.toSorted(inOrder).map((hook) => placeHook(hook, given, terms));
    this.#at = Map.groupBy(placed, ({ point }) => point);
  }

  has(point: HookPoint): boolean {
    return this.#at.has(point);
  }

  at<Point extends HookPoint>(point: Point): readonly PlacedHook<Point>[] {
    return (this.#at.get(point) ?? []) as unknown as readonly PlacedHook<Point>[];
  }

  /** Why one objects; nothing where none does. */
  async objection<Point extends HookPoint>(
    point: Point,
    view: HookViews[Point],
    signal?: AbortSignal,
  ): Promise<Objection | undefined> {
    for (const { id, ask } of this.at(point)) {
      // oxlint-disable-next-line no-await-in-loop -- in their order
      const { outcome, reason, patch } = await ask(view, signal);
      if (outcome === "deny") return { by: id, reason: reason ?? "it gave no reason" };
      if (patch !== undefined) return { by: id, reason: "it would change what nobody may change here" };
    }
    return undefined;
  }

  /** Each is told what nobody can object to any more. */
  async tell<Point extends HookPoint>(point: Point, view: HookViews[Point]): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    for (const { ask } of this.at(point)) await ask(view);
  }
}

function inOrder(one: PackageHook, other: PackageHook): number {
  const phase = hookPhases.indexOf(one.phase) - hookPhases.indexOf(other.phase);
  return phase || one.order - other.order || (one.id < other.id ? -1 : 1);
}

function placeHook(
  { id, version, point, phase, order, timeoutMs }: PackageHook,
  given: readonly RunHook[],
  { clock, failed, ...terms }: HookTerms,
): PlacedHook {
  const hook = given.find(
    (one) => one.id === id && one.version === version && one.point === point && (one.order ?? 0) === order,
  );
  if (typeof hook?.run !== "function")
    throw new HostConfigurationNeededError(
      `the hook ${id} (version ${version}) has no function here; register it: hooks: [{ id, version, point: "${point}", run }]`,
      { details: { reason: "no_hook" } },
    );
  const run = hook.run as (view: unknown) => unknown;
  const whom = `the hook ${id}`;
  const asked = { clock, timeoutMs: timeoutMs ?? terms.timeoutMs, whom };
  const ask: PlacedHook["ask"] = async (view, signal) => {
    const answer: HookAnswer = await orDenied(
      async () => {
        // B2: each has a copy of its own, so that it changes nothing for anybody else.
        const said = await run(Object.freeze(structuredClone(view)));
        return phase === "observe" ? allowed : readAnswer(said, whom);
      },
      { ...asked, signal },
    );
    if (phase !== "observe" || answer.outcome === "allow") return answer;
    if (!isAborted(signal)) emit(failed, { id, version, point, reason: answer.reason ?? "" });
    return allowed;
  };
  return { id, version, point, phase, ask };
}

const allowed: HookAnswer = { outcome: "allow" };

function readAnswer(given: unknown, whom: string): HookAnswer {
  const denied = { outcome: "deny", reason: `${whom} gave no answer, like { outcome: "allow" }` } as const;
  if (typeof given !== "object" || given === null) return denied;
  const { outcome, reason, patch } = { ...given } as Record<string, unknown>;
  if ((outcome !== "allow" && outcome !== "deny") || (reason !== undefined && typeof reason !== "string"))
    return denied;
  return {
    outcome,
    ...(reason !== undefined && { reason: safeText(reason, maxReasonChars) }),
    ...(patch !== undefined && { patch: patch as NonNullable<HookAnswer["patch"]> }),
  };
}
