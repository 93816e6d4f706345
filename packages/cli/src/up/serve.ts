import { type ContractTool, heldSecrets, type SimpleFunctionsError } from "@spfunctions/contracts";
import { platformFolderOf } from "@spfunctions/host/installation";
import type { Closed, FirstKey, Platform } from "@spfunctions/server";
import { once } from "node:events";
import { printRecovery } from "../call/human-view.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { placeOf } from "../effects/what-to-do.ts";
import { folderOfProgram } from "../io/folder-of-program.ts";
import type { Printer } from "../io/printer.ts";
import { exitOf, printError } from "../io/report-error.ts";
import type { StorePlace } from "../seat/store-place.ts";
import { firstCall } from "./first-call.ts";
import type { LocalPlatform } from "./open-local-platform.ts";
import { printUp } from "./print-up.ts";
import { worthACall } from "./worth-a-call.ts";

export type ServeTerms = {
  readonly place: StorePlace;
  /** The tools of the packs that were named. */
  readonly own: readonly ContractTool[];
  readonly isOnce: boolean;
  readonly isJson: boolean;
};

/** Shows that a platform works, lets it work until somebody wants it to end, and ends it. */
export async function serve(
  { url, isMoved, isUnnamed, platform, keys, starterKey, lost, close }: LocalPlatform,
  { place, own, isOnce, isJson }: ServeTerms,
  { io, print, exit }: CommandContext,
): Promise<void> {
  // The standard error is its log's alone: one JSON object a line.
  const screen: Printer = { ...print, err: print.out };
  let loss: SimpleFunctionsError | undefined;
  try {
    const call = await firstCall(url, keys.find(({ role }) => role === "starter")?.secret ?? "");
    const notes = [
      ...(isMoved ? [`the usual port is taken by another program; clients have to be told ${url}`] : []),
      ...(isUnnamed ? [unnamedNote] : []),
      ...(platform.unserved.length > 0 ? [unservedNote(platform.unserved)] : []),
    ];
    const { read, look } = worthACall(own, platform.manifest.tools);
    // What is up in another folder than this one is found by its address alone.
    const isHere = place.type === "folder" && place.folder === platformFolderOf(io);
    const next = {
      worthALook: read?.http?.path,
      tool: isHere ? read?.name : undefined,
      look: look && `${look.name}${isHere ? "" : ` --url ${url}`}`,
      programs: isHere ? folderOfProgram(io.env) : undefined,
    };
    // S1: what this start has made is shown once, and then no more.
    hide(keys.filter(({ isNew }) => !isNew));
    if (!isJson) sayWhatWasSettled(screen, platform.settled, place, io);
    const { settled } = platform;
    printUp(print, { url, place, keys, starterKey, call, settled, notes, ...next, isOnce, isJson });
    hide(keys);
    if (call.error !== undefined && !isJson) {
      printError(screen, call.error, io.env);
      if (call.error.code === "invalid_api_key")
        print.out(`  remove ${starterKey}, and the next start makes another key`);
    }
    if (!isOnce && !io.signal.aborted) loss = await Promise.race([aborted(io.signal), lost]);
    else if (call.error !== undefined) exit(exitOf(call.error, io.signal));
  } finally {
    // What was lost cannot be sealed.
    await close().catch((error: unknown) => {
      if (loss === undefined) throw error;
    });
  }
  // Whoever looks after this process starts it again.
  if (loss !== undefined) exit(exitOf(loss, io.signal));
  if (isJson) return;
  if (loss !== undefined)
    return print.out(
      `stopped: ${loss.message}. What it had begun is settled by whoever drives the folder; start it again once that one is done`,
    );
  sayWhatWasCut(print, await platform.close());
  print.out("stopped; everything is kept in ", place.called);
}

/** With commands that find it: it may be another's, in another place than the usual one. */
function sayWhatWasSettled(
  screen: Printer,
  settled: Platform["settled"],
  place: StorePlace,
  io: CommandContext["io"],
): void {
  for (const [accountId, own] of Map.groupBy(settled, (one) => one.accountId))
    printRecovery(
      screen,
      { settled: own, unknown: [] },
      {
        ...placeOf(place, accountId, io),
        isPlatforms: true,
      },
    );
  if (settled.some(({ outcome }) => outcome === "left") && place.type === "folder")
    screen.out(
      "  what is left as it was is settled by a command that drives the data folder itself: give it once this platform has stopped",
    );
}

const unnamedNote =
  "it listens on every address and answers only to localhost, 127.0.0.1 and [::1] (421 otherwise); others reach it with --allow-host <the name or address they use>";

function unservedNote(tools: readonly string[]): string {
  return `${tools.join(", ")} cannot be called here: a tool is served where its contract has an http member; sf call and sf run call it with its --pack`;
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  await once(signal, "abort");
}

/** Nobody is to think that what was asked for has happened. */
function sayWhatWasCut(print: Printer, { cut, left }: Closed): void {
  for (const { tool, callId } of cut)
    print.out(
      `cancelled: ${tool}${callId === undefined ? "" : ` (${callId})`} had not ended in time; its caller was told`,
    );
  for (const { tool } of left)
    print.out(
      `left: ${tool} has no end; the next start settles it, or says that nobody knows what became of it`,
    );
}

function hide(keys: readonly FirstKey[]): void {
  for (const { secret } of keys) heldSecrets.add(secret, "api_key");
}
