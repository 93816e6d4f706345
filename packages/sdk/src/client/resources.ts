import type { Answering } from "../call/answering.ts";
import type { CallOptions } from "../options/call-options.ts";
import type { ToolEntry, ToolFacts } from "../tool/tool-facts.ts";

type Method = (input?: unknown, options?: CallOptions) => Answering<unknown>;
type Call = (facts: ToolFacts, input?: unknown, options?: CallOptions) => Answering<unknown>;

/** What the table says as objects: `keys.create` becomes the method `create` of the member `keys`. */
// oxlint-disable-next-line typescript/no-extraneous-class -- a base, so that a client is one class with all its members
export class BoundResources {
  constructor(table: readonly ToolEntry[], call: Call) {
    const resources = new Map<string, Record<string, Method>>();
    for (const entry of table) {
      const [resource = "", method = ""] = entry.method.split(".");
      const methods = resources.get(resource) ?? {};
      methods[method] = (input, options) => call(entry, input, options);
      resources.set(resource, methods);
    }
    for (const [name, methods] of resources) {
      Object.defineProperty(this, name, { value: Object.freeze(methods), enumerable: true });
    }
  }
}
