// R1: nothing is called live unless somebody has said so, in the code or in the environment, and on a build machine only in the code.
import { HostConfigurationNeededError, keyForMessage } from "@spfunctions/contracts";

/** `record` calls live and writes a fixture. `replay` answers from one, and nothing runs. */
export type FixtureMode = "record" | "replay";

export type RecordingWish = {
  /** `true`: a missing fixture is recorded, also where CI is set. `false`: never. Otherwise SF_RECORD decides. */
  readonly record?: boolean | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Which fixtures are recorded: none, those that are missing, or all of them anew. */
type Recorded = "none" | "missing" | "all";

/** What is done with a fixture; nothing where it is missing and may not be recorded. */
export function fixtureMode(isThere: boolean, wish: RecordingWish): FixtureMode | undefined {
  const recorded = recordedBy(wish);
  if (recorded === "all") return "record";
  if (isThere) return "replay";
  return recorded === "missing" ? "record" : undefined;
}

export function missingFixture(file: string, { record, environment }: RecordingWish): Error {
  const why =
    record === false
      ? "record is false"
      : isBuildMachine(environment)
        ? "CI is set, where nothing is recorded"
        : "nothing is called live unless it is asked for";
  const where = record === undefined && isBuildMachine(environment) ? " elsewhere" : "";
  const what = record === false ? "take record: false away and run" : "run";
  return new HostConfigurationNeededError(
    `there is no fixture ${file}, and ${why}; ${what} this test once with SF_RECORD=1${where}, and keep the file that it writes`,
    { details: { reason: "fixture_missing" } },
  );
}

function recordedBy({ record, environment }: RecordingWish): Recorded {
  const asked = askedFor(environment["SF_RECORD"]);
  if (record === undefined) return isBuildMachine(environment) ? "none" : asked;
  if (!record) return "none";
  return asked === "all" ? "all" : "missing";
}

function askedFor(given = ""): Recorded {
  if (given === "" || given === "0") return "none";
  if (given === "1") return "missing";
  if (given === "all") return "all";
  throw new HostConfigurationNeededError(
    `SF_RECORD is ${JSON.stringify(keyForMessage(given))}, and that says nothing; set it to 1, to record the fixtures that are missing, or to all, to record them all anew; otherwise leave it away`,
    { details: { reason: "unknown_value" } },
  );
}

function isBuildMachine({ CI = "" }: RecordingWish["environment"]): boolean {
  return CI !== "" && CI !== "0" && CI !== "false";
}
