// The terminal of a long-lived agent: a turn for each message, and commands about it between them.
import { errorFor, exitCodes, isSimpleFunctionsError } from "@spfunctions/contracts";
import type { AskedPlace } from "../approvals/say-what-is-asked.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { optionsFor } from "../effects/what-to-do.ts";
import { Person } from "../io/person.ts";
import { errorOf, exitOf, printError } from "../io/report-error.ts";
import { stateText } from "../runs/run-states.ts";
import { isOver } from "../runs/run-states.ts";
import { fitLine } from "../trace/fit-line.ts";
import { askInTurn } from "./ask-in-turn.ts";
import type { ChatOptions } from "./chat-options.ts";
import { chatWords } from "./chat-words.ts";
import { driveTurn } from "./drive-turn.ts";
import { interruptible } from "./hear-interrupt.ts";
import { humanTurnView } from "./human-turn-view.ts";
import type { OpenChat } from "./open-chat.ts";
import { readMessage } from "./read-message.ts";
import { isSlash, runSlash } from "./slash/slash-commands.ts";
import type { SlashDesk } from "./slash/slash-command.ts";
import type { TurnViewTerms } from "./turn-view.ts";

export type TalkTerms = {
  readonly options: ChatOptions;
  readonly place: AskedPlace;
  /** Where everything is kept. */
  readonly where: string;
  readonly viewTerms: TurnViewTerms;
};

const howToSettle = "/resume goes on with it, /cancel gives it up";
const mostSaid = 100;

/** How `sf` is to exit, once whoever sits there has left. */
export async function talk(chat: OpenChat, terms: TalkTerms, context: CommandContext): Promise<number> {
  const { io, print } = context;
  const { options, place } = terms;
  const person = new Person(io);
  const turn = async (text?: string) => await takeTurn(chat, text, person, terms, context);
  const added = optionsFor(place);
  const desk: SlashDesk = {
    chat,
    print,
    io,
    where: terms.where,
    resume: turn,
    chatOf: (session) => chatWords("", { ...options, session }, added),
  };
  await sayLeft(chat, context);
  for (let goesOn = true; goesOn; ) {
    // oxlint-disable-next-line no-await-in-loop -- one message after another
    const { revision } = await chat.session.checkpoint();
    // oxlint-disable-next-line no-await-in-loop -- see above
    const message = await readMessage(person, `${chat.session.id} ${revision}> `, {
      print,
      signal: io.signal,
    });
    if (message === undefined) {
      print.err();
      break;
    }
    // oxlint-disable-next-line no-await-in-loop -- see above
    goesOn = await unlessFailed(added, context, async () => {
      if ("cut" in message) return sayCut(message.cut, context);
      const { text } = message;
      if (isSlash(text)) return await runSlash(text, desk);
      if (text.trim() !== "") await turn(text.replace(/^\/\//, "/"));
      return true;
    });
  }
  print.err({ text: `to go on: ${chatWords("", options, added)}`, style: "dim", isWhole: true });
  const isLeft = !io.signal.aborted || io.signal.reason === "SIGINT";
  return isLeft ? exitCodes.done : exitOf(errorFor("cancelled", "cancelled"), io.signal);
}

/** Said again in pieces it is heard whole. */
function sayCut(bytes: number, { print }: CommandContext): true {
  print.err(
    { text: "not taken", style: "yellow" },
    `: a terminal cuts lines after ${bytes} bytes. Say it in several lines (\\ at the end of one goes on), or with --once -`,
  );
  return true;
}

/** What fails is told, and the chat goes on. */
async function unlessFailed(
  added: string,
  { print, io }: CommandContext,
  act: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await act();
  } catch (error) {
    printError(print, errorOf(error), io.env, added);
    if (isSimpleFunctionsError(error) && error.details?.reason === "turn_under_way")
      print.err(`  ${howToSettle}`);
    return true;
  }
}

async function takeTurn(
  chat: OpenChat,
  text: string | undefined,
  person: Person,
  { where, viewTerms }: TalkTerms,
  { io, print }: CommandContext,
): Promise<void> {
  const view = humanTurnView(viewTerms);
  const { signal, release } = interruptible(io, view.cancelling);
  try {
    const { pause } = view;
    const ask = askInTurn(chat, { person, print, where, signal, pause });
    io.entering?.({ type: "tool", name: "a tool of this chat" });
    const result = await driveTurn(chat, text, { view, signal, ask });
    view.ended(result);
    if (!isOver(result)) print.err({ text: howToSettle, style: "yellow" });
  } finally {
    release();
  }
}

/** A turn that a crash has left, or that waits for somebody, and what the session still waits to be granted. */
async function sayLeft({ session }: OpenChat, { print }: CommandContext): Promise<void> {
  const left = await session.left();
  if (left !== undefined) {
    const state = stateText(left.state as Parameters<typeof stateText>[0]);
    print.err({ text: "a turn is not over", style: "yellow" }, `: ${left.runId}  ${state}`);
    print.err(`  it began with: ${fitLine(left.text, mostSaid)}`);
    print.err(`  ${howToSettle}`);
  }
  const { pending } = await session.grants();
  if (pending.length > 0)
    print.err(`it has asked for ${pending.map(({ capability }) => capability).join(", ")}: /grants`);
  print.err({ text: "say something, or /help", style: "dim" });
}
