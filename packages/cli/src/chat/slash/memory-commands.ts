import { type MemoryItem, trustOf } from "@spfunctions/contracts";
import type { Printer } from "../../io/printer.ts";
import { fitLine } from "../../trace/fit-line.ts";
import { BadWords, type SlashCommand, type SlashDesk, wordsOf } from "./slash-command.ts";

/** What was found, and why it stands where it does. */
type Hit = {
  readonly item: MemoryItem;
  readonly score: number;
  /** Where it stands by its words, and by its meaning. */
  readonly ranks?: { readonly bm25?: number; readonly embedding?: number } | undefined;
};

/** What the terminal needs of an agent's memory. */
type ChatMemory = {
  remember(given: {
    readonly text: string;
    readonly tags: readonly string[];
    readonly source: MemoryItem["source"];
  }): Promise<unknown>;
  retrieve(query: {
    readonly text: string;
    readonly limit: number;
  }): Promise<{ readonly hits: readonly Hit[] }>;
  forget(memoryId: string): Promise<unknown>;
  list(terms: { readonly limit: number }): Promise<readonly MemoryItem[]>;
};

const mostShown = 20;
const mostText = 300;

function memoryOf({ chat: { agent } }: SlashDesk): ChatMemory {
  return agent.memory as unknown as ChatMemory;
}

const memory: SlashCommand = {
  name: "memory",
  takes: "[words]",
  about: "what it remembers: by words, with why it is found; the latest unless given",
  run: async (rest, desk) => {
    const { print } = desk;
    const hits: readonly (Omit<Hit, "score"> & { readonly score?: number })[] =
      rest === ""
        ? (await memoryOf(desk).list({ limit: mostShown })).map((item) => ({ item }))
        : (await memoryOf(desk).retrieve({ text: rest, limit: mostShown })).hits;
    if (hits.length === 0)
      print.out(rest === "" ? "it remembers nothing yet" : "nothing is found by these words");
    for (const hit of hits) printMemory(print, hit);
  },
};

const trustText = {
  operator: "an operator's word",
  user: "a user's word",
  untrusted: "not trusted: it may be anybody's word",
} as const;

function printMemory(
  { out }: Pick<Printer, "out">,
  { item, score, ranks = {} }: Omit<Hit, "score"> & { readonly score?: number },
): void {
  const { type, sessionId, revision, name } = item.source;
  const from = [
    `from ${type}${name === undefined ? "" : ` ${name}`}`,
    ...(sessionId === undefined
      ? []
      : [`session ${sessionId}${revision === undefined ? "" : `, revision ${revision}`}`]),
    item.createdAt.slice(0, 19).replace("T", " "),
  ].join(", ");
  const places = [
    ...(ranks.bm25 === undefined ? [] : [`${ranks.bm25} by its words`]),
    ...(ranks.embedding === undefined ? [] : [`${ranks.embedding} by its meaning`]),
  ].join(", ");
  const why = score === undefined ? "" : `  score ${score.toFixed(3)}${places === "" ? "" : ` (${places})`}`;
  out({ text: item.memoryId, style: "bold" }, why);
  out({ text: `  ${trustText[trustOf(item)]}; ${from}`, style: "dim" });
  if (item.tags.length > 0) out({ text: `  tags ${item.tags.join(", ")}`, style: "dim" });
  out(`  │ ${fitLine(item.text, mostText)}`);
}

const remember: SlashCommand = {
  name: "remember",
  takes: "<text>",
  about: "keep a text in its memory, as your word",
  run: async (rest, desk) => {
    if (rest === "") throw new BadWords("/remember <text>");
    const { chat, print } = desk;
    const { revision } = await chat.session.checkpoint();
    const source = { type: "user", sessionId: chat.session.id, revision } as MemoryItem["source"];
    await memoryOf(desk).remember({ text: rest, tags: [], source });
    print.out("it is remembered; /memory finds it");
  },
};

const forget: SlashCommand = {
  name: "forget",
  takes: "<id>",
  about: "take something out of its memory for good",
  run: async (rest, desk) => {
    const [id] = wordsOf(rest, 1, "/forget <id>");
    if (id === undefined) throw new BadWords("/forget <id>, as /memory lists them");
    const was = await memoryOf(desk).forget(id);
    desk.print.out(
      was === false || was === undefined ? `there is no ${id} in its memory` : `${id} is forgotten`,
    );
  },
};

export const memoryCommands: readonly SlashCommand[] = [memory, remember, forget];
