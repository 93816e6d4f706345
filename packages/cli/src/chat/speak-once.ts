// One turn, for whoever sits at no prompt: what was said, what was left, or giving that up.
import type { TurnResult } from "@spfunctions/agent/spectator";
import { InvalidTransitionError } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { isAtTerminal, Person } from "../io/person.ts";
import { askInTurn } from "./ask-in-turn.ts";
import type { ChatOptions } from "./chat-options.ts";
import { type AskInTurn, driveTurn } from "./drive-turn.ts";
import { exitOfTurn } from "./exit-of-turn.ts";
import { sayHowToGoOn, sayWhatIsWanted } from "./how-to-go-on.ts";
import type { OpenChat } from "./open-chat.ts";
import type { TalkTerms } from "./talk.ts";
import type { TurnView } from "./turn-view.ts";

/** How `sf` is to exit. */
export async function speakOnce(
  chat: OpenChat,
  said: string | undefined,
  { view, ...terms }: TalkTerms & { readonly view: TurnView },
  context: CommandContext,
): Promise<number> {
  const { io, print } = context;
  const { options } = terms;
  io.signal.addEventListener("abort", view.cancelling, { once: true });
  io.entering?.({ type: "tool", name: "a tool of this chat" });
  const result =
    options.cancel === true
      ? await givenUp(chat)
      : await driveTurn(chat, said, {
          view,
          signal: io.signal,
          ask: askAtTerminal(chat, terms, view, context),
        });
  view.ended(result);
  sayHowToGoOn(result, terms, print);
  await sayWhatIsWanted(result, chat, terms, print);
  return options.cancel === true ? 0 : exitOfTurn(result, io.signal);
}

async function givenUp({ session }: OpenChat): Promise<TurnResult> {
  const result = await session.cancel();
  if (result !== undefined) return result;
  throw new InvalidTransitionError(`the session ${session.id} has no turn to give up`, {
    details: { sessionId: session.id, reason: "no_turn" },
  });
}

/** Where a person sits there and nothing but them reads what is said. */
function askAtTerminal(
  chat: OpenChat,
  { options, where }: Pick<TalkTerms, "options" | "where">,
  { pause }: TurnView,
  { io, print }: CommandContext,
): AskInTurn | undefined {
  if (isForPrograms(options) || !isAtTerminal(io)) return undefined;
  return askInTurn(chat, { person: new Person(io), print, where, signal: io.signal, pause });
}

export function isForPrograms({ json, ndjson }: Pick<ChatOptions, "json" | "ndjson">): boolean {
  return json === true || ndjson === true;
}
