import type { Unit } from "@spfunctions/kernel";
import { FaultyStore } from "../../../kernel/test-data/call-store.ts";

/** Keeps what was written, and knows at each moment which effects are announced. */
export class WatchedStore extends FaultyStore {
  readonly announced = new Set<string>();
  readonly written: string[] = [];

  override async commit(unit: Unit): ReturnType<FaultyStore["commit"]> {
    const result = await super.commit(unit);
    if (result.type !== "committed") return result;
    this.written.push(JSON.stringify(unit));
    for (const { text } of (unit.appends ?? []).flatMap(({ records }) => records)) {
      const { kind, effectId } = JSON.parse(text) as { kind: string; effectId?: string };
      if (kind === "call.intended" && effectId !== undefined) this.announced.add(effectId);
    }
    return result;
  }
}
