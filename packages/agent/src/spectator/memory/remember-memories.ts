// S1: what is kept is redacted first, and cut or split only then, because half a secret is one that nobody would know again.
import {
  cutText,
  InvalidInputError,
  type MemoryId,
  type MemoryItem,
  memoryItemSchema,
  parseAtDoor,
  redactText,
  SecretRegistry,
} from "@spfunctions/contracts";
import type { DocumentWrite, StoredDocument } from "@spfunctions/kernel";
import {
  memoryIdOf,
  memoryIn,
  memoryKind,
  putMemory,
  searchTextOf,
  vectorKind,
} from "../../kept/kept-memory.ts";
import { putVector } from "./kept-vector.ts";
import type { MemoryHost } from "./memory-host.ts";
import type { MemoryVectors } from "./memory-vectors.ts";
import { splitText } from "./split-text.ts";

/** What is to be remembered. */
export type GivenMemory = {
  readonly text: string;
  readonly tags?: readonly string[];
  readonly source: MemoryItem["source"];
};

/** One that is refused where it is too long. */
export function memoryOf(host: MemoryHost, given: GivenMemory): MemoryItem {
  const { memoryChars } = host.limits;
  const { text, ...rest } = withoutSecrets(host, given);
  if (text.length <= memoryChars) return itemOf(host, { ...rest, text });
  throw new InvalidInputError(
    `a memory has at most ${memoryChars} characters, and this has ${text.length}; say it shorter, or keep it as several (rememberLong)`,
    { details: { path: "/text", reason: "too_long", most: memoryChars } },
  );
}

/** As many as a text needs. */
export function memoriesOf(host: MemoryHost, given: GivenMemory): MemoryItem[] {
  const { text: whole, ...rest } = withoutSecrets(host, given);
  return splitText(whole, host.limits.memoryChars).map((text) => itemOf(host, { ...rest, text }));
}

/** Keeps memories, all of a batch or none of it. What is kept already stays as it is, with the tags that are new. */
export async function keepMemories(
  host: MemoryHost,
  vectors: MemoryVectors | undefined,
  items: readonly MemoryItem[],
): Promise<MemoryItem[]> {
  const kept = new Map<MemoryId, MemoryItem>();
  for (let from = 0; from < items.length; from += host.limits.batch) {
    const batch = items.slice(from, from + host.limits.batch);
    // oxlint-disable-next-line no-await-in-loop -- one after the other: a later one may say the same again
    for (const item of await keepBatch(host, vectors, mergedById(host, batch))) kept.set(item.memoryId, item);
  }
  return items.map((item) => kept.get(item.memoryId) ?? item);
}

async function keepBatch(
  host: MemoryHost,
  vectors: MemoryVectors | undefined,
  items: readonly MemoryItem[],
): Promise<MemoryItem[]> {
  const { store, search, accountId, clock } = host;
  const made = new Map<MemoryId, Float32Array>();
  let isAsked = false;
  for (;;) {
    /* oxlint-disable no-await-in-loop -- again only when somebody else was first */
    const plans = await plansFor(host, items);
    const changes = plans.filter(({ isChanged }) => isChanged);
    if (changes.length === 0) return plans.map(({ item }) => item);
    const added = changes.filter(({ isNew }) => isNew).map(({ item }) => item);
    if (vectors !== undefined && !isAsked) await embedInto(made, vectors, added);
    isAsked = true;
    // Into the index first: what is in the index alone is not shown, and what is in the store alone would not be found.
    await search.put(changes.map(({ item }) => ({ accountId, id: item.memoryId, text: searchTextOf(item) })));
    const documents = changes.flatMap((plan) => writesOf(host, plan, made, vectors?.model ?? ""));
    const written = await store.commit({ durability: "power", now: clock.now(), documents });
    /* oxlint-enable no-await-in-loop */
    if (written.type !== "committed") continue;
    for (const [id, vector] of made) vectors?.keep(id, vector);
    return plans.map(({ item }) => item);
  }
}

/** What becomes of an item: what stands with its tags, and which revisions that replaces. */
type Plan = {
  readonly item: MemoryItem;
  readonly isNew: boolean;
  readonly isChanged: boolean;
  readonly revision: number;
  readonly vectorRevision: number;
};

