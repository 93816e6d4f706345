// B29: every hop is a request of its own: allowed anew, resolved anew, checked anew.
import type { Reach, ToolContext } from "@spfunctions/kernel";
import { type Body, readBody } from "./read-body.ts";
import { redirectTarget } from "./redirect-target.ts";
import { type Answer, type GetTerms, sendGet } from "./send-get.ts";
import { upstreamFault } from "./web-faults.ts";

export type Followed = Body &
  Pick<Answer, "status" | "headers"> & {
    /** From what was asked for to what answered. */
    readonly hops: readonly [Reach, ...Reach[]];
  };

/** Asks for what was allowed, and goes where it leads, as far as that is allowed, too. */
export async function follow(
  first: Reach,
  terms: GetTerms & { readonly authorize: ToolContext["authorize"] },
): Promise<Followed> {
  const hops: [Reach, ...Reach[]] = [first];
  for (let reach = first; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- one hop leads to the next
    const heard = await hear(reach, terms);
    if (typeof heard !== "string") return { ...heard, hops };
    if (hops.length > terms.limits.redirects)
      throw upstreamFault(
        `${first.host} redirects more than ${terms.limits.redirects} times`,
        "too_many_redirects",
      );
    // oxlint-disable-next-line no-await-in-loop -- one hop leads to the next
    reach = await terms.authorize(heard);
    if (hops.some(({ url }) => url === reach.url))
      throw upstreamFault(`${first.host} redirects in a circle`, "redirect_loop");
    hops.push(reach);
  }
}

/** The answer, or where it sends us. */
async function hear(reach: Reach, terms: GetTerms): Promise<string | Omit<Followed, "hops">> {
  const answer = await sendGet(reach, terms);
  try {
    const target = redirectTarget(answer, reach);
    if (target !== undefined) return target;
    const { status, headers } = answer;
    return { status, headers, ...(await readBody(answer, reach.host, terms.limits.httpBodyBytes)) };
  } finally {
    answer.close();
  }
}
