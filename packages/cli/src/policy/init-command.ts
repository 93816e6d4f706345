import { exitCodes, parsePolicy } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { policySentences } from "./policy-sentences.ts";
import { type Preset, presetNames, presets, offeredPresets } from "./presets.ts";
import { writeNewFile } from "./write-new-file.ts";

/** As they were given. */
export type PolicyInitOptions = { readonly preset: Preset; readonly json?: true };

/** Writes a policy to begin with, and says what it does: JSON has no room for it. */
export function init(
  file: string,
  { preset, json }: PolicyInitOptions,
  { io, print }: CommandContext,
): number {
  const policy = presets[preset];
  const sentences = policySentences(parsePolicy(policy));
  writeNewFile(file, `${JSON.stringify(policy, undefined, 2)}\n`, io);
  if (json === true) print.json({ ok: true, file, preset, policy, sentences }, 2);
  else {
    const told = offeredPresets.includes(preset) ? offeredPresets : presetNames;
    const others = told.filter((name) => name !== preset);
    print.out(`${file} written from the preset ${preset}; others: ${others.join(", ")}`);
    for (const sentence of sentences) print.out(`  ${sentence}`);
    print.out(`to see what it does to a call: sf explain <tool> --policy ${file}`);
  }
  return exitCodes.done;
}
