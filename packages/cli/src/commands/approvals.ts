import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { addApprovalsApprove } from "./approvals-approve.ts";
import { addApprovalsDeny } from "./approvals-deny.ts";
import { addApprovalsGrants } from "./approvals-grants.ts";
import { addApprovalsLs } from "./approvals-ls.ts";
import { addApprovalsRevoke } from "./approvals-revoke.ts";
import { addApprovalsShow } from "./approvals-show.ts";

/** A2: where a person answers, which is nowhere that a call can reach. */
export function addApprovals(program: Command, context: CommandContext): void {
  const approvals = program.command("approvals").description("what waits for a person, and answering it");
  addApprovalsLs(approvals, context);
  addApprovalsShow(approvals, context);
  addApprovalsApprove(approvals, context);
  addApprovalsDeny(approvals, context);
  addApprovalsGrants(approvals, context);
  addApprovalsRevoke(approvals, context);
}
