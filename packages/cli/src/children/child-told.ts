// What a child does stands below its parent, further in, on lines that begin with the subagent's name. What its model says is not among
// it: that is for its parent, and on record.
import type { RuntimeEvent, Spent } from "@spfunctions/contracts";
import { asCommands } from "../io/as-commands.ts";
import type { Part, Printer } from "../io/printer.ts";
import { spentText } from "../runs/spent-text.ts";
import { fitLine } from "../trace/fit-line.ts";
import type { ToldOfChild } from "./told-children.ts";

type Err = Pick<Printer, "err">;

/** Of what was said, and is only to be recognised. */
const mostSaid = 300;

/** A printer for what a child does. */
function below({ err }: Err, { depth, name }: Pick<ToldOfChild, "depth" | "name">): Err {
  return { err: (...parts: readonly Part[]) => err(`${"  ".repeat(depth)}${name}: `, ...parts) };
}

/** Says how a child stands; what it does itself is told by `tell`. Nothing is printed of what nobody needs to know. */
export function childTold(
  print: Err,
  { event, spent, ...child }: ToldOfChild,
  options: string,
  tell: (print: Err, event: RuntimeEvent) => void,
): void {
  const text = standing(event, spent, options);
  const { err } = below(print, child);
  if (text !== undefined) err({ text, style: "dim" });
  else if ("runId" in event && isWorthTelling(event)) tell({ err }, event);
}

/** What only looks at something is told when it is done. */
function isWorthTelling(event: RuntimeEvent): boolean {
  if (event.type === "tool.started") return event.sideEffect !== "none";
  return event.type !== "model.started" && !event.type.startsWith("runtime.");
}

const modes = { wait: "and waited for", background: "and goes on in the background" } as const;

function standing(
  event: ToldOfChild["event"],
  spent: Spent | undefined,
  options: string,
): string | undefined {
  switch (event.type) {
    case "subagent.started":
      return `${event.childRunId} is started, ${modes[event.mode]}`;
    case "subagent.progress":
      return `${event.tool ?? "a tool"}: ${fitLine(event.text ?? "", mostSaid)}`;
    case "subagent.message":
      return `${event.direction === "to_parent" ? "asks" : "is told"}: ${fitLine(event.text, mostSaid)}`;
    case "subagent.rested":
      return restText(event);
    case "goes_on":
      return "goes on";
    case "subagent.completed":
      return `completed; ${spentText(spent ?? event.usage ?? {})}`;
    case "subagent.failed":
      return `${event.error.code}: ${asCommands(event.error.message, options)}; ${spentText(spent ?? {})}`;
    case "subagent.cancelled":
      return `cancelled; ${spentText(spent ?? {})}`;
    case "subagent.detached":
      return `${event.childRunId} goes on without its parent`;
    case "subagent.reclaimed":
      return `${event.childRunId} is its parent's again`;
    default:
      return undefined;
  }
}

function restText({ approvals, unknownEffects }: Extract<RuntimeEvent, { type: "subagent.rested" }>): string {
  const parts = [
    ...(approvals.length > 0 ? [`an answer to ${approvals.join(", ")}`] : []),
    ...(unknownEffects.length > 0 ? [`a word on what became of ${unknownEffects.join(", ")}`] : []),
  ];
  return `waits for ${parts.join(" and ") || "a person"}`;
}
