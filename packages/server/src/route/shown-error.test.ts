import { type ErrorCode, type ErrorDetails, errorCodes } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { type ErrorSource, isForOperator, shownOf } from "./shown-error.ts";

const codes = Object.keys(errorCodes) as ErrorCode[];
const hiddenCodes = (details: ErrorDetails | undefined, source: ErrorSource) =>
  codes.filter((code) => isForOperator({ code, details }, source)).toSorted();

const machine = ["host_configuration_needed", "journal_append_failed", "journal_corrupt", "lease_lost"];
const withoutOne = (code: string) => machine.filter((one) => one !== code);

describe("what is the operator's alone", () => {
  test.each<[string, ErrorDetails | undefined, ErrorSource, string[]]>([
    ["thrown without a reason", undefined, "thrown", machine],
    ["thrown by a stranger", { reason: "executor_failed" }, "thrown", [...machine, "upstream_error"]],
    ["marked by a tool", { reason: "not_configured_here" }, "thrown", withoutOne(machine[0] ?? "")],
    ["said by a platform that closes", { reason: "closing" }, "thrown", withoutOne("lease_lost")],
    ["of a record without a reason", { tool: "notes.write" }, "record", [...machine, "upstream_error"]],
    ["of a record with a tool's reason", { reason: "venue_shut" }, "record", machine],
    ["of a record of a stranger's", { reason: "executor_failed" }, "record", [...machine, "upstream_error"]],
  ])("is of these codes: %s", (_, details, source, expected) => {
    expect(hiddenCodes(details, source)).toStrictEqual(expected);
  });
});

describe("what is shown", () => {
  const message = "ENOENT /srv/private";
  const details = { tool: "notes.write", path: "/srv/private" };

  test("is all of it, or neither its words nor its details", () => {
    expect(shownOf({ code: "not_found", message, details }, "record")).toStrictEqual({ message, details });
    expect(shownOf({ code: "upstream_error", message, details }, "thrown")).toStrictEqual({
      message,
      details,
    });
    expect(shownOf({ code: "upstream_error", message, details }, "record")).toStrictEqual({
      message: "notes.write failed; why is for the operator of this platform to find out",
    });
    expect(shownOf({ code: "journal_corrupt", message, details }, "thrown")).toStrictEqual({
      message:
        "something is wrong with the machine this platform runs on, and not with your request; what it is, its operator can find out",
    });
  });

  test("is where the operator finds it, if it is in the log", () => {
    const error = {
      code: "upstream_error",
      message,
      details: { ...details, reason: "executor_failed" },
    } as const;
    expect(shownOf(error, "thrown", "req_1").message).toBe(
      "notes.write failed; why is for the operator of this platform to find out: in its log, under req_1",
    );
  });

  test("needs no tool to be named", () => {
    const { message: words } = shownOf({ code: "upstream_error", message }, "record");
    expect(words).toBe("the tool failed; why is for the operator of this platform to find out");
  });
});
