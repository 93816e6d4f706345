// B25: one process drives a data folder. Where it is this one, an answer is journaled here; beside another it is left in the inbox.
// A database is everybody's.
import { loadInstallation } from "@spfunctions/host/installation";
import {
  type GivenPrincipal,
  type Installation,
  openGuestOperator,
  listedRun,
  openOperator,
  type OperatorDesk,
  type Store,
} from "@spfunctions/kernel";
import { masterOf } from "../children/whose-run.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { drivingOf } from "../runs/is-nobodys.ts";
import { requireApart } from "../seat/data-folder.ts";
import { hereOrBeside } from "../seat/here-or-beside.ts";
import { held } from "../seat/held.ts";
import { operatorAt } from "../seat/caller.ts";
import { notTaken } from "../seat/not-taken.ts";
import { openStore, openToRead } from "../seat/open-store.ts";
import type { StorePlace } from "../seat/store-place.ts";
import { accountsIn } from "../trace/open-journals.ts";
import type { ApprovalDesk } from "./approval-desk.ts";
import type { ApprovalsOptions } from "./approvals-options.ts";
import { sayAnswer } from "./say-answer.ts";

type Does<Done> = (operator: OperatorDesk) => Promise<Done>;

type DeskTerms = {
  readonly place: StorePlace;
  readonly installation: Installation;
  readonly principal: GivenPrincipal;
  readonly waitMs: number;
  readonly signal: AbortSignal;
};

/** The approvals in a store that no platform answers for. */
export async function openStoreDesk(
  place: StorePlace,
  options: string,
  { account, as, wait: waitMs }: Pick<ApprovalsOptions, "account" | "as" | "wait">,
  { io }: CommandContext,
): Promise<ApprovalDesk> {
  const { installation, path } = loadInstallation({ env: io.env, create: false });
  if (place.type === "folder") requireApart(place.folder, path);
  const terms = {
    place,
    installation,
    principal: operatorAt({ account, as }, io),
    waitMs,
    signal: io.signal,
  };
  const store = await openToRead(place);
  const reader = openOperator({ ...terms, store });
  return {
    where: place.called,
    options,
    isByKey: false,
    accounts: () => accountsIn(store),
    driverOf: async (runId) => {
      const master = await masterOf(store, account, runId);
      const driving = await drivingOf({ place, store }, account, master);
      return { master: (await listedRun(store, account, master)).document, driving };
    },
    list: (status) => reader.list({ status }),
    get: (approvalId) => reader.get(approvalId),
    grants: () => reader.grants(),
    answer: (approvalId, given) => act(terms, (operator) => sayAnswer(operator, approvalId, given)),
    revoke: (grantId) => act(terms, (operator) => operator.revoke(grantId)),
    capabilities: {
      list: (which) => reader.capabilities.list(which),
      grant: (named, how) => act(terms, ({ capabilities }) => capabilities.grant(named, how)),
      deny: (grantId, how) => act(terms, ({ capabilities }) => capabilities.deny(grantId, how)),
      revoke: (grantId, how) => act(terms, ({ capabilities }) => capabilities.revoke(grantId, how)),
    },
    close: () => store.close(),
  };
}

async function act<Done>(terms: DeskTerms, does: Does<Done>): Promise<Done> {
  return await hereOrBeside(
    () => asWriter(terms, does),
    () => asGuest(terms, does),
    (_, driven) => notTaken(terms.place, terms.waitMs, driven),
  );
}

async function asWriter<Done>(terms: DeskTerms, does: Does<Done>): Promise<Done> {
  const { place, signal } = terms;
  const atOnce = { waitMs: 0, signal, waiting: () => undefined };
  return await on(
    () => openStore(place, atOnce),
    async (store) => {
      const operator = openOperator({ ...terms, store });
      try {
        return await does(operator);
      } finally {
        await operator.close();
      }
    },
  );
}

async function asGuest<Done>(terms: DeskTerms, does: Does<Done>): Promise<Done> {
  return await on(
    () => openToRead(terms.place),
    (store) => does(openGuestOperator({ ...terms, store })),
  );
}

async function on<Done>(open: () => Promise<Store>, does: (store: Store) => Promise<Done>): Promise<Done> {
  return await held(async (undo, close) => {
    const store = await open();
    undo.push(() => store.close());
    const done = await does(store);
    await close();
    return done;
  });
}
