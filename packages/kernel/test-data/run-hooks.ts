// Hooks as tests give them, and what they have seen.
import type { HookPhase, HookPoint } from "@spfunctions/contracts";
import type { HookAnswer, HookViews, JsonPatch, RunHook } from "../src/hook/run-hook.ts";

type Terms = {
  readonly id?: string;
  readonly phase?: HookPhase;
  readonly order?: number;
  readonly timeoutMs?: number;
};

/** A hook that does this; it may give back what is no answer. */
export function hookAt<Point extends HookPoint>(
  point: Point,
  run: (view: HookViews[Point]) => unknown,
  terms: Terms = {},
): RunHook {
  return { id: "guard", version: "1", point, run, ...terms } as unknown as RunHook;
}

export const yes = (): HookAnswer => ({ outcome: "allow" });
export const no = (): HookAnswer => ({ outcome: "deny", reason: "not today" });

/** A hook that changes every input by this. */
export function patching(patch: unknown, terms: Terms = {}): RunHook {
  const run = () => ({ outcome: "allow", patch: patch as JsonPatch });
  return hookAt("before_tool_call", run, { id: "changer", phase: "change", ...terms });
}

/** Everything that was shown at a point, as text of its own. */
export class Seen {
  readonly views: { readonly point: HookPoint; readonly text: string }[] = [];

  /** A hook that keeps what it is shown, and answers so. */
  at<Point extends HookPoint>(point: Point, answer: () => unknown = yes, terms: Terms = {}): RunHook {
    return hookAt(
      point,
      (view) => {
        this.views.push({ point, text: JSON.stringify(view) });
        return answer();
      },
      { id: `seen-${point}`, ...terms },
    );
  }

  /** Which points were asked, in order. */
  get points(): HookPoint[] {
    return this.views.map(({ point }) => point);
  }

  last<Point extends HookPoint>(point: Point): HookViews[Point] {
    const found = this.views.findLast((view) => view.point === point);
    return JSON.parse(found?.text ?? "null") as HookViews[Point];
  }
}