async function plansFor(host: MemoryHost, items: readonly MemoryItem[]): Promise<Plan[]> {
  const { store, accountId } = host;
  const ids = items.map(({ memoryId }) => memoryId);
  const documents = byId(await store.documentsById(memoryKind, accountId, ids));
  const vectors = byId(await store.documentsById(vectorKind, accountId, ids));
  return items.map((item) => {
    const document = documents.get(item.memoryId);
    const standing = document && memoryIn(host, document);
    const merged = standing === undefined ? item : withTags(host, standing, item.tags);
    return {
      item: merged,
      isNew: standing === undefined,
      isChanged: merged !== standing,
      revision: document?.revision ?? 0,
      vectorRevision: vectors.get(item.memoryId)?.revision ?? 0,
    };
  });
}

function writesOf(
  host: MemoryHost,
  { item, revision, vectorRevision }: Plan,
  made: ReadonlyMap<MemoryId, Float32Array>,
  model: string,
): DocumentWrite[] {
  const { memoryId } = item;
  const numbers = made.get(memoryId);
  const vector = numbers && putVector(host, { memoryId, model, numbers }, vectorRevision);
  return [putMemory(host, item, revision), ...(vector === undefined ? [] : [vector])];
}

/** Without vectors the memories are kept all the same: they are found by their words. */
async function embedInto(
  made: Map<MemoryId, Float32Array>,
  vectors: MemoryVectors,
  items: readonly MemoryItem[],
): Promise<void> {
  if (items.length === 0) return;
  const embedded = await vectors.embed(items.map(({ text }) => text));
  if (embedded.type === "trouble") return;
  for (const [place, { memoryId }] of items.entries())
    made.set(memoryId, embedded.vectors[place] as Float32Array);
}

/** What is hidden in one part is hidden in the others, too. */
function withoutSecrets({ keyedHash, limits: { longChars } }: MemoryHost, given: GivenMemory): GivenMemory {
  const { source, tags } = given;
  const text = typeof given.text === "string" ? given.text.toWellFormed() : "";
  if (text.length > longChars)
    throw new InvalidInputError(
      `a text that is remembered has at most ${longChars} characters, and this has ${text.length}; keep a part of it`,
      { details: { path: "/text", reason: "too_long", most: longChars } },
    );
  const found = new SecretRegistry();
  for (const part of [text, source?.name, ...(tags ?? [])])
    if (typeof part === "string") redactText(part.toWellFormed(), { keyedHash, found });
  const safe = (part: string) => redactText(part.toWellFormed(), { keyedHash, alsoSecrets: found });
  const said = safe(text).trim();
  if (said === "")
    throw new InvalidInputError("a memory has a text, and this is none", { details: { path: "/text" } });
  return {
    text: said,
    source: typeof source?.name === "string" ? { ...source, name: safe(source.name) } : source,
    ...(tags && { tags: tags.map(safe) }),
  };
}

function itemOf(host: MemoryHost, { text, tags = [], source }: GivenMemory): MemoryItem {
  const { accountId, clock, limits } = host;
  if (typeof source?.type !== "string")
    throw new InvalidInputError(
      `a memory says who said it: source: { type }, where type is one of ${memoryItemSchema.shape.source.shape.type.options.join(", ")}`,
      { details: { path: "/source", reason: "no_source" } },
    );
  const { name } = source;
  const named =
    typeof name === "string" && name.trim() !== ""
      ? { ...source, name: cutText(name, limits.nameChars).trim() }
      : source;
  const item = {
    memoryId: memoryIdOf(host, accountId, { text, source: named }),
    text,
    tags: cutTags(host, tags),
    source: named,
    createdAt: new Date(clock.now()).toISOString(),
  };
  return parseAtDoor(memoryItemSchema, item, "memory", InvalidInputError);
}

/** Labels, not texts: what is too long or too many is cut. */
function cutTags({ limits }: MemoryHost, given: readonly string[]): string[] {
  const tags = given.map((tag) => cutText(tag, limits.tagChars).trim());
  return [...new Set(tags.filter((tag) => tag !== ""))].slice(0, limits.tags);
}

function withTags({ limits }: MemoryHost, item: MemoryItem, others: readonly string[]): MemoryItem {
  const tags = [...new Set([...item.tags, ...others])].slice(0, Math.max(limits.tags, item.tags.length));
  return tags.length === item.tags.length ? item : { ...item, tags };
}

function mergedById(host: MemoryHost, items: readonly MemoryItem[]): MemoryItem[] {
  const merged = new Map<MemoryId, MemoryItem>();
  for (const item of items)
    merged.set(item.memoryId, withTags(host, merged.get(item.memoryId) ?? item, item.tags));
  return [...merged.values()];
}

function byId(documents: readonly StoredDocument[]): Map<string, StoredDocument> {
  return new Map(documents.map((document) => [document.id, document]));
}
