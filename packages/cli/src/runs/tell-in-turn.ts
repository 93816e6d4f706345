import type { RuntimeEvent } from "@spfunctions/contracts";
import { childTold } from "../children/child-told.ts";
import { type KnownChild, type RunsSource, ToldChildren } from "../children/told-children.ts";
import type { Printer } from "../io/printer.ts";
import { progressTold } from "./print-progress.ts";

export type Telling = {
  readonly tell: (event: RuntimeEvent) => void;
  /** Until all of it is told. */
  readonly told: () => Promise<void>;
};

/** Says what a run and its children do, one after the other in the order in which it is heard of. */
export function tellInTurn(
  print: Pick<Printer, "err">,
  options: string,
  source: RunsSource,
  known: readonly KnownChild[],
): Telling {
  const children = new ToldChildren(source, known);
  const say = async (event: RuntimeEvent) => {
    for (const told of await children.of(event)) {
      if (told.name === undefined) progressTold(print, options)(told.event);
      else childTold(print, told, options, (below, own) => progressTold(below, options)(own));
    }
  };
  let last: Promise<void> = Promise.resolve();
  return {
    tell: (event) => {
      // What cannot be told changes nothing about the run.
      last = last.then(async () => await say(event)).catch(() => undefined);
    },
    told: async () => await last,
  };
}
