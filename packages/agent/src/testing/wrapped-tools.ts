import type { CallOptions } from "../typed-tools.ts";

type Call = (name: string, input?: unknown, options?: CallOptions) => unknown;

/** The same tree of functions, each of which calls by its name. */
export function wrappedTools(tree: object, call: Call, path = ""): object {
  const wrapped: object = Object.create(null) as object;
  for (const [word, twig] of Object.entries(tree)) {
    const name = `${path}${word}`;
    const value: unknown =
      typeof twig === "function"
        ? (input?: unknown, options?: CallOptions) => call(name, input, options)
        : wrappedTools(twig as object, call, `${name}.`);
    Object.defineProperty(wrapped, word, { value, enumerable: true });
  }
  return wrapped;
}
