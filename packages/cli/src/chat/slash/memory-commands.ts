import { type MemoryItem, trustOf } from "@spfunctions/contracts";
import type { Printer } from "../../io/printer.ts";
import { fitLine } from "../../trace/fit-line.ts";
import { BadWords, type SlashCommand, type SlashDesk, wordsOf } from "./slash-command.ts";

const mostShown = 20;
const mostText = 300;

type Hit = Awaited<ReturnType<SlashDesk["chat"]["agent"]["memory"]["retrieve"]>>["hits"][number];

function memoryOf({ chat: { agent } }: SlashDesk) {
  return agent.memory;
}

const memory: SlashCommand = {
  name: "memory",
  takes: "[words]",
  about: "what it remembers: by words, with why each is found; without words, some of it",
  run: async (rest, desk) => await (rest === "" ? listSome(desk) : find(rest, desk)),
};

async function listSome(desk: SlashDesk): Promise<void> {
  const { print } = desk;
  const { items, next } = await memoryOf(desk).list({ limit: mostShown });
  if (items.length === 0) print.out("it remembers nothing yet");
  for (const item of items) printMemory(print, item);
  if (next !== undefined) print.out("there may be more: /memory <words> finds it");
}

async function find(text: string, desk: SlashDesk): Promise<void> {
  const { print } = desk;
  const { hits, troubles } = await memoryOf(desk).retrieve({ text, limit: mostShown });
  for (const { message } of troubles) print.err({ text: "note", style: "yellow" }, `: ${message}`);
  if (hits.length === 0) print.out("nothing is found by these words");
  for (const hit of hits) printMemory(print, hit.item, whyText(hit));
}

function whyText({ score, ranks, matched }: Hit): string {
  const why = [
    ...(ranks.bm25 === undefined ? [] : [`${ranks.bm25} by its words`]),
    ...(ranks.embedding === undefined ? [] : [`${ranks.embedding} by its meaning`]),
    ...(matched.length === 0 ? [] : [`has ${matched.join(", ")}`]),
  ].join("; ");
  return `  score ${score.toFixed(3)}${why === "" ? "" : ` (${why})`}`;
}

const trustText = {
  operator: "an operator's word",
  user: "a user's word",
  untrusted: "not trusted: it may be anybody's word",
} as const;

function printMemory({ out }: Pick<Printer, "out">, item: MemoryItem, why = ""): void {
  const { type, sessionId, revision, name } = item.source;
  const from = [
    `from ${type}${name === undefined ? "" : ` ${name}`}`,
    ...(sessionId === undefined ? [] : [`session ${sessionId}`]),
    ...(revision === undefined ? [] : [`revision ${revision}`]),
    item.createdAt.slice(0, 19).replace("T", " "),
  ].join(", ");
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
    const { memoryId } = await memoryOf(desk).remember({ text: rest, source });
    print.out(`it is remembered as ${memoryId}; /memory finds it, /forget takes it back`);
  },
};

const forget: SlashCommand = {
  name: "forget",
  takes: "<id>",
  about: "take something out of its memory for good",
  run: async (rest, desk) => {
    const [id] = wordsOf(rest, 1, "/forget <id>");
    if (id === undefined) throw new BadWords("/forget <id>, as /memory lists them");
    const wasThere = await memoryOf(desk).forget(id);
    desk.print.out(wasThere ? `${id} is forgotten` : `there is no ${id} in its memory`);
  },
};

export const memoryCommands: readonly SlashCommand[] = [memory, remember, forget];
