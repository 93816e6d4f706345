import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { addEffectsLs } from "./effects-ls.ts";
import { addEffectsResolve } from "./effects-resolve.ts";

/** X1: what nobody knows the end of, and a person's word about it. */
export function addEffects(program: Command, context: CommandContext): void {
  const effects = program.command("effects").description("effects of which nobody knows what became");
  addEffectsLs(effects, context);
  addEffectsResolve(effects, context);
}
