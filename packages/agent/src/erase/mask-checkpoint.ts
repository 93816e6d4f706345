// What of a checkpoint is left. Notes go; a message stays where it stood and says that it is erased, so that what comes after it stands in
// the same place.
import type { CheckpointWire } from "@spfunctions/contracts";

const erasedText = "(erased)";

const lists = ["goals", "open_loops", "decisions", "constraints", "memory_tags"] as const;
type List = (typeof lists)[number];

/** What stood there before the call, and stays. */
export class Keeps {
  readonly #lists = new Map<List, Set<string>>(lists.map((name) => [name, new Set()]));
  readonly #messages = new Set<string>();
  readonly #summaries = new Set<string>();
  /** The last one that stays. */
  summary = "";

  constructor(...checkpoints: readonly CheckpointWire[]) {
    for (const checkpoint of checkpoints) this.add(checkpoint);
  }

  add({ state, recent_messages: messages }: CheckpointWire): void {
    for (const name of lists) for (const item of state[name]) this.#lists.get(name)?.add(item);
    for (const { role, content } of messages)
      if (content !== erasedText) this.#messages.add(`${role} ${content}`);
    this.#summaries.add(state.episode_summary);
    this.summary = state.episode_summary;
  }

  /** What stays by either. */
  with(other: Keeps): Keeps {
    const both = new Keeps();
    for (const one of [this, other]) {
      for (const name of lists)
        for (const item of one.#lists.get(name) ?? []) both.#lists.get(name)?.add(item);
      for (const message of one.#messages) both.#messages.add(message);
      for (const summary of one.#summaries) both.#summaries.add(summary);
    }
    return both;
  }

  has(list: List, item: string): boolean {
    return this.#lists.get(list)?.has(item) === true;
  }

  hasMessage({ role, content }: CheckpointWire["recent_messages"][number]): boolean {
    return this.#messages.has(`${role} ${content}`);
  }

  hasSummary(text: string): boolean {
    return this.#summaries.has(text);
  }

  /** Whether a text is a part of a message that stays. */
  hasPart(text: string): boolean {
    for (const message of this.#messages) if (message.includes(text)) return true;
    return false;
  }
}

export type Masking = {
  /** What a turn that had seen the call has added is not in it. Nothing where no such turn has. */
  readonly keeps?: Keeps | undefined;
  /** Whether a text has words of the call. */
  readonly isCopy: (text: string) => boolean;
  /** The operator's, which come first. */
  readonly operatorConstraints: number;
};

/** What users have said stays, unless it has the call's own words. */
export function maskCheckpoint(
  { state, recent_messages: messages, ...rest }: CheckpointWire,
  { keeps, isCopy, operatorConstraints }: Masking,
): CheckpointWire {
  const itemsOf = (name: List) =>
    state[name].filter((item, index) => {
      if (name === "constraints" && index < operatorConstraints) return true;
      return (keeps === undefined || keeps.has(name, item)) && !isCopy(item);
    });
  const { episode_summary: summary } = state;
  const told = keeps === undefined || keeps.hasSummary(summary) ? summary : keeps.summary;
  return {
    ...rest,
    state: {
      ...state,
      goals: itemsOf("goals"),
      open_loops: itemsOf("open_loops"),
      decisions: itemsOf("decisions"),
      constraints: itemsOf("constraints"),
      memory_tags: itemsOf("memory_tags"),
      episode_summary: withoutCopies(told, isCopy),
    },
    recent_messages: messages.map((message) => {
      const { role, content } = message;
      const stays = role === "user" || keeps === undefined || keeps.hasMessage(message);
      return content === erasedText || (stays && !isCopy(content)) ? message : { role, content: erasedText };
    }),
  };
}

/** A summary quotes line by line; what is left is the other lines. */
function withoutCopies(summary: string, isCopy: Masking["isCopy"]): string {
  if (!isCopy(summary)) return summary;
  const left = summary
    .split("\n")
    .filter((line) => !isCopy(line))
    .join("\n");
  return isCopy(left) ? "" : left;
}
