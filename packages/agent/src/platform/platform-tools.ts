import type { InputOf, OutputOf, ToolName } from "@spfunctions/sdk";
import type { Tool } from "@spfunctions/kernel";

type PlatformTool = {
  readonly [Name in ToolName]: Tool<Name, InputOf<Name>, OutputOf<Name>>;
}[ToolName];

/** The tools that the client of the platform was built with, by their types: a platform may have others besides. */
export type PlatformPacks = readonly [readonly PlatformTool[]];
