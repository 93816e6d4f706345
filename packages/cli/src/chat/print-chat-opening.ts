import type { Printer } from "../io/printer.ts";
import { counted } from "../runs/spent-text.ts";
import { modelText, policyText } from "../run/print-opening.ts";
import type { ChatOptions } from "./chat-options.ts";
import type { OpenChat } from "./open-chat.ts";
import { sandboxLines } from "./sandbox-told.ts";
import type { WantedChat } from "./wanted-chat.ts";

/** With what is spoken: whoever has said little is told what that means. */
export async function printChatOpening(
  { err }: Pick<Printer, "err">,
  { session, manifest, sandbox }: OpenChat,
  wanted: WantedChat,
  { pack = [], policy }: ChatOptions,
): Promise<void> {
  const line = (name: string, text: string) => err({ text: `${name.padEnd(11)}  ${text}`, style: "dim" });
  const { revision, recentMessages } = await session.checkpoint();
  const isNew = revision === 1;
  line(
    "session",
    `${session.id}, ${isNew ? "which begins" : `revision ${revision}, ${counted(recentMessages.length, "message")}`}`,
  );
  line("model", modelText(wanted.model));
  line(
    "tools",
    pack.length === 0 ? "none; --pack gives it some" : `${manifest.tools.length} of ${pack.join(", ")}`,
  );
  line("policy", policyText(wanted.policy, policy));
  for (const [name, text] of sandboxLines(sandbox)) line(name, text);
  const { length } = wanted.constraints;
  if (length > 0) line("constraints", `${length} of the operator's, which no model takes away`);
}
