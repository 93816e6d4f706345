import type { MarketRow } from "../venue/market.ts";
import { componentsOf, type Regime, type RegimeComponents, regimeOf } from "./regime.ts";
import type { Group } from "./group-volumes.ts";
import { groupRows } from "./row-order.ts";
import type { ActivityIn } from "./usual-volume.ts";

/** A group of markets, the regime it is in, and why. */
type GroupRegime = {
  readonly name: string;
  readonly markets: number;
  readonly synthetic: boolean;
  readonly regime: Regime;
  readonly components: RegimeComponents;
};

export type RegimeScan = {
  readonly overall: GroupRegime;
  readonly categories: readonly GroupRegime[];
  readonly regions: readonly GroupRegime[];
};

/** More groups than this are not looked at: the largest come first. */
const mostGroups = 100;

/** The regime of everything, and of each category and region. */
export function scanRegimes(rows: readonly MarketRow[], activityIn: ActivityIn): RegimeScan {
  const groupRegime = (name: string, own: readonly MarketRow[], group: Group): GroupRegime => {
    const components = componentsOf(own, activityIn(own, group));
    const synthetic = own.every((row) => row.synthetic);
    return { name, markets: own.length, synthetic, regime: regimeOf(own, components), components };
  };
  const groups = (by: "category" | "region") =>
    groupRows(rows, (row) => row[by])
      .slice(0, mostGroups)
      .map(([name, own]) =>
        groupRegime(name, own, by === "category" ? { category: name } : { region: name }),
      );
  return {
    overall: groupRegime("all", rows, "all"),
    categories: groups("category"),
    regions: groups("region"),
  };
}
