import type { z } from "zod";
import type { InvalidInputError } from "../error/error-classes.ts";
import type { ErrorOptions, SimpleFunctionsError } from "../error/simple-functions-error.ts";
import { snapshotJson } from "../json/canonical-json.ts";
import type { JsonValue } from "../json/json-value.ts";
import { pathForMessage } from "../json/path-for-message.ts";

type ErrorClass = new (message: string, options?: ErrorOptions) => SimpleFunctionsError;

/**
 * The one way in for outside data: copied once, checked against its schema, frozen. What does not fit is one error
 * that names every path (the first ten) and no value. `snapshot`: how it is copied.
 */
export function parseAtDoor<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
  Failure: ErrorClass,
  snapshot: (value: unknown) => JsonValue = snapshotJson,
): z.output<Schema> {
  if (value === undefined) throw missing(schema, what, Failure);
  return checkAtDoor(schema, snapshotOf(snapshot, value, what, Failure), what, Failure);
}

/** The same of a value that was read from a text a moment ago: it is plain, and nobody else has it. */
export function checkAtDoor<Schema extends z.ZodType>(
  schema: Schema,
  value: JsonValue,
  what: string,
  Failure: ErrorClass,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return freezeDeep(result.data);
  const problems = result.error.issues.flatMap((issue) => problemsIn(issue, []));
  const listed = problems
    .slice(0, 10)
    .map(({ path, message }) => `${path === "" ? "" : `${path}: `}${message}`);
  const more = problems.length > 10 ? ` (and ${problems.length - 10} more)` : "";
  throw new Failure(`invalid ${what}: ${listed.join("; ")}${more}`, {
    details: { path: problems[0]?.path ?? "", reason: "schema_mismatch", problems: problems.slice(0, 10) },
  });
}

/** Whoever has left it out is told what it is made of. */
function missing(schema: z.ZodType, what: string, Failure: ErrorClass): SimpleFunctionsError {
  const members = schema.def.type === "object" ? Object.entries((schema as z.ZodObject).shape) : [];
  const needed = members.flatMap(([name, member]) =>
    (member as z.ZodType).safeParse(undefined).success ? [] : [name],
  );
  const least = members.length > 0 && needed.length === 0 ? "; the least is {}" : "";
  const give = needed.length === 0 ? least : `: give { ${needed.join(", ")} }`;
  return new Failure(`${what} is missing${give}`, { details: { path: "", reason: "missing" } });
}

/** Where nothing of a union fits, what is wrong is said about the member that fits best. */
function problemsIn(
  issue: z.core.$ZodIssue,
  above: readonly PropertyKey[],
): { path: string; message: string }[] {
  const path = [...above, ...issue.path];
  const branches = issue.code === "invalid_union" ? issue.errors : [];
  const [closest] = branches.toSorted((a, b) => a.length - b.length);
  if (closest === undefined) return [{ path: pathForMessage(path), message: wordingOf(issue) }];
  return closest.flatMap((inner) => problemsIn(inner, path));
}

/** What is missing is called missing, and not a wrong type. */
function wordingOf({ message }: z.core.$ZodIssue): string {
  return message.replace(/^Invalid input: expected (.+), received undefined$/, "missing; expected $1");
}

function snapshotOf(
  snapshot: (value: unknown) => JsonValue,
  value: unknown,
  what: string,
  Failure: ErrorClass,
): JsonValue {
  try {
    return snapshot(value);
  } catch (error) {
    const { message, details } = error as InvalidInputError;
    throw new Failure(`invalid ${what}: ${message}`, { details: { ...details }, cause: error });
  }
}

export function freezeDeep<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    for (const member of Object.values(value)) freezeDeep(member);
    Object.freeze(value);
  }
  return value;
}
