// Long runs of url-safe characters that give themselves away by their structure or by their own prefix.
import { afterEscape } from "./escape-before.ts";
import { endOfParts, skip } from "./finder.ts";
import { isOwnId } from "./is-reference.ts";
import { looksRandom } from "./looks-random.ts";
import type { Span } from "./span.ts";

/** Shorter ones are words, names and ids. */
export const shortestRun = 20;

/** A token may be broken into lines: so is what goes on like one in the next line, for long or up to a dot. */
const lineEnd = String.raw`(?:\r?\n|(?:\\{1,4}r)?\\{1,4}n)`;
const nextLine = String.raw`(?:${lineEnd}(?=[A-Za-z0-9_-]{20}|[A-Za-z0-9_-]{0,19}\.[A-Za-z0-9_-]{10})[A-Za-z0-9_-]{1,8192}){0,32}`;
const dot = String.raw`(?:${lineEnd})?\.(?:${lineEnd}(?=[A-Za-z0-9_-]{20}))?`;

/** What follows the first part of a JSON Web Token, signed (three parts, of which the last may be empty) or encrypted (five). */
const tokenRest = new RegExp(
  `${nextLine}${dot}[A-Za-z0-9_-]{0,8192}${nextLine}${dot}[A-Za-z0-9_-]{0,8192}${nextLine}(?:\\.[A-Za-z0-9_-]{8,8192}\\.[A-Za-z0-9_-]{8,128})?`,
  "y",
);
/** Where a JSON Web Token ends whose first part begins here; `from` if none does. */
export function endOfToken(text: string, from: number): number {
  const end = firstPart.test(text.slice(from, from + 8)) ? skip(oneRun, text, from) : from;
  const token = skip(tokenRest, text, end);
  return token > end + 10 ? token : from;
}

const oneRun = /[A-Za-z0-9_-]{1,8192}/y;
const firstPart = /^ey[IJ]/;
const inLines = new RegExp(`(?:[A-Za-z0-9_.-]{1,8192}|${lineEnd}){0,32}`, "y");

/** How much of a text decides about a run: of a token all of its lines. */
export function reachOfRun(text: string, from: number, end: number): number {
  return firstPart.test(text.slice(afterEscape(text, from), from + 16)) ? skip(inLines, text, end) + 1 : end;
}
const botRest = /\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}/y;
const mailgunKey = /^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}$/;
const walletKey = /^(?:[5KL][1-9A-HJ-NP-Za-km-z]{50,51}|S[A-Z2-7]{55})$/;

/** The secret that a run of url-safe characters is, or begins. `isInBase64`: it is a stretch of something longer. */
export function runSpan(text: string, from: number, end: number, isInBase64: boolean): Span | null {
  const start = afterEscape(text, from);
  if (end - start < shortestRun) return null;
  const run = text.slice(start, Math.min(end, start + 160));
  const token = firstPart.test(run) ? skip(tokenRest, text, end) : end;
  if (token > end + 10) return { start, end: endOfParts(text, token), kind: "jwt" };
  if (text.charAt(end) === ".") {
    const bot = /^[MNO]/.test(run) ? skip(botRest, text, end) : end;
    if (bot > end) return { start, end: bot, kind: "discord_token" };
  }
  if (!isInBase64 && walletKey.test(run) && looksRandom(run, 40) && !isBetweenSigns(text, from, end))
    return { start, end, kind: "wallet_key" };
  if (mailgunKey.test(run)) return { start, end, kind: "mailgun_key" };
  if (text.slice(Math.max(0, start - 3), start).match(driveMark) !== null) return null;
  return end - start <= maxPrefixed && isPrefixedKey(run) && !isInMessageId(text, start, end)
    ? { start, end: endOfParts(text, end), kind: "prefixed_key" }
    : null;
}

/** `b!…`: what Microsoft calls a drive. */
const driveMark = /(?:^|[^A-Za-z0-9])b!$/;

/** Base64 goes on before or behind it. */
function isBetweenSigns(text: string, start: number, end: number): boolean {
  return text.charAt(start - 1) === "+" || /^(?:[+/]|%2[BFbf])/.test(text.slice(end, end + 3));
}

