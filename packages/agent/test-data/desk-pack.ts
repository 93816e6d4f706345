// Tools of a platform that its clients do not know by themselves, with one function behind them.
import type { JsonValue } from "@spfunctions/contracts";
import { defineTool, type Tool, type ToolContext } from "@spfunctions/kernel";

export type Deed = (input: JsonValue, context: ToolContext, tool: string) => unknown;
type Run = { readonly tool: string; readonly key: string; readonly attempt: number };

const kinds = [
  ["desk.read", "GET", "none", "api_cost"],
  ["desk.search", "GET", "none", "search_cost"],
  ["desk.write", "POST", "user_write", "none"],
  ["desk.put", "PUT", "user_write", "none"],
] as const;

/** `deed` may be changed while the tools are in use. */
export class DeskPack {
  readonly runs: Run[] = [];
  readonly pack: readonly Tool[];
  deed: Deed;

  constructor(deed: Deed = (input) => ({ done: input })) {
    this.deed = deed;
    this.pack = kinds.map(([name, method, sideEffect, costEffect]) =>
      defineTool({
        name,
        description: "Does something at a desk.",
        input: {
          type: "object",
          properties: { text: { type: "string" }, password: { type: "string", "x-sf-secret": true } },
          additionalProperties: false,
        },
        output: {},
        permissions: ["desk:use"],
        sideEffect,
        costEffect,
        http: { method, path: `/api/${name.replace(".", "/")}` },
        run: (input, context) => {
          this.runs.push({ tool: name, key: context.idempotencyKey, attempt: context.attempt });
          return this.deed(input as JsonValue, context, name);
        },
      }),
    );
  }
}
