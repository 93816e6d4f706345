import type { CapabilityGrant, CapabilityHolder, GrantScope } from "@spfunctions/contracts";
import { momentText, whoText } from "../approvals/approval-facts.ts";
import { type Printer, whole } from "../io/printer.ts";

type Place = { readonly where: string; readonly options: string };

/** All that is known of one, and which commands answer it. */
export function printGrant(
  print: Pick<Printer, "out">,
  grant: CapabilityGrant,
  { where, options }: Place,
  now: number,
): void {
  printKnown(print, grant, where, now);
  for (const text of howToAnswer(grant, options, now)) print.out(whole(`  ${text}`));
}

/** All that is known of one. */
export function printKnown(
  print: Pick<Printer, "out">,
  grant: CapabilityGrant,
  where: string,
  now: number,
): void {
  const { grantId, capability, asker, holder, reason, readBefore = [], createdAt } = grant;
  const line = (name: string, text: string) =>
    print.out("  ", { text: name.padEnd(7), style: "dim" }, "  ", text);
  print.out({ text: grantId, style: "bold" }, `  ${capability}  ${standing(grant, now)}`);
  if (asker !== undefined)
    line("who", `${whoText(asker)}${asker.runId === undefined ? "" : ` (${asker.runId})`}`);
  line("for", holderText(holder));
  if (reason !== undefined) line("why", reason);
  for (const text of readBefore.length === 0 ? [] : readLines(readBefore)) line(text.name, text.line);
  line(asker === undefined ? "since" : "asked", momentText(createdAt, now));
  for (const text of decided(grant, now)) line("decided", text);
  line("where", where);
}

/** Words of others, each on a line that looks like none of ours. */
function readLines(readBefore: readonly string[]): { readonly name: string; readonly line: string }[] {
  const first =
    "just before, which may be where the wish comes from; these are not the asker's words, nor ours:";
  return [{ name: "read", line: first }, ...readBefore.map((text) => ({ name: "", line: `│ ${text}` }))];
}

/** What it is now: what has run out is kept as it was. */
function standing(grant: CapabilityGrant, now: number): string {
  const { status, scope, expiresAt } = grant;
  const until = momentText(expiresAt, now);
  const isOver = now >= Date.parse(expiresAt);
  if (status === "pending")
    return isOver ? `ran out unanswered ${until}` : `waits for an answer until ${until}`;
  if (status === "granted")
    return `granted ${scopeText(scope)}, ${isOver ? `and ran out ${until}` : `until ${until}`}`;
  return status;
}

const scopeWords: Readonly<Record<GrantScope, string>> = {
  once: "for one call",
  turn: "for its run and all below it",
  session: "for its session",
  until: "for any number of calls",
};

export function scopeText(scope: GrantScope = "once"): string {
  return scopeWords[scope];
}

export function holderText({ accountId, keyId, sessionId, runId }: CapabilityHolder): string {
  const named = [
    ...(keyId === undefined ? [] : [`key ${keyId}`]),
    ...(sessionId === undefined ? [] : [`session ${sessionId}`]),
    ...(runId === undefined ? [] : [`run ${runId}`]),
  ];
  return `${named.length === 0 ? "everybody" : named.join(", ")} in account ${accountId}`;
}

function decided({ decidedBy, decidedAt, note, usedBy }: CapabilityGrant, now: number): string[] {
  if (decidedBy === undefined) return [];
  const when = decidedAt === undefined ? "" : `, ${momentText(decidedAt, now)}`;
  return [
    `by ${whoText(decidedBy)}${when}`,
    ...(note === undefined ? [] : [`and says: ${note}`]),
    ...(usedBy === undefined ? [] : [`used by ${usedBy}`]),
  ];
}

/** As commands; none where nothing can be said any more. */
function howToAnswer(
  { grantId, status, expiresAt }: CapabilityGrant,
  options: string,
  now: number,
): string[] {
  if (now >= Date.parse(expiresAt)) return [];
  if (status === "granted") return [`to end it: sf grants revoke ${grantId}${options}`];
  return status === "pending" ? howToAnswerQuestion(grantId, options) : [];
}

/** `isOver`: the run that has asked has ended, and one call of it will never come. */
export function howToAnswerQuestion(grantId: string, options: string, isOver = false): string[] {
  return [
    ...(isOver ? [] : [`to grant it, for one call: sf grants grant ${grantId}${options}`]),
    `to grant it for an hour:   sf grants grant ${grantId} --for 1h${options}`,
    `to deny it:                sf grants deny ${grantId} --note "why"${options}`,
  ];
}
