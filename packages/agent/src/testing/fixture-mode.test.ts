// R1, B23: nothing is called live unless somebody has said so.
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { fixtureMode, missingFixture } from "./fixture-mode.ts";

type Row = readonly [
  record: boolean | undefined,
  SF_RECORD: string | undefined,
  CI: string | undefined,
  missing: string | undefined,
  there: string,
];

const rows: readonly Row[] = [
  [undefined, undefined, undefined, undefined, "replay"],
  [undefined, "", "", undefined, "replay"],
  [undefined, "0", undefined, undefined, "replay"],
  [undefined, "1", undefined, "record", "replay"],
  [undefined, "all", undefined, "record", "record"],
  [undefined, "1", "1", undefined, "replay"],
  [undefined, "all", "true", undefined, "replay"],
  [undefined, "all", "false", "record", "record"],
  [undefined, "1", "0", "record", "replay"],
  [true, undefined, undefined, "record", "replay"],
  [true, undefined, "1", "record", "replay"],
  [true, "1", "1", "record", "replay"],
  [true, "all", "1", "record", "record"],
  [false, "1", undefined, undefined, "replay"],
  [false, "all", undefined, undefined, "replay"],
];

describe("whether calls are live is decided by what was said:", () => {
  test.each(rows)("record %s, SF_RECORD %s, CI %s", (record, SF_RECORD, CI, missing, there) => {
    const wish = { record, environment: { SF_RECORD, CI } };
    expect([fixtureMode(false, wish), fixtureMode(true, wish)]).toStrictEqual([missing, there]);
  });
});

test.each(["true", "ALL", "yes", "2"])("SF_RECORD=%s is an error, and no guess", (SF_RECORD) => {
  for (const isThere of [true, false]) {
    expect(refusalOf(() => fixtureMode(isThere, { environment: { SF_RECORD } }))).toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringMatching(
        new RegExp(`^SF_RECORD is "${SF_RECORD}", .*; set it to 1, .*, or to all, `),
      ),
    });
  }
});

test.each([
  [
    { environment: {} },
    "there is no fixture a.jsonl, and nothing is called live unless it is asked for; run this test once with SF_RECORD=1, and keep the file that it writes",
  ],
  [
    { environment: { CI: "1" } },
    "there is no fixture a.jsonl, and CI is set, where nothing is recorded; run this test once with SF_RECORD=1 elsewhere, and keep the file that it writes",
  ],
  [
    { record: false, environment: { CI: "1" } },
    "there is no fixture a.jsonl, and record is false; take record: false away and run this test once with SF_RECORD=1, and keep the file that it writes",
  ],
])("a missing fixture is named, with how to record it: %j", (wish, message) => {
  expect(missingFixture("a.jsonl", wish)).toMatchObject({ code: "host_configuration_needed", message });
});
