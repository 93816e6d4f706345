import { InvalidPackageError, isSimpleFunctionsError } from "@spfunctions/contracts";
import { type HostRule, readHostRules } from "@spfunctions/kernel";
import { places } from "./tools-in-module.ts";

type Module = Readonly<Record<string, unknown>>;

const bareNames = ["evaluatePreTool", "evaluatePostTool"] as const;
/** What a program gives to a runtime of its own. */
const hookNames = ["hooks", "canUseTool"] as const;

/**
 * The rules that a module exports. A function without an id and a version is refused: every `sf` is a process of its own, and what a
 * person approves under such a rule holds in one process. Hooks are refused, because no command asks them.
 */
export function rulesInModule(module: Module, what: string): readonly HostRule[] {
  try {
    const bare = bareNames.find((name) => module[name] !== undefined);
    if (bare !== undefined)
      throw invalid(
        what,
        `it exports ${bare}, which has no id and no version; write export const rules = [{ id: "spending", version: "1", ${bare} }], and give it a new version whenever it changes`,
      );
    const hook = hookNames.find((name) => module[name] !== undefined);
    if (hook !== undefined)
      throw invalid(
        what,
        `it exports ${hook}, which sf would not ask: only a program gives them to its runtime; write what must hold as export const rules = [{ id: "spending", version: "1", evaluatePreTool }], or export ${hook} from another module`,
      );
    requireNoneInside(module, what);
    const given = module["rules"];
    if (given === undefined) return [];
    const rules = (Array.isArray(given) ? given : [given]) as readonly HostRule[];
    readHostRules({ rules });
    return rules;
  } catch (error) {
    if (error instanceof InvalidPackageError) throw error;
    throw invalid(
      what,
      isSimpleFunctionsError(error) ? error.message : "its rules throw when they are looked at",
    );
  }
}

/** What a module has inside its default export, or on its list of tools, is asked by no command: nobody looks for a rule there. */
function requireNoneInside(module: Module, what: string): void {
  for (const place of places) {
    const inside = Object.hasOwn(module, place) ? module[place] : undefined;
    if (typeof inside !== "object" || inside === null) continue;
    const name = [...bareNames, ...hookNames, "rules"].find(
      (one) => (inside as Module)[one] !== undefined && (inside as Module)[one] !== module[one],
    );
    if (name !== undefined)
      throw invalid(
        what,
        `it has ${name} inside its export ${place}, where sf would not find it; write export const rules = [{ id: "spending", version: "1", evaluatePreTool }]`,
      );
  }
}

function invalid(what: string, why: string): InvalidPackageError {
  return new InvalidPackageError(`${what}: ${why}`, { details: { reason: "bad_rule" } });
}
