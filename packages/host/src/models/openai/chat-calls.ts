// Servers differ in how they number the calls of a stream: some give no index, some give every call index 0, some bring them out of
// order, some repeat id and name in every piece or leave them out. Two calls never become one, and one never two.
import type { ModelEvent, ModelToolCall } from "@spfunctions/kernel";
import type { ConversationNames } from "../conversation-names.ts";
import { readArguments } from "../read-arguments.ts";
import { membersOf, textOr } from "../wire/read-json.ts";

type Slot = {
  readonly id: string;
  /** The provider's own id, which may come late. */
  given: string;
  readonly index: number;
  name: string;
  readonly pieces: string[];
};

export class ChatCalls {
  readonly #names: ConversationNames;
  readonly #slots: Slot[] = [];
  readonly #byIndex = new Map<number, Slot>();
  readonly #byId = new Map<string, Slot>();

  constructor(names: ConversationNames) {
    this.#names = names;
  }

  /** A piece of a call, or a whole one. */
  take(piece: unknown): ModelEvent {
    const { id, index, function: called } = membersOf(piece);
    const { name, arguments: args } = membersOf(called);
    const said = {
      id: textOr(id, ""),
      index: Number.isSafeInteger(index) ? (index as number) : undefined,
      name: textOr(name, ""),
      args: typeof args === "string" ? args : args === undefined || args === null ? "" : JSON.stringify(args),
    };
    const slot = this.#slotOf(said) ?? this.#open(said);
    const isNamed = said.name !== "" && said.name !== slot.name;
    if (isNamed) slot.name += said.name;
    if (slot.given === "" && said.id !== "") slot.given = said.id;
    if (said.args !== "") slot.pieces.push(said.args);
    const own = isNamed ? { name: this.#names.tools.own(slot.name) } : {};
    return { type: "tool_call.delta", id: slot.id, ...own, args: said.args };
  }

  toolCalls(): ModelToolCall[] {
    return this.#slots
      .filter(({ name, pieces }) => name !== "" || pieces.length > 0)
      .toSorted((one, other) => one.index - other.index)
      .map(({ id, name, pieces }) => ({
        id,
        name: this.#names.tools.own(name),
        args: readArguments(pieces.join("")),
      }));
  }

  #slotOf({ id, index, name, args }: Said): Slot | undefined {
    const known = id === "" ? undefined : this.#byId.get(id);
    if (index === undefined) {
      if (id !== "") return known;
      const last = this.#slots.at(-1);
      return last !== undefined && !isAnother(last, name, args) ? last : undefined;
    }
    const there = this.#byIndex.get(index);
    if (there === undefined) return undefined;
    if (id === "") return isAnother(there, name, args) ? undefined : there;
    if (there.given === "" || there.given === id) return there;
    return known?.index === index ? known : undefined;
  }

  #open({ id, index }: Said): Slot {
    const place = this.#slots.length;
    // Some give all of an answer's calls one id; whoever answers them has to tell them apart.
    const own = id === "" || this.#byId.has(id) ? `call_${this.#names.turn + 1}_${place + 1}` : id;
    const slot = { id: own, given: id, index: index ?? place, name: "", pieces: [] };
    this.#slots.push(slot);
    this.#byIndex.set(slot.index, slot);
    if (id !== "" && !this.#byId.has(id)) this.#byId.set(id, slot);
    return slot;
  }
}

type Said = {
  readonly id: string;
  readonly index: number | undefined;
  readonly name: string;
  readonly args: string;
};

/** Whether a piece without an id begins a call of its own: it has a name, and the call before has arguments already. */
function isAnother({ name: before, pieces }: Slot, name: string, args: string): boolean {
  if (name === "" || pieces.length === 0) return false;
  return name !== before || (args.startsWith("{") && pieces.at(-1)?.endsWith("}") === true);
}
