import {
  ContractViolationError,
  type ContractTool,
  publicPathsOf,
  secretPathsOf,
} from "@spfunctions/contracts";
import { declaredPlacesOf, type IsDeclared } from "./declared-places.ts";
import { openDefaultCheck } from "./default-check.ts";
import { defaultsOf, type FillDefaults } from "./fill-defaults.ts";
import { compileCheck, type SchemaCheck } from "./schema-check.ts";
import type { ToolSchema } from "./standard-schema.ts";

/** What looks at a tool's values, made once: nothing here can run the tool. */
export type ToolChecks = {
  readonly fillDefaults: FillDefaults | undefined;
  readonly input: SchemaCheck;
  readonly output: SchemaCheck;
  readonly inputMarks: Marks;
  /** Whether a place of an input is declared secret. What the marks hide can be more. */
  readonly isDeclaredInInput: IsDeclared;
  readonly outputMarks: Marks;
};

/** What a schema says about secrets, as {@link redact} takes it. */
export type Marks = { readonly publicPaths: readonly string[]; readonly secretPaths: readonly string[] };

const prepared = new WeakMap<object, ToolChecks>();

export function prepareTool(
  tool: { readonly contract: ContractTool },
  given: { readonly input: ToolSchema; readonly output: ToolSchema },
  isRecorded = false,
): void {
  const { name, input, output } = tool.contract;
  const takes = compileCheck(input, given.input, { tool: name, side: "input", isRecorded });
  const gives = compileCheck(output, given.output, { tool: name, side: "output", isRecorded });
  prepared.set(tool, {
    fillDefaults: defaultsOf(input, openDefaultCheck(name, input, given.input)),
    input: (value) => {
      // J1: nothing runs of which nobody could say whether it has answered as it must.
      gives.ready();
      return takes(value);
    },
    output: gives,
    inputMarks: inputMarksOf(tool.contract),
    isDeclaredInInput: declaredPlacesOf(input, given.input, confirmOf(tool.contract)),
    outputMarks: { publicPaths: publicPathsOf(output), secretPaths: secretPathsOf(output) },
  });
}

export function inputMarksOf({ input, trade }: Pick<ContractTool, "input" | "trade">): Marks {
  return {
    publicPaths: publicPathsOf(input),
    secretPaths: [...secretPathsOf(input), ...confirmOf({ trade })],
  };
}

/** The word by which a person confirms an order is theirs, whatever the schema says about it. */
function confirmOf({ trade }: Pick<ContractTool, "trade">): readonly string[] {
  return trade?.confirm === undefined ? [] : [trade.confirm];
}

export function checksOf(tool: object): ToolChecks {
  const checks = prepared.get(tool);
  if (checks === undefined) throw new ContractViolationError("not a tool: tools are made by defineTool");
  return checks;
}
