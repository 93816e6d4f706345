// Hooks as tests give them, and what they have seen.
import type { HookPhase, HookPoint, JournalRecord, JsonValue } from "@spfunctions/contracts";
import type { HookAnswer, HookViews, JsonPatch, RunHook } from "../src/hook/run-hook.ts";
import { type Proposal, type RunDesk, type RunDeskOptions, saying, storedRun } from "./run-desk.ts";

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
  at(point: HookPoint, answer: () => unknown = yes, terms: Terms = {}): RunHook {
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

/** A model that proposes this once, and is done. */
export const once = (call: Proposal): RunDeskOptions => ({ script: saying([call], "done") });
export const calling = (args: JsonValue, name = "notes.write") => ({ name, args });

type RecordOf<Kind extends JournalRecord["kind"]> = Extract<JournalRecord, { kind: Kind }>;

export async function recordsOf<Kind extends JournalRecord["kind"]>(
  desk: RunDesk,
  runId: string,
  kind: Kind,
): Promise<RecordOf<Kind>[]> {
  return (await desk.records(runId)).filter((record): record is RecordOf<Kind> => record.kind === kind);
}

/** What lies beside the records of a run. */
export async function contentOf(desk: RunDesk, runId: string): Promise<(ref: string) => string | undefined> {
  const rows = (await storedRun(desk.store.inner, runId)).flatMap(({ content }) => content);
  return (ref) => {
    const row = rows.findLast((one) => one.ref === ref);
    return row !== undefined && "text" in row ? row.text : undefined;
  };
}

/** What the model was told of its last call. */
export function toldTo({ model }: RunDesk): string {
  return model.asked.at(-1)?.messages.findLast(({ role }) => role === "tool")?.text ?? "";
}
