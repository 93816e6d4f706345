// A script is data of somebody else: what is not a step is refused with its place, and nothing is passed over.
import { InvalidInputError, keyForMessage, nearest } from "@spfunctions/contracts";
import type { ScriptStep } from "./script-step.ts";

type Check = (value: unknown, at: string) => void;

/** A step, or `invalid_input` with the place of what is wrong; `at` says where the step stands. */
export function readStep(value: unknown, at: string): ScriptStep {
  step(value, at);
  const { text, deltas } = value as ScriptStep;
  if (text !== undefined && deltas !== undefined && deltas.join("") !== text)
    throw wrong(`${at}/deltas`, "the pieces together that text is");
  return value as ScriptStep;
}

const text: Check = (value, at) => {
  if (typeof value !== "string") throw wrong(at, "a text");
};
const name: Check = (value, at) => {
  if (typeof value !== "string" || value === "") throw wrong(at, "a text that is not empty");
};
const count: Check = (value, at) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw wrong(at, "a whole number of 0 or more");
};
const status: Check = (value, at) => {
  if (!Number.isInteger(value) || (value as number) < 400 || (value as number) > 599)
    throw wrong(at, "a status of 400 to 599");
};
const finish: Check = (value, at) => {
  if (!["stop", "tool_calls", "length", "error"].includes(value as string))
    throw wrong(at, "stop, tool_calls, length or error");
};
const anyObject: Check = (value, at) => {
  membersIn(value, at);
};

const step = object(
  {
    text,
    deltas: list(text),
    toolCalls: list(object({ name, id: name, args: anyObject }, ["name"])),
    finish,
    usage: object({ inputTokens: count, outputTokens: count }, ["inputTokens", "outputTokens"]),
    error: object({ message: text, status, retryAfterMs: count, times: count }, ["message"]),
  },
  [],
);

function object(members: { readonly [name: string]: Check }, required: readonly string[]): Check {
  return (value, at) => {
    const given = membersIn(value, at);
    for (const key of required)
      if (given[key] === undefined) throw wrong(`${at}/${key}`, "to be there: it is missing");
    for (const [key, member] of Object.entries(given)) {
      const place = `${at}/${keyForMessage(key)}`;
      const check = Object.hasOwn(members, key) ? members[key] : undefined;
      if (check === undefined) throw unknownMember(at, key, Object.keys(members));
      if (member !== undefined) check(member, place);
    }
  };
}

function list(check: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value)) throw wrong(at, "a list");
    for (const [index, one] of value.entries()) check(one, `${at}/${index}`);
  };
}

function membersIn(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(at, "an object");
  return value as Record<string, unknown>;
}

function unknownMember(at: string, key: string, known: readonly string[]): InvalidInputError {
  const [meant] = nearest(key, known, 1);
  const hint = meant === undefined ? `known are ${known.join(", ")}` : `did you mean ${meant}?`;
  const member = keyForMessage(key);
  return new InvalidInputError(
    `the script is not one at ${at}: it has the unknown member ${member}; ${hint}`,
    {
      details: { reason: "script", path: `${at}/${member}` },
    },
  );
}

function wrong(at: string, expected: string): InvalidInputError {
  return new InvalidInputError(`the script is not one at ${at}: expected ${expected}`, {
    details: { reason: "script", path: at },
  });
}
