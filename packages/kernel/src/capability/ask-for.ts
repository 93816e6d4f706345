import {
  type Capability,
  capabilitySchema,
  InvalidInputError,
  parseAtDoor,
  secretInId,
} from "@spfunctions/contracts";
import type { CallHost } from "../call/call-host.ts";
import { draftContent, draftRecord } from "../journal/record-draft.ts";
import { contentRef } from "../time/ids.ts";
import type { Asked } from "./capabilities.ts";
import { requireBounded } from "./public-suffix.ts";
import { holderOf } from "./reach.ts";

export type AskForTerms = {
  /** What it is for, as whoever is asked will read it. */
  readonly reason?: string | undefined;
  /** What was read just before: where the wish may come from. */
  readonly readBefore?: readonly string[] | undefined;
};

/** Who asks, and where that is kept. */
export type Asker = Parameters<typeof holderOf>[0] &
  Pick<CallHost, "origin" | "ids" | "journal" | "capabilities" | "limits">;

/** Puts a question to an operator, on record with who asks. */
export async function askFor(
  host: Asker,
  { capability: given, ...terms }: AskForTerms & { readonly capability: string },
): Promise<Asked> {
  const capability: Capability = parseAtDoor(capabilitySchema, given, "capability", InvalidInputError);
  const problem = secretInId(capability, "capability");
  if (problem !== undefined)
    throw new InvalidInputError(problem, { details: { path: "/capability", reason: "secret" } });
  await requireBounded(capability);
  const holder = holderOf(host);
  const { principal, origin, ids, journal, capabilities, limits } = host;
  const wish = { capability, asker: principal, ...terms };
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- again only when it was answered, or asked, meanwhile
    const asked = await capabilities.ask(wish, holder, limits.pendingCapabilities);
    if (asked.type !== "asked" || asked.writes === undefined) return asked;
    const { grant, writes } = asked;
    const { grantId, reason } = grant;
    const words =
      reason === undefined ? undefined : draftContent(contentRef(ids.unique(), "note"), ids.salt(), reason);
    const record = draftRecord(
      "capability.requested",
      { grantId, capability, holder, by: principal, origin, ...(words && { note: words.digest }) },
      { content: words ? [words.row] : [] },
    );
    const unit = { durability: "power", records: [record], documents: writes } as const;
    // oxlint-disable-next-line no-await-in-loop -- see above
    if ((await journal.open(unit)).written.type === "written") return { type: "asked", grant };
  }
}
