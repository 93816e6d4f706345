import type { ToolContext } from "@spfunctions/kernel";

export type Authorize = ToolContext["authorize"];

/** An address that the law has allowed. */
export type Reach = Awaited<ReturnType<Authorize>>;
