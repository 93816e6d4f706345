import { exitCodes } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import { problemsOf, verifyAccount } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import { dataFolderOf } from "../seat/data-folder.ts";
import { printVerification } from "./print-verification.ts";

export type JournalOptions = { readonly data?: string; readonly account: string; readonly json?: true };

/** Looks through the whole journal of an account in a data folder, also while another process writes it. */
export async function verifyJournal(
  { data, account, json }: JournalOptions,
  { io, print }: CommandContext,
): Promise<number> {
  const store = await openSqliteStore({ folder: dataFolderOf(data, io), role: "guest" });
  try {
    const verification = await verifyAccount(store, account);
    const { status, segments, missing } = verification;
    const isBroken = status === "broken";
    if (json === true) print.json({ ok: !isBroken, status, segments, missing }, 2);
    else {
      for (const { stream, verification: found } of segments) printVerification(print, stream, found);
      for (const problem of problemsOf({ ...verification, segments: [] })) {
        print.out({ text: "broken", style: ["bold", "red"] }, `: ${problem}`);
      }
      const style = isBroken ? "red" : status === "ok" ? "green" : "yellow";
      const count = `${segments.length} ${segments.length === 1 ? "segment" : "segments"}`;
      print.out({ text: status, style: ["bold", style] }, `: the journal of ${account}, ${count}`);
    }
    return isBroken ? exitCodes.verificationFailed : exitCodes.done;
  } finally {
    await store.close();
  }
}
