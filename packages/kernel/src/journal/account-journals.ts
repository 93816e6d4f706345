import { type AccountId, InvalidTransitionError } from "@spfunctions/contracts";
import { AccountJournal, type JournalTerms } from "./account-journal.ts";
import type { SegmentHost } from "./segment.ts";

/** The journals that a process writes: one for each account, however many seats write there. */
export class AccountJournals {
  readonly #host: SegmentHost;
  readonly #terms: Omit<JournalTerms, "accountId">;
  readonly #journals = new Map<AccountId, AccountJournal>();
  #closing: Promise<void> | undefined;

  constructor(host: SegmentHost, terms: Omit<JournalTerms, "accountId">) {
    this.#host = host;
    this.#terms = terms;
  }

  of(accountId: AccountId): AccountJournal {
    const known = this.#journals.get(accountId);
    if (known !== undefined) return known;
    if (this.#closing !== undefined)
      throw new InvalidTransitionError("the journals are closed: none begins here any more");
    const made = new AccountJournal(this.#host, { ...this.#terms, accountId });
    this.#journals.set(accountId, made);
    return made;
  }

  /** Ends every segment; the first fault is thrown once all were tried. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const closed = await Promise.allSettled([...this.#journals.values()].map((journal) => journal.close()));
    const fault = closed.find((one) => one.status === "rejected");
    if (fault !== undefined) throw fault.reason;
  }
}
