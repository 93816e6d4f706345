import { InvalidInputError } from "@spfunctions/contracts";
import type { Pack } from "@spfunctions/kernel";
import { fixtureFileOf } from "./fixture-name.ts";
import type { AgentUse, GovernedUse } from "./fixture-options.ts";
import {
  type AgentFixture,
  type Ends,
  type GovernedFixture,
  type Opened,
  openSession,
} from "./open-session.ts";
import { type RunningTest, runningTest, type TestContext } from "./test-context.ts";

type InTest = {
  /** For a test that has several fixtures: which one it is. */
  readonly name?: string;
};

/**
 * The fixture of a test of vitest or node:test, in `__fixtures__` beside it. It ends with the test: a recording is written if the test has
 * passed, and only then.
 */
export function useFixture<const Packs extends readonly Pack[]>(
  context: TestContext,
  options: GovernedUse<Packs> & InTest,
): Promise<GovernedFixture<Packs>>;
export function useFixture(context: TestContext, options: AgentUse & InTest): Promise<AgentFixture>;
export async function useFixture(
  context: TestContext,
  options: (GovernedUse<readonly Pack[]> | AgentUse) & InTest,
): Promise<unknown> {
  const test = runningTest(context);
  if (typeof options !== "object" || options === null)
    throw new InvalidInputError(
      "useFixture takes what is to be called, after the context: useFixture(t, { … })",
      { details: { path: "/options", reason: "missing" } },
    );
  const { name, ...use } = options;
  const file = fixtureFileOf(test.file, test.names, name);
  let opening: Promise<Opened> | undefined;
  test.atEnd(async () => {
    if (opening === undefined) return;
    try {
      const opened = await opening.catch(() => undefined);
      await (test.hasPassed() ? opened?.session.keep() : opened?.session.discard());
    } finally {
      inUse.delete(file);
    }
  });
  take(file, test);
  opening = openSession(file, use, endsWithTest);
  return (await opening).caller;
}

/** A test may go wrong after it has closed what it called with. */
const endsWithTest: Ends = (session) => ({
  close: () => session.seal(),
  [Symbol.asyncDispose]: () => session.seal(),
});

const inUse = new Set<string>();

function take(file: string, test: RunningTest): void {
  if (test.hasTwin()) {
    throw inUseBy("another test of this file has the same name; give one of them another");
  }
  if (inUse.has(file)) throw inUseBy("this test has a fixture already; give each of them a name: { name }");
  inUse.add(file);
}

function inUseBy(message: string): InvalidInputError {
  return new InvalidInputError(message, { details: { reason: "fixture_in_use" } });
}
