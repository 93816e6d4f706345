// A process of its own: calls everything that entries of packages export, with a tool in every place, and says how
// often the tool's function ran. It is no test by itself.
import { createMemoryStore, defineTool, openInstallation, randomIds, type Tool } from "@spfunctions/kernel";
import { Server } from "node:net";
import { parameterCount } from "./parameter-count.ts";

/** What came of it. */
export type Knocked = {
  readonly exports: readonly string[];
  /** What was tried of what they gave, by name. */
  readonly members: readonly string[];
  /** Calls that were made. */
  readonly knocks: number;
  /** Where the tool's function was called from, each time. */
  readonly ran: readonly string[];
};

const ran: string[] = [];
const tool: Tool = defineTool({
  name: "spy.write",
  description: "Tells on whoever runs it.",
  input: {},
  output: {},
  permissions: [],
  sideEffect: "user_write",
  costEffect: "none",
  http: { method: "POST", path: "/api/spy" },
  run: () => tell(),
  reconcile: () => tell(),
});

function tell(): { status: "unknown" } {
  ran.push(new Error("ran").stack ?? "");
  return { status: "unknown" };
}

// Whoever would be asked over a network is this process's business alone: nobody listens, and nobody answers.
Server.prototype.listen = function nobodyListens(this: Server) {
  queueMicrotask(() => this.emit("error", new Error("nothing listens here")));
  return this;
};
globalThis.fetch = async () => await Promise.reject(new TypeError("nobody is there"));

/** Which entries, by which policy, and if given which member alone is tried of what exports give. */
const [entries = "", mode = "", only] = process.argv.slice(2);
/** Ways that are meant to run an allowed tool: tried where it is refused, or where they are asked for. */
const governed = new Set(mode === "allowing" && only === undefined ? ["call", "stream", "tools"] : []);
const policy = { maxSideEffect: mode === "allowing" ? ("user_write" as const) : ("none" as const) };
const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read", "write"], kind: "local" };
/** What a platform is opened with, and what governs: doors that refuse what they do not know. */
const platform = {
  packs: [tool],
  policy,
  store: createMemoryStore(),
  installation: openInstallation(new Uint8Array(32).fill(7)),
};
const governing = { ...platform, principal };
const options = { ...governing, levels: [{ level: "agent", policy }], origin: "direct", surface: "agent" };
const request = { tool: "spy.write", input: {} };
const context = { signal: new AbortController().signal, idempotencyKey: randomIds.unique() };
const things: readonly unknown[] = [
  tool,
  [tool],
  tool.contract,
  "spy.write",
  {},
  options,
  governing,
  platform,
  request,
  { tool },
  { ...options, ...request, contract: tool.contract },
  { contract: tool.contract, types: undefined },
  context,
  () => tool,
  new Request("http://127.0.0.1/api/spy", { method: "POST" }),
  undefined,
];
const few = [tool, "spy.write", options, request, undefined];
const oneOfFew = (at: number) => few[at % few.length];
const singles: readonly (readonly unknown[])[] = [[], ...things.map((one) => [one])];
const pairs: readonly (readonly unknown[])[] = few.flatMap((one) => few.map((other) => [one, other]));
/** Each thing in each place, and of a few each beside each other, in any two places. */
const argumentLists: readonly (readonly unknown[])[] = [
  ...singles,
  ...pairs,
  ...things.flatMap((one, at) => [
    [one, oneOfFew(at)],
    [oneOfFew(at), one],
    [oneOfFew(at), oneOfFew(at + 1), one],
  ]),
  ...few.flatMap((one, at) => few.map((two, next) => [one, two, oneOfFew(at + next)])),
];
const shortLists: readonly (readonly unknown[])[] = [
  ...singles,
  ...pairs,
  ["spy.write", {}],
  ["spy.write", {}, context],
];

const ofTheLanguage = new Set<object>([
  Object.prototype,
  Function.prototype,
  Array.prototype,
  Promise.prototype,
  String.prototype,
]);

let knocks = 0;
const members = new Set<string>();
const underWay = new Set<Promise<unknown>>();
const seen = new Set<unknown>();
const kinds = new Map<string, number>();
const answers = new Set<object>();

type Door = (...given: never[]) => unknown;

const counts = new Map<Door, number>();
const classes = new Map<Door, boolean>();

/** Knocks with each list that a door can tell from a shorter one: all shorter ones are among them. */
function knockWith(lists: readonly (readonly unknown[])[], door: Door, self: unknown, deeper: boolean): void {
  const takes = counts.get(door) ?? parameterCount(door);
  counts.set(door, takes);
  for (const given of lists) if (given.length <= takes) knock(door, self, given, deeper);
}

