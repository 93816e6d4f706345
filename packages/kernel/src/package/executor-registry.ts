// Which tools of this process a package's routes lead to. Nothing here can run one: that takes a permit, after the judge.
import {
  ContractViolationError,
  InvalidPackageError,
  MissingFieldError,
  type RuntimePackage,
} from "@spfunctions/contracts";
import type { Tool } from "../tool/define-tool.ts";
import { checksOf } from "../tool/tool-checks.ts";
import { executorRefOf } from "./derive-routes.ts";

/** A route that leads to nothing here: there is no such tool, or one of that name that is not the same. */
type UnboundRoute = {
  readonly canonicalToolName: string;
  readonly executorRef: string;
  readonly reason: "no_executor" | "other_digest";
};

/** A package is bound whole or not at all. */
export type Binding =
  | { readonly type: "bound"; readonly tools: readonly Tool[] }
  | { readonly type: "unbound"; readonly routes: readonly [UnboundRoute, ...UnboundRoute[]] };

export class ExecutorRegistry {
  readonly #byRef = new Map<string, Tool>();
  readonly #names = new Set<string>();

  register(executorRef: string, tool: Tool): void {
    if (executorRef === "") {
      throw new MissingFieldError("an executor is registered under its ref, and this one is empty", {
        details: { path: "/executorRef", reason: "missing" },
      });
    }
    // Refuses what defineTool has not made.
    checksOf(tool);
    const { name } = tool.contract;
    if (executorRef !== executorRefOf(tool.contract)) {
      throw new ContractViolationError(
        `${name} is registered under the ref of another executor; its own is ${executorRefOf(tool.contract)}`,
        { details: { tool: name, path: "/executorRef", reason: "ref_mismatch" } },
      );
    }
    if (this.#byRef.has(executorRef)) {
      throw new InvalidPackageError(`the executor of ${name} is registered already; register it once`, {
        details: { tool: name, path: "/executorRef", reason: "duplicate_executor" },
      });
    }
    this.#byRef.set(executorRef, tool);
    this.#names.add(name);
  }

  bind({ toolRoutes }: Pick<RuntimePackage, "toolRoutes">): Binding {
    const tools: Tool[] = [];
    const routes: UnboundRoute[] = [];
    for (const { canonicalToolName, executorRef } of toolRoutes) {
      const tool = this.#byRef.get(executorRef);
      const reason = this.#names.has(canonicalToolName) ? "other_digest" : "no_executor";
      if (tool === undefined) routes.push({ canonicalToolName, executorRef, reason });
      else tools.push(tool);
    }
    const [first, ...others] = routes;
    return first === undefined ? { type: "bound", tools } : { type: "unbound", routes: [first, ...others] };
  }
}
