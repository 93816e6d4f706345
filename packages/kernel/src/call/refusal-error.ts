import { errorFor, keyForMessage, type SimpleFunctionsError } from "@spfunctions/contracts";
import type { Judgement } from "../judge/judge.ts";

/** A verdict that stopped a call, as the error it is thrown as. */
export function refusalError(tool: string, { verdict, problem, said }: Judgement): SimpleFunctionsError {
  const { code, gate, reason, remedy } = verdict;
  if (code === "allowed") throw new TypeError("an allowed call is no refusal");
  const shown = keyForMessage(tool);
  const message = `${shown}: ${verdict.outcome === "ask" ? "approval required" : "refused"} at gate ${gate}: ${reason}${said === undefined ? "" : `: ${said}`}${remedy === undefined ? "" : `; ${remedy}`}`;
  const details = {
    tool: shown,
    verdict,
    ...(problem === undefined ? {} : { path: problem.path, reason: problem.reason }),
  };
  return errorFor(code, message, { details });
}
