import type { JsonValue } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { printValue } from "../io/print-value.ts";
import { mark } from "./model-text.ts";

/** What a run has come to, alone on the standard output. Where a person reads it beside lines of ours, it is marked as the model's. */
export function printOutput(
  output: JsonValue | undefined,
  { print, io }: Pick<CommandContext, "print" | "io">,
): void {
  if (output === undefined) return;
  if (typeof output !== "string") return printValue(print, output);
  for (const line of output.split("\n")) print.out(...(io.isTerminal.stdout ? [mark] : []), line);
}
