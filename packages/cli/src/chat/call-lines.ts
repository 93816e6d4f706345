// A call of a tool is one line: what is called with what, and what it has come to. Where somebody watches it, the line grows.
import type { JsonObject, JsonValue, RuntimeEvent } from "@spfunctions/contracts";
import { durationText } from "../call/five-answers.ts";
import { asCommands } from "../io/as-commands.ts";
import type { Printer } from "../io/printer.ts";
import { fitLine } from "../trace/fit-line.ts";

/** The arguments of a call, where they are known. */
type ArgsOf = (runId: string, callId: string) => Promise<JsonObject | undefined>;

type Print = Pick<Printer, "err" | "piece">;
type Terms = { readonly isSeenGrowing: boolean; readonly options: string; readonly argsOf: ArgsOf };

const mostArgs = 80;

export class CallLines {
  readonly #print: Print;
  readonly #terms: Terms;
  /** What calls are called here, by their ids. */
  readonly #names = new Map<string, string>();
  /** The call whose line is not ended. */
  #open: string | undefined;

  constructor(print: Print, terms: Terms) {
    this.#print = print;
    this.#terms = terms;
  }

  /** Whatever is said next begins on a line of its own. */
  end(): void {
    if (this.#open !== undefined) this.#print.err();
    this.#open = undefined;
  }

  /** Whether it was about a call, and is told. */
  async take(event: RuntimeEvent): Promise<boolean> {
    switch (event.type) {
      case "tool.resolved":
        return true;
      case "policy.checked":
        if (event.verdict.outcome === "deny") await this.#tell(event, `refused: ${event.verdict.reason}`);
        return true;
      case "approval.required":
        await this.#tell(event, `asked: ${event.reason}`);
        return true;
      case "approval.resolved":
        await this.#tell(event, `${event.approvalId} is ${event.status.replaceAll("_", " ")}`);
        return true;
      case "tool.started":
        await this.#begin(event);
        return true;
      case "tool.progress":
        await this.#tell(event, event.message);
        return true;
      case "tool.completed":
        await this.#tell(event, `completed in ${durationText(event.durationMs)}`);
        return true;
      case "tool.failed": {
        const { code, message } = event.error;
        await this.#tell(event, `${code}: ${asCommands(message, this.#terms.options)}`);
        return true;
      }
      default:
        return false;
    }
  }

  async #begin(event: Called): Promise<void> {
    const name = await this.#nameOf(event);
    if (!this.#terms.isSeenGrowing) return;
    this.end();
    this.#print.piece({ text: `${name} … `, style: "dim" });
    this.#open = event.callId;
  }

  async #tell(event: Called, text: string): Promise<void> {
    const name = await this.#nameOf(event);
    const isOpen = this.#open === event.callId;
    if (!isOpen) this.end();
    this.#print.err({ text: isOpen ? text : `${name} … ${text}`, style: "dim" });
    this.#open = undefined;
  }

  async #nameOf({ runId, callId, tool }: Called): Promise<string> {
    const known = this.#names.get(callId);
    if (known !== undefined) return known;
    const args = argsText((await this.#terms.argsOf(runId, callId)) ?? {});
    const name = args === "" ? tool : `${tool} ${args}`;
    this.#names.set(callId, name);
    return name;
  }
}

type Called = { readonly runId: string; readonly callId: string; readonly tool: string };

/** Enough to recognise a call. What matters most stands first in most tools, and texts say more than numbers. */
function argsText(args: JsonObject): string {
  const values = Object.values(args).filter((value) => value !== null && value !== "");
  return fitLine(values.map(valueText).join(" "), mostArgs);
}

function valueText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
