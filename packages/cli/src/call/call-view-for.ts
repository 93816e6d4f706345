import type { CommandContext } from "../command-line/command-context.ts";
import { type AskedPlace, waitingTold } from "../approvals/say-what-is-asked.ts";
import { type GivenTools, toolsWords } from "../packs/tools-words.ts";
import type { CallView } from "./call-view.ts";
import { humanView } from "./human-view.ts";
import { jsonView } from "./json-view.ts";
import { ndjsonView } from "./ndjson-view.ts";

export type ViewOptions = GivenTools & {
  readonly json?: true;
  readonly ndjson?: true;
  readonly waitForApproval?: true;
};

/** How whoever asked wants to see a call; whatever they read it with, what it waits for is told to a person. */
export function callViewFor(options: ViewOptions, context: ViewContext, place: AskedPlace): CallView {
  const view = viewFor(options, context, place);
  if (options.waitForApproval !== true) return view;
  const tell = waitingTold(context.print, place);
  return {
    ...view,
    event: (event, question) => {
      view.event(event);
      tell(event, question);
    },
  };
}

type ViewContext = Pick<CommandContext, "print" | "io">;

function viewFor(options: ViewOptions, { print, io }: ViewContext, place: AskedPlace): CallView {
  const { json, ndjson } = options;
  const terms = { print, env: io.env, place, tools: toolsWords(options) };
  if (ndjson === true) return ndjsonView(terms, Date.now);
  return json === true ? jsonView(terms) : humanView(terms);
}
