import type { CheckpointDiff } from "@spfunctions/agent/spectator";
import type { AgentState, RevisionCause } from "@spfunctions/contracts";
import { printTable } from "../../io/print-table.ts";
import type { Printer } from "../../io/printer.ts";
import { counted } from "../../runs/spent-text.ts";
import { condensedText } from "../condensed-text.ts";
import { BadWords, revisionOf, type SlashCommand, wordsOf } from "./slash-command.ts";

type Out = Pick<Printer, "out">;

const names: readonly (readonly [keyof AgentState, string])[] = [
  ["goals", "goals"],
  ["openLoops", "open loops"],
  ["decisions", "decisions"],
  ["constraints", "constraints"],
  ["memoryTags", "memory tags"],
  ["memoryRefs", "cited memories"],
  ["capabilitiesGranted", "granted, at the last turn's end"],
  ["capabilitiesPending", "asked for, at the last turn's end"],
];

function list({ out }: Out, name: string, items: readonly string[], mark = "-"): void {
  if (items.length > 0) out({ text: name, style: "bold" });
  for (const item of items) out(`  ${mark} ${item}`);
}

const state: SlashCommand = {
  name: "state",
  about: "what it keeps for itself: goals, open loops, decisions, constraints, summary",
  run: async (_, { chat: { session }, print }) => {
    const { revision, state: kept, recentMessages } = await session.checkpoint();
    print.out(`${session.id}, revision ${revision}, ${counted(recentMessages.length, "message")}`);
    for (const [key, name] of names) list(print, name, kept[key] as readonly string[]);
    list(print, "summary", kept.episodeSummary === "" ? [] : kept.episodeSummary.split("\n"), "│");
    const isEmpty = names.every(([key]) => kept[key].length === 0) && kept.episodeSummary === "";
    if (isEmpty) print.out("it has noted nothing yet");
  },
};

const undo: SlashCommand = {
  name: "undo",
  takes: "[revision]",
  about: "make it as it was before the last turn, or at a revision; that is one revision more",
  run: async (rest, { chat: { session }, print }) => {
    const [word] = wordsOf(rest, 1, "/undo, or /undo <revision>");
    const from = (await session.checkpoint()).revision;
    const to = revisionOf(word) ?? from - 1;
    const { revision } = await session.undo(to);
    print.out(`revision ${revision} is a copy of revision ${to}; what tools have done is not undone`);
    printDiff(print, await session.diff(from, revision));
  },
};

const fork: SlashCommand = {
  name: "fork",
  takes: "<session>",
  about: "begin another session that goes on from here; what was granted stays behind",
  run: async (rest, { chat: { session }, print, chatOf }) => {
    const [id] = wordsOf(rest, 1, "/fork <session>");
    if (id === undefined) throw new BadWords("/fork <session>: say what the other one is called");
    const other = await session.fork(id);
    print.out(`${other.id} goes on from here: ${chatOf(other.id)}`);
  },
};

const diff: SlashCommand = {
  name: "diff",
  takes: "[from] [to]",
  about: "what has changed between two revisions; the last two unless given",
  run: async (rest, { chat: { session }, print }) => {
    const [from, to] = wordsOf(rest, 2, "/diff, /diff <from>, or /diff <from> <to>").map(revisionOf);
    const { revision } = await session.checkpoint();
    if (from === undefined && revision === 1)
      return print.out("there is one revision, and nothing to compare it with");
    printDiff(print, await session.diff(from ?? revision - 1, to));
  },
};

function printDiff(print: Out, { revision, lists, episodeSummary, messages }: CheckpointDiff): void {
  print.out(`from revision ${revision.from} to ${revision.to}`);
  for (const [key, name] of names) {
    const { added, removed, reordered } = lists[key as keyof typeof lists] ?? {};
    if (added === undefined || removed === undefined) continue;
    print.out({ text: name, style: "bold" }, reordered === true ? "  in another order" : "");
    for (const item of removed) print.out({ text: `  - ${item}`, style: "red" });
    for (const item of added) print.out({ text: `  + ${item}`, style: "green" });
  }
  if (episodeSummary !== undefined) {
    print.out({ text: "summary", style: "bold" });
    if (episodeSummary.before !== "") print.out({ text: `  - ${episodeSummary.before}`, style: "red" });
    if (episodeSummary.after !== "") print.out({ text: `  + ${episodeSummary.after}`, style: "green" });
  }
  const { added, dropped } = messages;
  print.out(`  ${counted(added, "message")} more, ${counted(dropped, "message")} less`);
}

const history: SlashCommand = {
  name: "history",
  takes: "[how many]",
  about: "its last revisions, and why there is each",
  run: async (rest, { chat: { session }, print }) => {
    const [word] = wordsOf(rest, 1, "/history, or /history <how many>");
    const limit = revisionOf(word) ?? 20;
    const entries = await session.history({ limit: Math.min(limit, 1000) });
    printTable(print, entries, [
      ["revision", ({ revision }) => String(revision)],
      ["when", ({ updatedTs }) => new Date(updatedTs * 1000).toISOString().slice(0, 19).replace("T", " ")],
      ["why", ({ cause }) => causeText(cause)],
      ["hash", ({ hash }) => `${hash.slice(0, 19)}…`],
    ]);
  },
};

function causeText(cause: RevisionCause): string {
  switch (cause.type) {
    case "turn":
      return `turn ${cause.runId}`;
    case "condensed":
      return `condensed ${cause.how}`;
    case "undone":
      return `as at revision ${cause.to}`;
    case "forked":
      return `from ${cause.from.sessionId}, revision ${cause.from.revision}`;
    default:
      return cause.type;
  }
}

const condense: SlashCommand = {
  name: "condense",
  takes: "[smart]",
  about: "show it less of what was said; smart asks the model for a summary",
  run: async (rest, { chat: { session }, print }) => {
    const [word] = wordsOf(rest, 1, "/condense, or /condense smart");
    if (word !== undefined && word !== "smart") throw new BadWords("/condense, or /condense smart");
    const condensed = await session.condense(word ?? "now");
    print.out(condensed === undefined ? "there is nothing to condense yet" : condensedText(condensed));
  },
};

const verify: SlashCommand = {
  name: "verify",
  about: "look through all its revisions: whether each is there, unchanged, and continues the one before",
  run: async (_, { chat: { session }, print }) => {
    const { isWhole, revisions, problems, moreProblems } = await session.verify();
    if (isWhole) return print.out({ text: "whole", style: "green" }, `: ${counted(revisions, "revision")}`);
    print.out({ text: "not whole", style: ["bold", "red"] }, `: ${counted(revisions, "revision")} found`);
    for (const { reason, message } of problems) print.out(`  ${reason}: ${message}`);
    if (moreProblems > 0) print.out(`  and ${moreProblems} more`);
  },
};

export const stateCommands: readonly SlashCommand[] = [state, undo, fork, diff, history, condense, verify];
