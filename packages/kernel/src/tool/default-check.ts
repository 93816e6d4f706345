import { type JsonObject, keyForMessage } from "@spfunctions/contracts";
import type { FitsMember } from "./fill-defaults.ts";
import { openBranchCheck } from "./schema-check.ts";
import type { ToolSchema } from "./standard-schema.ts";
import { warnOfTool } from "./warn-of-tool.ts";

/** Checks defaults by the schemas that declare them, and warns once in a process of each that does not fit. */
export function openDefaultCheck(tool: string, root: JsonObject, given: ToolSchema): FitsMember {
  const fits = openBranchCheck(root, given);
  return ({ name, schema, value }) => {
    const isFitting = fitsOrThrows(() => fits(schema, value));
    if (!isFitting)
      warnOfTool(
        `the default of ${keyForMessage(name)} of the tool ${tool} does not fit its own schema and is not filled in; change the default, or the type that the schema allows`,
      );
    return isFitting;
  };
}

function fitsOrThrows(ask: () => boolean): boolean {
  try {
    return ask();
  } catch {
    // G1: if nobody can say whether a value fits, it does not.
    return false;
  }
}
