// The contexts of vitest and node:test, by what they have: neither is imported.
import { InvalidInputError } from "@spfunctions/contracts";

type VitestTask = {
  readonly name: string;
  readonly suite?: VitestSuite | undefined;
};
type VitestSuite = { readonly name: string; readonly suite?: VitestSuite | undefined };
type VitestBranch = { readonly tasks?: readonly (VitestTask & object)[] };

/** What a test of vitest is given. */
export type VitestContext = {
  readonly task: VitestTask & {
    readonly file: VitestBranch & { readonly filepath: string };
    readonly fails?: boolean | undefined;
    readonly result?: { readonly state: string } | undefined;
  };
  readonly onTestFinished: (act: () => Promise<void>) => void;
};

/** What a test of node:test is given. */
export type NodeTestContext = {
  readonly fullName: string;
  readonly filePath?: string | undefined;
  /** Not in everybody's types; without it nobody could say whether a recording is to be kept. */
  readonly passed?: boolean | undefined;
  readonly after: (act: () => Promise<void>) => void;
};

export type TestContext = VitestContext | NodeTestContext;

/** A test, whoever runs it. */
export type RunningTest = {
  readonly file: string;
  /** Those of the suites around it, and its own. */
  readonly names: readonly string[];
  /** Whether another test of this file has the same names. */
  readonly hasTwin: () => boolean;
  /** At its end: whether it went as it should. */
  readonly hasPassed: () => boolean;
  readonly atEnd: (act: () => Promise<void>) => void;
};

export function runningTest(given: TestContext | undefined): RunningTest {
  const context = given ?? ({} as TestContext);
  if ("task" in context && typeof context.onTestFinished === "function") return inVitest(context);
  if ("fullName" in context && isTest(context)) return inNode(context);
  throw new InvalidInputError(
    "useFixture takes the context that vitest or node:test gives to a test; elsewhere, take openFixture and name the file",
    { details: { path: "/context", reason: "unknown" } },
  );
}

function isTest({ passed, after }: NodeTestContext): boolean {
  return typeof passed === "boolean" && typeof after === "function";
}

function inVitest({ task, onTestFinished }: VitestContext): RunningTest {
  const names = namesOf(task);
  const key = JSON.stringify(names);
  return {
    file: task.file.filepath,
    names,
    hasTwin: () => testsIn(task.file).filter((one) => JSON.stringify(namesOf(one)) === key).length > 1,
    hasPassed: () => task.result?.state === (task.fails === true ? "fail" : "pass"),
    atEnd: (act) => onTestFinished(act),
  };
}

function namesOf({ name, suite }: VitestTask): string[] {
  return suite === undefined ? [name] : [...namesOf(suite), name];
}

function testsIn({ tasks = [] }: VitestBranch): VitestTask[] {
  return tasks.flatMap((task) => ("tasks" in task ? testsIn(task as VitestBranch) : [task]));
}

/** Which test was the first of its names. */
const firstOf = new Map<string, WeakRef<NodeTestContext>>();

function inNode(context: NodeTestContext): RunningTest {
  const { filePath, fullName } = context;
  if (filePath === undefined) {
    throw new InvalidInputError("this test has no file; take openFixture, and name one for the fixture", {
      details: { path: "/context/filePath", reason: "missing" },
    });
  }
  const key = JSON.stringify([filePath, fullName]);
  return {
    file: filePath,
    names: [fullName],
    hasTwin: () => {
      const first = firstOf.get(key)?.deref();
      if (first === undefined) firstOf.set(key, new WeakRef(context));
      return first !== undefined && first !== context;
    },
    hasPassed: () => context.passed === true,
    atEnd: (act) => context.after(act),
  };
}
