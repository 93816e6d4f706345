import {
  errorCodes,
  type ErrorCode,
  errorFor,
  HostConfigurationNeededError,
  JournalAppendFailedError,
} from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { isOutage, isUnwritten } from "./is-outage.ts";

const codes = Object.keys(errorCodes) as ErrorCode[];
const saidBy = (is: (error: unknown) => boolean) => codes.filter((code) => is(errorFor(code, "no")));

test("by its code alone, only what could not be written is an outage; what is left to others is unwritten too", () => {
  expect(saidBy(isOutage)).toStrictEqual(["journal_append_failed"]);
  expect(saidBy(isUnwritten).toSorted()).toStrictEqual([
    "journal_append_failed",
    "lease_lost",
    "recovery_needed",
  ]);
});

test("a database that cannot be used is away where waiting helps, and is set up wrongly where it does not", () => {
  const away = new HostConfigurationNeededError("it is starting", { retry: "after_wait" });
  const wrong = new HostConfigurationNeededError("no such database", { retry: "after_user_action" });
  expect([isOutage(away), isUnwritten(away)]).toStrictEqual([true, true]);
  expect([isOutage(wrong), isUnwritten(wrong)]).toStrictEqual([false, false]);
});

test("where nobody can say what is written, nobody looks again, and it is still to be written by whoever comes next", () => {
  const doubtful = new JournalAppendFailedError("nobody can say", { details: { reason: "in_doubt" } });
  expect([isOutage(doubtful), isUnwritten(doubtful)]).toStrictEqual([false, true]);
});

test.each([
  ["nothing", undefined],
  ["a text", "journal_append_failed"],
  ["a likeness", { code: "journal_append_failed", retry: "after_wait" }],
  ["an error of another's", Object.assign(new Error("no"), { code: "journal_append_failed" })],
])("what is no error of ours is neither: %s", (_, error) => {
  expect([isOutage(error), isUnwritten(error)]).toStrictEqual([false, false]);
});
