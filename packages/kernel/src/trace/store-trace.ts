// A trace as documents of an account, so that it lies where everything else of that account does.
import { RevisionConflictError } from "@spfunctions/contracts";
import { traceKind as kind } from "../store/kernel-kinds.ts";
import type { DocumentWrite, Store } from "../store/store.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import type { TraceStore } from "./trace-store.ts";

const page = 64;
/** Lines of one document. */
const mostLines = 1000;

type Named = { readonly accountId: string; readonly id: string };

/** A trace that lies in a store. */
export function storedTrace(store: Store, { accountId, id }: Named): Pick<TraceStore, "text"> {
  return { text: () => readText(store, { kind, accountId, id }) };
}

/** Keeps a trace in a store, under a name that is taken before anything is called: a trace is never overwritten. */
export async function openStoreTrace(
  store: Store,
  { accountId, id }: Named,
  clock: Clock = systemClock,
): Promise<TraceStore> {
  /** What the trace is listed as: it says under which kind its lines lie, which is another one each time they are replaced. */
  const head = { kind, accountId, id } as const;
  let revision = 0;
  let written: string[] = [];
  let ending: Promise<void> | undefined;
  const linesKind = () => `${kind} ${id} ${revision}`;
  const write = async (documents: readonly DocumentWrite[]) => {
    const result = await store.commit({ durability: "process", now: clock.now(), documents });
    if (result.type === "committed") return;
    throw new RevisionConflictError(
      `a trace ${id} is there already, and a trace is never overwritten; name another`,
      { details: { reason: "trace_exists" } },
    );
  };
  const writeHead = async (status: "open" | "ended", body: string, more: readonly DocumentWrite[] = []) => {
    await write([{ type: "put", ...head, expects: revision, status, body }, ...more]);
    revision += 1;
  };
  /** Under the next names of a kind. */
  const linesAs = (of: string, begin: number, lines: readonly string[]) =>
    inParts(lines).map((part, at) => ({
      type: "put" as const,
      kind: of,
      accountId,
      id: String(begin + at).padStart(12, "0"),
      expects: 0,
      status: "kept",
      body: part.map((line) => `${line}\n`).join(""),
    }));
  await writeHead("open", linesKind());
  let current = linesKind();
  return {
    replace: async (lines) => {
      const next = `${kind} ${id} ${revision + 1}`;
      const parts = linesAs(next, 0, lines);
      const removed = written.map((name) => ({
        type: "remove" as const,
        kind: current,
        accountId,
        id: name,
        expects: 1,
      }));
      await writeHead("open", next, [...parts, ...removed]);
      current = next;
      written = parts.map((part) => part.id);
    },
    append: async (lines) => {
      const parts = linesAs(current, written.length, lines);
      await write(parts);
      for (const part of parts) written.push(part.id);
    },
    end: () => {
      ending ??= writeHead("ended", current);
      return ending;
    },
    ...storedTrace(store, { accountId, id }),
  };
}

function inParts(lines: readonly string[]): (readonly string[])[] {
  const count = Math.ceil(lines.length / mostLines);
  return Array.from({ length: count }, (_, at) => lines.slice(at * mostLines, (at + 1) * mostLines));
}

/** Whoever writes may replace the lines meanwhile: then they are read where they lie now. */
async function readText(
  store: Store,
  head: { readonly kind: string; readonly accountId: string; readonly id: string },
): Promise<string> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- again only where they were replaced
    const first = await store.document(head);
    if (first === undefined) return "";
    // oxlint-disable-next-line no-await-in-loop -- see above
    const lines = await readLines(store, { kind: first.body, accountId: head.accountId });
    // oxlint-disable-next-line no-await-in-loop -- see above
    if ((await store.document(head))?.body === first.body) return lines;
  }
}

async function readLines(
  store: Store,
  of: { readonly kind: string; readonly accountId: string },
): Promise<string> {
  const parts: string[] = [];
  for (let after = ""; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const documents = await store.documents({ ...of, after, limit: page });
    for (const { body } of documents) parts.push(body);
    if (documents.length < page) return parts.join("");
    after = documents.at(-1)?.id ?? after;
  }
}
