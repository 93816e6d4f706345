import type { Spent } from "@spfunctions/contracts";
import type { Told, ToldOfChild } from "../children/told-children.ts";

/** What was spent, as far as events say: what attempts that came to nothing have cost is in the result. */
export class Spending {
  /** By the run and by its children that have ended. */
  spent: Spent = {};
  /** How often its own model has answered. */
  turns = 0;

  take(told: Told): void {
    if (told.name !== undefined) return this.#takeChild(told);
    const { event } = told;
    if (event.type === "tool.started") this.#add({ toolCalls: 1 });
    if (event.type !== "model.completed") return;
    this.turns += 1;
    this.#add({ steps: 1, ...event.usage });
  }

  /** What those below it have spent is in it. */
  #takeChild({ depth, spent }: ToldOfChild): void {
    if (depth === 1 && spent !== undefined) this.#add({ ...spent, children: 1 + (spent.children ?? 0) });
  }

  /** Time passes for all of them at once. */
  #add(more: Spent): void {
    const names = ["steps", "toolCalls", "inputTokens", "outputTokens", "usd", "children"] as const;
    const sums = names.map((name) => [name, (this.spent[name] ?? 0) + (more[name] ?? 0)]);
    this.spent = Object.fromEntries(sums) as Spent;
  }
}
