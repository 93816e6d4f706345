import { InvalidPackageError, isSimpleFunctionsError, type PackageContent } from "@spfunctions/contracts";
import { compileCheck } from "../tool/schema-check.ts";
import { packageFault } from "./package-fault.ts";

/** What a run must answer with can be checked, or no run is started on it. */
export function checkOutputContract({ agentId, outputContract }: PackageContent): void {
  if (outputContract === undefined) return;
  try {
    compileCheck(outputContract, outputContract, { tool: agentId, side: "outputContract" });
  } catch (cause) {
    if (!isSimpleFunctionsError(cause)) throw cause;
    throw packageFault(
      InvalidPackageError,
      {
        path: "/outputContract",
        reason: "bad_schema",
        message: "outputContract is not a usable JSON Schema 2020-12",
      },
      cause,
    );
  }
}
