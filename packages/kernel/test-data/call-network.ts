// A desk with a tool that goes where it is sent, hop by hop, and who grants that.
import type { CapabilityGrant } from "@spfunctions/contracts";
import type { CallOutcome } from "../src/call/call-host.ts";
import type { Reach } from "../src/call/executors.ts";
import type { Operator } from "../src/approval/open-operator.ts";
import { operatorOf } from "./call-approvals.ts";
import { Deck } from "./call-deck.ts";
import { codeOf, type Desk, type DeskOptions, openDesk } from "./call-desk.ts";

export const page = "https://example.com/page";

type Sent = { readonly url: string; readonly hops?: readonly string[] };

/** What a tool reached, in order, over all of its calls. */
export type NetworkDesk = Desk & {
  readonly operator: Operator;
  readonly reached: Reach[];
  readonly get: (url?: string, ...hops: readonly string[]) => Promise<CallOutcome>;
  /** The code of what a call came to. */
  readonly got: (url?: string, ...hops: readonly string[]) => Promise<string>;
};

export function webDeck(reached: Reach[] = []): Deck {
  return new Deck(
    async (input, context) => {
      const { url, hops = [] } = input as Sent;
      for (const one of [url, ...hops]) reached.push(await context.authorize(one));
      return { hops: hops.length };
    },
    [
      {
        name: "web.fetch",
        costEffect: "api_cost",
        permissions: ["net"],
        capability: { kind: "net", url: "/url" },
      },
    ],
  );
}

export function openNetworkDesk(options: DeskOptions = {}): NetworkDesk {
  const reached: Reach[] = [];
  const desk = openDesk({ deck: webDeck(reached), ...options });
  const get = (url = page, ...hops: readonly string[]) =>
    desk.call({ tool: "web.fetch", input: { url, ...(hops.length > 0 && { hops: [...hops] }) } });
  const got = async (url?: string, ...hops: readonly string[]) => codeOf(await get(url, ...hops));
  return { ...desk, operator: operatorOf(desk), reached, get, got };
}

/** Everything that was asked for or granted, whatever became of it. */
export async function everyGrant({ operator }: NetworkDesk): Promise<CapabilityGrant[]> {
  return await operator.capabilities.list({ status: "any" });
}
