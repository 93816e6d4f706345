import type { CallOptions } from "../typed-tools.ts";

type Call = (name: string, input?: unknown, options?: CallOptions) => unknown;

/** What a tool's name is made of. What programs ask any object for, like `toJSON` or `then`, is no such word and calls nothing. */
const word = /^(?!(?:constructor|prototype|then)$)[a-z][a-z0-9_]*$/;

/** Functions by the words of a tool's name, for tools that nobody has listed yet: what a name stands for is decided when it is called. */
export function namedCalls(call: Call, path = ""): unknown {
  const here = (input?: unknown, options?: CallOptions) => call(path, input, options);
  return new Proxy(here, {
    get: (_, asked) =>
      typeof asked === "string" && word.test(asked)
        ? namedCalls(call, path === "" ? asked : `${path}.${asked}`)
        : undefined,
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
  });
}
