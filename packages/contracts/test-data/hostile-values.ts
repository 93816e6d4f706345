/** What nobody should send, made afresh each time: as a whole document, and as any part of one. */
export const hostileValues: readonly (readonly [name: string, make: () => unknown])[] = [
  ["null", () => null],
  ["undefined", () => undefined],
  ["a boolean", () => true],
  ["a number", () => -7.5],
  ["an empty text", () => ""],
  ["a text", () => "x"],
  ["a text with a lone surrogate", () => "\ud800"],
  ["an array of arrays", () => [[[]]]],
  ["an array of null", () => [null]],
  ["100,000 times null", () => Array.from({ length: 100_000 }, () => null)],
  ["the longest sparse array", () => sparse(4_294_967_295)],
  ["a function", () => () => undefined],
  ["a symbol", () => Symbol("s")],
  ["a bigint", () => 1n],
  ["NaN", () => Number.NaN],
  ["an invalid date", () => new Date(Number.NaN)],
  ["a Map", () => new Map([["name", "x"]])],
  ["a class instance", () => new AbortController()],
  ["a cycle of objects", () => cycle({})],
  ["a cycle of arrays", () => cycle([])],
  ["objects 10,000 deep", () => deep((inner) => ({ a: inner }))],
  ["arrays 10,000 deep", () => deep((inner) => [inner])],
  ["a key with a lone surrogate", () => ({ "\udc00": 1 })],
  ["__proto__ as a key", () => JSON.parse('{"__proto__": {"polluted": true}}') as unknown],
  [
    "constructor.prototype as keys",
    () => JSON.parse('{"constructor": {"prototype": {"polluted": true}}}') as unknown,
  ],
  ["every name of Object.prototype", () => prototypeNames()],
  ["an object without a prototype", () => Object.assign(Object.create(null) as object, { polluted: 1 })],
  ["a getter that throws an error", () => throwing(new Error("no"))],
  ["a getter that throws undefined", () => throwing(undefined)],
  ["a getter that throws a revoked proxy", () => throwing(revokedProxy())],
  ["a getter that throws a forgery of our errors", () => throwing(forgedError())],
  ["a revoked proxy", () => revokedProxy()],
  ["a proxy that throws at everything", () => throwingProxy()],
  ["a getter that answers differently each time", () => changing()],
  ["an object whose toJSON throws", () => ({ toJSON: refuse })],
];

function fail(reason: unknown): never {
  throw reason;
}

function refuse(): never {
  return fail(new Error("no"));
}

function sparse(length: number): unknown[] {
  const list: unknown[] = [];
  list.length = length;
  return list;
}

function cycle(value: Record<string, unknown> | unknown[]): unknown {
  Object.assign(value, { 0: value });
  return value;
}

function deep(wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < 10_000; level++) value = wrap(value);
  return value;
}

function prototypeNames(): object {
  return Object.fromEntries(Object.getOwnPropertyNames(Object.prototype).map((name) => [name, 1]));
}

function throwing(reason: unknown): object {
  return Object.defineProperty({}, "name", { enumerable: true, get: () => fail(reason) });
}

function changing(): object {
  let reads = 0;
  return Object.defineProperty({}, "name", {
    enumerable: true,
    get: () => (reads++ === 0 ? "world.read" : "events.search"),
  });
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function throwingProxy(): object {
  return new Proxy(
    {},
    { get: refuse, ownKeys: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse },
  );
}

function forgedError(): object {
  const unreadable = { get: refuse };
  return Object.defineProperties(
    {},
    { [Symbol.for("@spfunctions/error")]: { value: true }, message: unreadable, details: unreadable },
  );
}
