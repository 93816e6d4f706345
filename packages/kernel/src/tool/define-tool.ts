import { passMillisecond } from "../time/pass-millisecond.ts";
import { makeTool, type Tool, type ToolSpec } from "./make-tool.ts";
import type { InputOf, OutputOf, ToolSchema } from "./standard-schema.ts";

export type { Pack, Tool, ToolSpec } from "./make-tool.ts";

/**
 * Makes a tool of a function. The function can be reached through the judge alone: what is returned describes it.
 * A tool that does not say what it changes, costs and needs is refused, as is one whose schemas cannot be checked.
 */
export function defineTool<const Name extends string, Input extends ToolSchema, Output extends ToolSchema>(
  spec: ToolSpec<Name, Input, Output>,
): Tool<Name, InputOf<Input>, OutputOf<Output>> {
  return makeTool(spec, passMillisecond);
}
