// A2: the operator key of a folder answers nothing for keys that it has made, where the server's policy asks a person. Whoever can use
// the folder itself is its operator: their word is left in its inbox.
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import type { CapabilityAnswers } from "@spfunctions/kernel";
import type { ApprovalDesk } from "./approval-desk.ts";

/** A desk that answers with a key; what the key's family keeps it from answering is answered at the folder. */
export function orAtTheMachine(byKey: ApprovalDesk, openHere: () => Promise<ApprovalDesk>): ApprovalDesk {
  const attempt = async <Done>(act: (desk: ApprovalDesk) => Promise<Done>): Promise<Done> => {
    try {
      return await act(byKey);
    } catch (error) {
      if (!isOfFamily(error)) throw error;
      const here = await openHere();
      try {
        return await act(here);
      } finally {
        await here.close();
      }
    }
  };
  const capabilities: CapabilityAnswers = {
    ...byKey.capabilities,
    grant: (named, terms) => attempt((desk) => desk.capabilities.grant(named, terms)),
    deny: (grantId, terms) => attempt((desk) => desk.capabilities.deny(grantId, terms)),
  };
  return {
    ...byKey,
    answer: (approvalId, given) => attempt((desk) => desk.answer(approvalId, given)),
    capabilities,
  };
}

function isOfFamily(error: unknown): boolean {
  return (
    isSimpleFunctionsError(error) && error.code === "forbidden" && error.details?.["reason"] === "key_family"
  );
}