/** `<…@mail.example.com>`: the id of a letter. */
function isInMessageId(text: string, start: number, end: number): boolean {
  return (
    messageHost.test(text.slice(end, end + 96)) &&
    messageStart.test(text.slice(Math.max(0, start - 96), start))
  );
}
const messageHost = /^@[A-Za-z0-9.-]{4,64}>/;
const messageStart = /<[A-Za-z0-9+=_.-]*$/;

/** Longer ones are data. */
const maxPrefixed = 512;

const prefixed = /^((?:[A-Za-z][A-Za-z0-9]{0,15}[_-]){1,4})([A-Za-z0-9-]{20,})/;

const keyWord =
  /^(?:sk|rk|sec|secret|key|apikey|api|token|tok|pat|prv|priv|private|live|prod|production|test|oauth|auth|access|refresh|bot|svc|service|admin|personal|server|sandbox|staging)$/i;

/** Whether one of the words before the random part says that it is a key: without one it may be an id, `tenant_…`. */
export function saysKey(run: string): boolean {
  const [, head = ""] = prefixed.exec(run) ?? [];
  return head.split(/[_-]/).some((word) => keyWord.test(word));
}

/** A vendor's name, not letters as they come. */
const vendorWord =
  /^(?:[a-z]{2,}[0-9]{0,4}|[A-Z]{2,}[0-9]{0,4}|[A-Za-z][a-z]+(?:[A-Z][a-z]+){0,3}[0-9]{0,2}|[a-z]{1,3}[0-9][a-z]{1,8})$/;

/** First words of ids that are meant to be seen. */
const idWord =
  /^(?:run|call|prj|eff|seg|step|appr|grant|cap|content|mem|msg|resp|req|request|chatcmpl|cmpl|toolu|tool|batch|thread|asst|file|vs|ws|cus|ch|in|evt|event|sub|prod|price|txn|acct|org|proj|project|user|usr|team|id|img|image|sha|sha1|sha256|md5|hash|commit|build|deploy|dpl|seat|agent|job|task|node|obj|item|page|post|doc|trace|span|session|conv|chunk|asset|main|vendor|index|app|static|font|style|css|bundle|order|ord|trd|int|intent|alr|wl|pi|pm|seti|src|tx|block|addr|rs|fc|ci|tsc|tso|cntr|cfile|eval|sess|srvtoolu|mcptoolu|tooluse|msgbatch|wrkspc|container|ctm|ntf|gen)$/i;

/** Ids of OpenAI's, which makes a new word for every kind of thing, and of Stripe's that say in which mode they were made. */
const providersId = /^(?:[a-z]{2,9}_[0-9a-f]{48}(?:[0-9a-f]{2})?|cs_(?:live|test)_[A-Za-z0-9]{50,80})$/;

/** With its place in a run where it has one. A UUID is an id unless its words say that it is a key. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:-\d{1,6}){0,2}$/i;

/** `acme_live_…`, `acme_…`: words, then a long random tail. Most vendors' own keys look so. */
function isPrefixedKey(run: string): boolean {
  if (isOwnId(run) || providersId.test(run)) return false;
  const [, head, tail] = prefixed.exec(run) ?? [];
  if (head === undefined || tail === undefined || !looksRandom(tail, 20)) return false;
  // The id of a key, not the key.
  if (/^key[_-]$/i.test(head) && tail.length <= 36) return false;
  const words = head.split(/[_-]/);
  if (words.some((word) => /^(?:pk|pub|public|publishable)$|pubk/i.test(word))) return false;
  if (words.some((word) => keyWord.test(word))) return true;
  const [first = ""] = words;
  // Random characters begin like a short name, too.
  if (!vendorWord.test(first) || (first.length < 3 && !/^[a-z]+$/.test(first))) return false;
  if (words.some((word) => /^[A-Za-z]$/.test(word))) return false;
  return head.endsWith("_") && tail.length >= 26 && !idWord.test(words[0] ?? "") && !uuid.test(tail);
}