/** Calls it, or makes one of it; whatever it throws is no matter. */
function knock(door: Door, self: unknown, given: readonly unknown[], deeper: boolean): void {
  knocks += 1;
  try {
    const isClass = classes.get(door) ?? /^class\b/.test(Function.prototype.toString.call(door));
    classes.set(door, isClass);
    const answer: unknown = isClass ? Reflect.construct(door, given) : Reflect.apply(door, self, given);
    follow(answer, deeper);
  } catch {}
}

/** Waits for what an answer promises, by itself, in a member or one after the other. */
function follow(answer: unknown, deeper: boolean): void {
  if (answer instanceof Promise) {
    wait(answer.then((value: unknown) => follow(value, deeper)));
    return;
  }
  if (!isThing(answer)) return;
  const found = membersOf(answer);
  for (const [, member] of found) if (member instanceof Promise) wait(member);
  if (Symbol.asyncIterator in answer) wait(drain(answer as AsyncIterable<unknown>));
  if (deeper) enter(answer, shortLists, found);
}

function wait(promise: Promise<unknown>): void {
  const settled = promise.catch(() => undefined);
  underWay.add(settled);
  void settled.finally(() => underWay.delete(settled));
}

async function drain(iterable: AsyncIterable<unknown>): Promise<void> {
  let taken = 0;
  for await (const _ of iterable) if (++taken === 20) return;
}

/** Tries every method that a value has of its own or by its class, and what its members hold that can be called. */
function enter(value: unknown, lists: readonly (readonly unknown[])[], known?: Members): void {
  if (!isThing(value) || seen.has(value)) return;
  const found = known ?? membersOf(value);
  const times = timesMet(value, found);
  // Three of a kind are enough, and one of them to knock with.
  if (times > 3) return;
  seen.add(value);
  if (times === 1 && answers.size < 200) answers.add(value);
  for (const [name, member] of found) {
    if (governed.has(String(name)) || (only !== undefined && name !== only)) continue;
    if (typeof member === "function") members.add(String(name));
    if (typeof member === "function") knockWith(lists, member as Door, value, false);
    else if (isThing(member) && name === "tools") enterTree(member);
  }
}

/** How often something like it was met. What Node itself makes is nobody's door. */
function timesMet(value: object, found: Members): number {
  if (ArrayBuffer.isView(value)) return Number.POSITIVE_INFINITY;
  const kind = found.map(([name]) => String(name)).join();
  const times = (kinds.get(kind) ?? 0) + 1;
  kinds.set(kind, times);
  return times;
}

function enterTree(tree: object): void {
  for (const [, member] of membersOf(tree)) {
    if (typeof member === "function") knockWith(shortLists, member as Door, tree, false);
    else if (isThing(member)) enterTree(member);
  }
}

function isThing(value: unknown): value is object {
  return (typeof value === "object" || typeof value === "function") && value !== null && value !== tool;
}

type Members = [PropertyKey, unknown][];

function membersOf(value: object): Members {
  const found: Members = [];
  for (
    let at: object | null = value;
    at !== null && !ofTheLanguage.has(at);
    at = Object.getPrototypeOf(at) as object | null
  ) {
    for (const name of Reflect.ownKeys(at)) {
      if (name === "constructor") continue;
      try {
        found.push([name, Reflect.get(at, name, value)]);
      } catch {}
    }
  }
  return found;
}

/** What goes on is waited for, but not for ever: some of it waits for something that never comes. */
async function quiet(): Promise<void> {
  const limit = performance.now() + 3000;
  for (let still = 0, left = underWay.size; left > 0 && still < 10 && performance.now() < limit; ) {
    // oxlint-disable-next-line no-await-in-loop -- until nothing goes on
    await Promise.race([Promise.allSettled(underWay), new Promise((resolve) => setTimeout(resolve, 100))]);
    still = underWay.size === left ? still + 1 : 0;
    left = underWay.size;
  }
}

const exported: string[] = [];
const functions: Door[] = [];
for (const entry of entries.split(" ")) {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  const module = (await import(entry)) as Record<string, unknown>;
  for (const [name, value] of Object.entries(module)) {
    exported.push(name);
    if (typeof value === "function") {
      functions.push(value as Door);
      // Where a run is only to be seen, one thing in its first place is enough.
      knockWith(only === undefined ? argumentLists : singles, value as Door, undefined, true);
    } else enter(value, singles);
  }
}
await quiet();
// What one of them gave may be the key to another.
for (const answer of only === undefined ? answers : []) {
  const lists = [[answer], [answer, {}], [answer, {}, context], [tool, answer], [options, answer]];
  for (const door of functions) knockWith(lists, door, undefined, false);
}
await quiet();
const knocked: Knocked = { exports: exported, members: [...members], knocks, ran };
process.send?.(knocked, () => process.exit(0));
