// Questions to people are kept where the call was judged: on a platform, or in the folder of whoever called.
import {
  type Approval,
  type CapabilityGrant,
  HostConfigurationNeededError,
  isSimpleFunctionsError,
  NotFoundError,
  type SimpleFunctionsError,
  type StandingGrant,
} from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { asCommands } from "../io/as-commands.ts";
import { isNoStore } from "../seat/open-store.ts";
import { alsoHere } from "../trace/whose-none.ts";
import type { ApprovalDesk } from "./approval-desk.ts";
import type { ApprovalsOptions } from "./approvals-options.ts";
import { type ApprovalPlace, approvalPlaces, placeToGrantIn } from "./approval-places.ts";

type Looked<Found> = { readonly desk: ApprovalDesk; readonly found: Found };

/** Looks wherever approvals may be, place by place; each is open as long as it is its turn. */
export async function* lookAtDesks<Found>(
  options: ApprovalsOptions,
  context: CommandContext,
  look: (desk: ApprovalDesk) => Promise<Found | undefined>,
): AsyncGenerator<Looked<Found>> {
  /* oxlint-disable no-await-in-loop -- one after the other: the first that has it is enough */
  for (const place of approvalPlaces(options, context)) {
    const desk = await unlessLeftOut(place, context, place.open);
    if (desk === undefined) continue;
    try {
      const found = await unlessLeftOut(place, context, () => look(desk), isForged);
      if (found !== undefined) yield { desk, found };
    } finally {
      await desk.close();
    }
  }
}

/** Does something where an approval is. */
export async function atApproval<Done>(
  approvalId: string,
  options: ApprovalsOptions,
  context: CommandContext,
  act: (desk: ApprovalDesk, found: Approval) => Promise<Done>,
): Promise<Done> {
  const get = (desk: ApprovalDesk) => ifThere(() => desk.get(approvalId));
  return await atFirst(get, { options, context, act }, (where) => {
    return `there is no approval ${approvalId} ${where}; sf approvals ls --status any lists all there are`;
  });
}

/** The same with a standing grant. */
export async function atGrant<Done>(
  grantId: string,
  options: ApprovalsOptions,
  context: CommandContext,
  act: (desk: ApprovalDesk, found: StandingGrant) => Promise<Done>,
): Promise<Done> {
  const get = async (desk: ApprovalDesk) => (await desk.grants()).find((one) => one.grantId === grantId);
  return await atFirst(get, { options, context, act }, (where) => {
    return `no grant ${grantId} stands ${where}; sf approvals grants lists those that do`;
  });
}

/** The same with what was asked for or granted of what calls may reach. */
export async function atCapability<Done>(
  grantId: string,
  options: ApprovalsOptions,
  context: CommandContext,
  act: (desk: ApprovalDesk, found: CapabilityGrant) => Promise<Done>,
): Promise<Done> {
  const get = async (desk: ApprovalDesk) =>
    (await desk.capabilities.list({ status: "any" })).find((one) => one.grantId === grantId);
  return await atFirst(get, { options, context, act }, (where) => {
    return `there is no ${grantId} ${where}; sf grants ls --status any lists all there are`;
  });
}

type Wanted<Found, Done> = {
  readonly options: ApprovalsOptions;
  readonly context: CommandContext;
  readonly act: (desk: ApprovalDesk, found: Found) => Promise<Done>;
};

/** Does something at the first place that has it; where none has, it is said where it was looked and why it may be unseen. */
async function atFirst<Found, Done>(
  get: (desk: ApprovalDesk) => Promise<Found | undefined>,
  { options, context, act }: Wanted<Found, Done>,
  missing: (where: string) => string,
): Promise<Done> {
  let isByKey = false;
  const accounts: string[] = [];
  const look = async (desk: ApprovalDesk) => {
    isByKey ||= desk.isByKey;
    const found = await get(desk);
    if (found === undefined) accounts.push(...(await desk.accounts()));
    return found;
  };
  for await (const { desk, found } of lookAtDesks(options, context, look)) return await act(desk, found);
  const unseen = isByKey ? ", or the key that was used may not see it: use one with the scope admin" : "";
  const others = alsoHere(options.account, accounts);
  const elsewhere = others === undefined ? "" : `, and ${others}`;
  throw new NotFoundError(missing(`in account ${options.account} where it was looked${unseen}${elsewhere}`));
}

/** Does something where it has to be said which place is meant. */
export async function atDeskToGrantAt<Done>(
  options: ApprovalsOptions,
  context: CommandContext,
  act: (desk: ApprovalDesk) => Promise<Done>,
): Promise<Done> {
  const { where, open } = placeToGrantIn(options, context);
  const desk = await open().catch((error: unknown) => {
    throw isNoStore(error) ? nothingThere(where, error) : error;
  });
  try {
    return await act(desk);
  } finally {
    await desk.close();
  }
}

function nothingThere(where: string, cause: unknown): HostConfigurationNeededError {
  return new HostConfigurationNeededError(
    `nothing was ever called in ${where}; name the place that is meant with --data, --store or --url`,
    { details: { reason: "no_store" }, cause },
  );
}

async function ifThere<Value>(get: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await get();
  } catch (error) {
    if (isSimpleFunctionsError(error) && error.code === "not_found") return undefined;
    throw error;
  }
}

/** B22: what somebody has changed is not as if it were not there. */
function isForged({ code }: SimpleFunctionsError): boolean {
  return code === "journal_corrupt";
}

/** A place that nobody has named may be one that cannot be read: then it is said, and the others are looked at. */
async function unlessLeftOut<Value>(
  { where, isNamed }: ApprovalPlace,
  { print, io }: CommandContext,
  look: () => Promise<Value>,
  mustBeTold: (error: SimpleFunctionsError) => boolean = () => false,
): Promise<Value | undefined> {
  try {
    return await look();
  } catch (error) {
    if (isNamed || io.signal.aborted || !isSimpleFunctionsError(error) || mustBeTold(error)) throw error;
    if (isNoStore(error)) return undefined;
    print.err({ text: "note", style: "yellow" }, `: ${where} is left out: ${asCommands(error.message)}`);
    return undefined;
  }
}
