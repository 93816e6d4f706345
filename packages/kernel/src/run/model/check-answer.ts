import {
  InvalidOutputError,
  isSimpleFunctionsError,
  type JsonObject,
  parseJsonStrict,
} from "@spfunctions/contracts";
import { compileCheck } from "../../tool/schema-check.ts";
import type { End } from "../state/decide-run.ts";

/** How a run ends by a model's last word: what its package says that it must answer with, or not completed. */
export function answerCheck(
  output: JsonObject | undefined,
  agentId: string,
  wrongWith: (text: string) => string | undefined = () => undefined,
): (text: string) => End {
  if (output === undefined)
    return (text) => {
      const why = wrongWith(text);
      return why === undefined ? { type: "end", status: "completed", output: text } : unfit(why, "");
    };
  const check = compileCheck(output, output, { tool: agentId, side: "outputContract" });
  return (text) => {
    if (check(text) === undefined) return { type: "end", status: "completed", output: text };
    try {
      const value = parseJsonStrict(text);
      const problem = check(value);
      if (problem === undefined) return { type: "end", status: "completed", output: value };
      return unfit(`${problem.path === "" ? "it" : problem.path} ${problem.message}`, problem.path);
    } catch (error) {
      if (isSimpleFunctionsError(error)) return unfit("it is no JSON", "");
      throw error;
    }
  };
}

function unfit(why: string, path: string): End {
  const error = new InvalidOutputError(`the answer is not what the package says it must be: ${why}`, {
    details: { path, reason: "output_contract" },
  });
  return { type: "end", status: "failed", error };
}
