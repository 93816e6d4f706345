import type { JsonObject } from "@spfunctions/contracts";
import type { ModelCompleteResult, ModelEvent, ModelUsage } from "@spfunctions/kernel";
import type { ConversationNames } from "../conversation-names.ts";
import { readArguments } from "../read-arguments.ts";
import { countIn, listOf, membersOf, textOr } from "../wire/read-json.ts";
import { UnheardError } from "../wire/unheard-error.ts";
import { unpricedAnswer } from "../wire/unpriced-answer.ts";
import { answerText, answerTool } from "./answer-tool.ts";

type Block = {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly pieces: string[];
  isOpen: boolean;
};

/** Why an answer ended. What nobody knows, and a refusal in its middle, is no reason to believe it whole. */
const reasons = new Map<string, "whole" | "length">([
  ["end_turn", "whole"],
  ["stop_sequence", "whole"],
  ["tool_use", "whole"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
]);

/** An answer of the messages API, whole or as it comes: the same pieces come to the same answer. */
export class MessagesAnswer {
  readonly #names: ConversationNames;
  readonly #output: JsonObject | undefined;
  readonly #blocks = new Map<number, Block>();
  #reason = "";
  #counted: Record<string, unknown> = {};

  constructor(names: ConversationNames, output: JsonObject | undefined) {
    this.#names = names;
    this.#output = output;
  }

  /** Whether anything came that somebody may have to pay for. */
  get hasSaid(): boolean {
    return this.#blocks.size > 0;
  }

  /** A whole answer. */
  *takeMessage(message: unknown): Generator<ModelEvent> {
    const { content, stop_reason: reason, usage } = membersOf(message);
    for (const [index, block] of listOf(content).entries()) {
      const said = this.start(index, block);
      if (said !== undefined) yield said;
      this.stop(index);
    }
    this.#reason = textOr(reason, "");
    const counted = this.count(usage);
    if (counted !== undefined) yield { type: "usage", usage: counted };
  }

  /** `input` is empty where its pieces follow. */
  start(index: number, given: unknown): ModelEvent | undefined {
    const { type, id, name, text, input } = membersOf(given);
    if (this.#blocks.has(index)) throw new UnheardError("a part of the answer began twice");
    const block = {
      type: textOr(type, ""),
      id: textOr(id, ""),
      name: textOr(name, ""),
      pieces: [],
      isOpen: true,
    };
    this.#blocks.set(index, block);
    if (block.type === "text") return this.add(index, textOr(text, ""));
    const said = block.type === "tool_use" ? this.add(index, jsonOf(input)) : undefined;
    if (block.type !== "tool_use" || this.#isAnswer(block)) return said;
    const own = this.#names.tools.own(block.name);
    return { type: "tool_call.delta", id: block.id, name: own, args: jsonOf(input) };
  }

  add(index: number, piece: string): ModelEvent | undefined {
    const block = this.#blocks.get(index);
    if (block?.isOpen !== true) throw new UnheardError("a piece of the answer belongs to no part of it");
    if (piece === "") return undefined;
    block.pieces.push(piece);
    if (block.type === "text" || this.#isAnswer(block)) return { type: "text.delta", text: piece };
    return block.type === "tool_use" ? { type: "tool_call.delta", id: block.id, args: piece } : undefined;
  }

  stop(index: number): void {
    const block = this.#blocks.get(index);
    if (block !== undefined) block.isOpen = false;
  }

  end(delta: unknown): void {
    this.#reason = textOr(membersOf(delta)["stop_reason"], this.#reason);
  }

  /** Counts are of the whole answer so far: what is said last holds. */
  count(usage: unknown): ModelUsage | undefined {
    for (const [name, value] of Object.entries(membersOf(usage)))
      if (countIn(value) !== undefined) this.#counted[name] = value;
    return this.#usage();
  }

  result(name: string): ModelCompleteResult {
    const blocks = [...this.#blocks].toSorted(([one], [other]) => one - other).map(([, block]) => block);
    if (this.#reason === "" || blocks.some(({ isOpen }) => isOpen))
      throw new UnheardError(`${name}: the answer ended before its end`);
    const usage = this.#usage();
    if (usage === undefined) throw unpricedAnswer(name, "ask a server that says it");
    const known = reasons.get(this.#reason);
    const isCut = known === "length";
    // What was cut in its arguments may look whole, and is not what the model would have said.
    const read = (block: Block) => {
      const json = block.pieces.join("");
      return isCut && block === blocks.at(-1) ? json : readArguments(json);
    };
    const uses = blocks.filter(({ type }) => type === "tool_use");
    const answer = uses.find((block) => this.#isAnswer(block));
    const said = blocks.flatMap(({ type, pieces }) => (type === "text" ? pieces : [])).join("");
    const text = answer === undefined ? said : answerText(read(answer), this.#output ?? {});
    const toolCalls = uses
      .filter((block) => !this.#isAnswer(block))
      .map((block) => ({ id: block.id, name: this.#names.tools.own(block.name), args: read(block) }));
    const whole = toolCalls.length > 0 ? "tool_calls" : "stop";
    const finish = known === undefined ? "error" : isCut ? "length" : whole;
    return { ...(text !== "" && { text }), toolCalls, finish, usage };
  }

  #isAnswer({ type, name }: Block): boolean {
    return this.#output !== undefined && type === "tool_use" && name === answerTool;
  }

  /** What was written to a cache or read from it was put in, too. */
  #usage(): ModelUsage | undefined {
    const of = (name: string) => countIn(this.#counted[name]);
    const [own, outputTokens] = [of("input_tokens"), of("output_tokens")];
    if (own === undefined || outputTokens === undefined) return undefined;
    const cached = (of("cache_creation_input_tokens") ?? 0) + (of("cache_read_input_tokens") ?? 0);
    return { inputTokens: own + cached, outputTokens };
  }
}

/** Nothing where it is empty. */
function jsonOf(input: unknown): string {
  const json = JSON.stringify(input) ?? "";
  return json === "{}" ? "" : json;
}
