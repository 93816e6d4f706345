import { exitCodes, isSimpleFunctionsError, type SimpleFunctionsError } from "@spfunctions/contracts";
import { parentOf } from "../children/whose-run.ts";
import { asBadUsage, badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { optionsFor } from "../effects/what-to-do.ts";
import { isAtTerminal } from "../io/person.ts";
import { whole } from "../io/printer.ts";
import { errorOf, type Mode, reportError } from "../io/report-error.ts";
import { askedPlaceOf } from "../run/run-place.ts";
import { closedWith } from "../seat/closed-with.ts";
import { held } from "../seat/held.ts";
import { storePlaceOf } from "../seat/store-place.ts";
import type { ChatOptions } from "./chat-options.ts";
import { chatWords } from "./chat-words.ts";
import { humanTurnView } from "./human-turn-view.ts";
import { type OpenChat, openChat } from "./open-chat.ts";
import { printChatOpening } from "./print-chat-opening.ts";
import { jsonTurnView, ndjsonTurnView } from "./program-turn-views.ts";
import { isForPrograms, speakOnce } from "./speak-once.ts";
import { talk } from "./talk.ts";
import type { TurnView, TurnViewTerms } from "./turn-view.ts";
import { wantedChat } from "./wanted-chat.ts";

/** How `sf` is to exit. */
export async function chat(options: ChatOptions, context: CommandContext): Promise<number> {
  const { io, print } = context;
  const isOnce = options.once !== undefined || options.resume === true || options.cancel === true;
  if (!isOnce && (isForPrograms(options) || !isAtTerminal(io)))
    throw badUsage(
      "nobody sits at a terminal here to talk: say something with --once <text>, or with --once - from the standard input",
    );
  const journal = storePlaceOf(options, io);
  const place = askedPlaceOf(journal, options, io);
  const added = optionsFor(place);
  if (options.ndjson === true) print.json({ type: "session.init", v: 1, ts: new Date().toISOString() });
  const wanted = await wantedChat(options, io);
  const onTrouble = ({ what, error }: { readonly what: string; readonly error: unknown }) =>
    print.err({ text: "note", style: "yellow" }, `: ${what}: ${errorOf(error).message}`);
  try {
    return await held(async (undo, close) => {
      const open = await openChat(wanted, options, { place: journal, undo, onTrouble }, context);
      const { manifest } = open;
      if (options.ndjson === true)
        print.json({
          type: "tool.catalog.loaded",
          manifestDigest: manifest.digest,
          tools: manifest.tools.length,
        });
      const viewTerms = { print, io, options: added, runs: open.runs, source: sourceOf(open, options) };
      const terms = { options, place, where: journal.called, viewTerms };
      if (!isForPrograms(options)) await printChatOpening(print, open, wanted, options);
      const exit = isOnce
        ? await speakOnce(open, wanted.once, { ...terms, view: viewFor(options, open, viewTerms) }, context)
        : await talk(open, terms, context);
      return await closedWith(exit, close, context);
    });
  } catch (error) {
    return refusedBy(error, options, { ...context, added });
  }
}

function viewFor(options: ChatOptions, { session, sandbox }: OpenChat, terms: TurnViewTerms): TurnView {
  const about = { sessionId: session.id, sandbox };
  if (options.ndjson === true) return ndjsonTurnView(terms, about);
  return options.json === true ? jsonTurnView(terms, about) : humanTurnView(terms);
}

function sourceOf({ runs, agent }: OpenChat, { account }: ChatOptions): TurnViewTerms["source"] {
  return {
    get: async (runId) => await runs.get(runId),
    parentOf: async (runId) => await parentOf(agent.store, account, runId),
  };
}

const usages: ReadonlySet<unknown> = new Set(["bad_option", "subagent_cost", "bad_text"]);

/** What was wrong with what was given is for whoever gave it to mend; a session that has a turn under way takes no other. */
function refusedBy(
  error: unknown,
  options: ChatOptions,
  { print, io, added }: CommandContext & { readonly added: string },
): number {
  if (!isSimpleFunctionsError(error)) throw error;
  if (usages.has(error.details?.reason)) throw asBadUsage(error);
  // A turn that was begun with other tools, or under another law.
  const isOthers = options.resume === true && error.code === "invalid_package";
  if (!isOfSession(error) && !isOthers) throw error;
  const mode: Mode = options.ndjson === true ? "ndjson" : options.json === true ? "json" : "human";
  reportError(print, error, mode, io.env);
  if (error.details?.reason === "turn_under_way") {
    print.err(whole(`  to go on with it: ${chatWords("--resume", options, added)}`));
  }
  if (isOthers || error.details?.reason === "turn_under_way")
    print.err(whole(`  to give it up:    ${chatWords("--cancel", options, added)}`));
  return exitCodes.refused;
}

function isOfSession({ code, details }: SimpleFunctionsError): boolean {
  return code === "invalid_transition" && details?.sessionId !== undefined;
}
