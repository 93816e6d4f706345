import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { loadInstallation } from "@spfunctions/host/installation";
import type { Installation } from "@spfunctions/kernel";
import type { CliIo } from "../io/cli-io.ts";

/** The installation of this person, where there is one; none is made. */
export function installationIfAny({ env }: Pick<CliIo, "env">): Installation | undefined {
  try {
    return loadInstallation({ env, create: false }).installation;
  } catch (error) {
    if (isSimpleFunctionsError(error) && error.details?.reason === "no_installation_secret") return undefined;
    throw error;
  }
}
