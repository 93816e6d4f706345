// B15: enforcement never fails open on a policy that cannot be read: there is no seat then.
import {
  HostConfigurationNeededError,
  InvalidPolicyError,
  isSimpleFunctionsError,
} from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { hostileValues } from "../../../contracts/test-data/hostile-values.ts";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { openPolicy, principalWith, somebody } from "../../test-data/judge-samples.ts";
import { toolWith } from "../../test-data/tool-samples.ts";
import { openInstallation } from "../installation/installation.ts";
import { Seat } from "../seat/seat.ts";

const tool = toolWith({ sideEffect: "user_write" });
const installation = openInstallation(new Uint8Array(32).fill(203));
const seatWith = (changes: object) =>
  new Seat({
    packs: [tool],
    levels: [{ level: "agent", policy: openPolicy }],
    principal: somebody,
    origin: "direct",
    surface: "agent",
    installation,
    ...changes,
  });
const withPolicy = (policy: unknown) => seatWith({ levels: [{ level: "agent", policy }] });
const refused = (changes: object) => refusalOf(() => seatWith(changes));

describe("a policy that is none", () => {
  test("a seat with a sound one opens", () => {
    expect(seatWith({}).explain("notes.read", {}).outcome).toBe("allow");
  });

  test.each(hostileValues)("%s is refused", (_, make) => {
    expect(refusalOf(() => withPolicy(make()))).toBeInstanceOf(InvalidPolicyError);
  });

  const fields = [
    "allow",
    "deny",
    "allowTools",
    "denyTools",
    "maxSideEffect",
    "maxCostEffect",
    "trade",
    "budget",
    "approvals",
    "session",
  ];
  test.each(fields)("hostile values as %s are refused", (field) => {
    const accepted = hostileValues.filter(([, make]) => {
      const value = make();
      if (value === undefined) return false;
      const error = refusalOf(() => withPolicy({ ...openPolicy, [field]: value }));
      return !(error instanceof InvalidPolicyError);
    });
    expect(accepted).toStrictEqual([]);
  });

  test.each(hostileValues)("%s beside a sound level is refused", (_, make) => {
    const levels = [
      { level: "agent", policy: openPolicy },
      { level: "session", policy: make() },
    ];
    expect(refusalOf(() => seatWith({ levels }))).toBeInstanceOf(InvalidPolicyError);
  });

  test.each([
    [{ denytools: ["notes.*"] }, 'invalid policy: unknown key "denytools"; did you mean "denyTools"?'],
    [
      { denyTools: ["notes*"] },
      "invalid policy: /denyTools/0: expected a canonical tool name or a namespace pattern, like world.read or world.*",
    ],
    [
      { maxSideEffect: "read" },
      "invalid policy: /maxSideEffect: expected a sideEffect: one of none, auth_telemetry_write, user_write, secret, runtime, paper_trade, live_trade",
    ],
  ])("%j is refused, and the message says why", (policy, message) => {
    expect(refusalOf(() => withPolicy(policy)).message).toBe(message);
  });

  test("a policy is read once: what it says later, nobody hears", () => {
    let reads = 0;
    const changing = Object.defineProperty({ maxSideEffect: "user_write" }, "denyTools", {
      enumerable: true,
      get: () => (reads++ === 0 ? ["notes.*"] : []),
    });
    const seat = withPolicy(changing);
    expect(seat.explain("notes.read", {})).toMatchObject({ outcome: "deny", gate: "deny" });
    expect(reads).toBe(1);
    const mutable = { maxSideEffect: "none" };
    const other = withPolicy(mutable);
    mutable.maxSideEffect = "live_trade";
    expect(other.explain("notes.read", {}).outcome).toBe("deny");
  });
});

describe("levels that are none", () => {
  test("without a level nothing is allowed: there is no seat", () => {
    expect(refused({ levels: [] })).toBeInstanceOf(HostConfigurationNeededError);
  });

  // A sparse list is as long to walk as it says; only a host could give one.
  test.each(hostileValues.filter(([name]) => name !== "the longest sparse array"))(
    "%s as the list",
    (_, make) => {
      let seat: Seat | undefined;
      try {
        seat = seatWith({ levels: make() });
      } catch {}
      expect(seat).toBeUndefined();
    },
  );

  test("what is no list of levels is refused, not a fault", () => {
    for (const levels of [undefined, null, {}, "agent", [null], [undefined], [[]], ["agent"]]) {
      expect(isSimpleFunctionsError(refused({ levels }))).toBe(true);
    }
  });

  test.each(["boss", "", "AGENT", "__proto__", null, undefined, 5, {}])(
    "G1: the unknown level %j is refused",
    (level) => {
      expect(isSimpleFunctionsError(refused({ levels: [{ level, policy: openPolicy }] }))).toBe(true);
    },
  );
});

describe("what else a call is judged by", () => {
  test.each(["root", "", "DIRECT", null, 5, {}])("G1: the unknown origin %j is refused", (origin) => {
    expect(isSimpleFunctionsError(refused({ origin }))).toBe(true);
  });

  test.each(["Plain", "", "admin", null, undefined, 5])(
    "G1: the unknown surface %j is refused",
    (surface) => {
      expect(isSimpleFunctionsError(refused({ surface }))).toBe(true);
    },
  );

  test.each(hostileValues)("%s is no principal", (_, make) => {
    expect(isSimpleFunctionsError(refused({ principal: make() }))).toBe(true);
  });

  test.each([
    { scopes: ["everything"] },
    { scopes: "admin" },
    { scopes: undefined },
    { kind: "root" },
    { kind: "run" },
    { accountId: "" },
    { admin: true },
  ])("a principal with %j is refused", (changes) => {
    expect(isSimpleFunctionsError(refused({ principal: { ...principalWith(), ...changes } }))).toBe(true);
  });
});
