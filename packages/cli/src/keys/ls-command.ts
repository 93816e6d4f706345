import type { CommandContext } from "../command-line/command-context.ts";
import { printTable } from "../io/print-table.ts";
import { askOperator } from "./ask-operator.ts";
import type { KeysOptions } from "./keys-options.ts";
import type { KeyView } from "./made-key.ts";

export async function listKeys(options: KeysOptions, context: CommandContext): Promise<void> {
  const { io, print } = context;
  const keys = await askOperator(options, context, {
    ask: async (client) => {
      const found: KeyView[] = [];
      for await (const key of client.keys.list({ limit: 100 }, { signal: io.signal })) found.push(key);
      return found;
    },
    whenUnknown: "ask again",
  });
  if (options.json === true) {
    print.json({ ok: true, keys }, 2);
    return;
  }
  printTable<KeyView>(print, keys, [
    ["id", ({ keyId }) => keyId],
    ["name", ({ name }) => name],
    ["scopes", ({ scopes }) => scopes.join(" ")],
    ["created", ({ createdAt }) => minuteOf(createdAt)],
    ["expires", ({ expiresAt }) => minuteOf(expiresAt)],
    ["last used", ({ lastUsedAt }) => minuteOf(lastUsedAt)],
    ["status", (key) => statusText(key, Date.now())],
    ["a person approves", approvalsText],
  ]);
  print.err({ text: `${keys.length} ${keys.length === 1 ? "key" : "keys"}, times in UTC`, style: "dim" });
}

/** How long the secret before the last is good after a rotation: a platform says when it was rotated. */
const dayMs = 24 * 3_600_000;

function statusText({ status, rotatedAt, expiresAt }: KeyView, now: number): string {
  if (status !== "active" || rotatedAt === undefined) return status;
  const ends = [Date.parse(rotatedAt) + dayMs, ...(expiresAt === undefined ? [] : [Date.parse(expiresAt)])];
  const until = Math.min(...ends);
  return until > now ? `${status}, its old secret until ${minuteOf(new Date(until).toISOString())}` : status;
}

/** What of a key's calls a person must approve by its own terms. */
function approvalsText({ approvals = {} }: KeyView): string {
  const { requireForSideEffectAtOrAbove, requireForCostEffectAtOrAbove, ttlMs, approvers = [] } = approvals;
  const asked = [requireForSideEffectAtOrAbove, requireForCostEffectAtOrAbove].filter(
    (one) => one !== undefined,
  );
  if (asked.length === 0) return "nothing";
  const times = ttlMs === undefined ? [] : [`for ${ttlMs} ms`];
  const also = approvers.map((keyId) => `also ${keyId}`);
  return [...asked.map((one) => `from ${one}`), ...times, ...also].join(", ");
}

function minuteOf(time: string | undefined): string {
  return time === undefined ? "never" : time.slice(0, 16).replace("T", " ");
}
