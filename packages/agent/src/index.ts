export { type EventStream } from "./event-stream.ts";
export { govern, type Governed, type GovernOptions } from "./govern.ts";
export type { CallOptions, CallResult, ToolInput, ToolNames, ToolOutput, ToolTree } from "./typed-tools.ts";
export { defineTool } from "@spfunctions/kernel";
