// S1 at a price that grows with the payload alone: one input of nothing but secrets must not stop the process. Work is counted,
// not timed.
import { canonicalJson, heldSecrets, type JsonValue, SecretRegistry } from "@spfunctions/contracts";
import { afterEach, describe, expect, test, vi } from "vitest";
import { freeze, type Recorded, recordedForm } from "./payload.ts";

const noMarks = { publicPaths: [], secretPaths: [] };

afterEach(() => {
  vi.restoreAllMocks();
});

type Work = {
  readonly recorded: Recorded;
  readonly hashed: number;
  readonly searches: number;
  readonly looks: number;
};

/** What recording it took: secrets hashed, searches made for those it hid, and looks into their table. */
function record(value: JsonValue, also?: SecretRegistry): Work {
  let hashed = 0;
  const search = vi.spyOn(SecretRegistry.prototype, "search");
  const payload = freeze(value);
  if (payload.type === "unreadable") throw new Error(payload.problem.message);
  const recorded = recordedForm(payload, noMarks, (secret) => hashOf(secret, ++hashed), also);
  const looks = recorded.hidden?.search()?.looks ?? 0;
  const made = new Set(
    search.mock.results.map((result): unknown => result.value).filter((one) => one !== null),
  );
  search.mockRestore();
  // That for what this process holds has nothing to do with it.
  made.delete(heldSecrets.search() ?? undefined);
  return { recorded, hashed, searches: made.size, looks };
}

/** Twelve hex digits that tell how many were hashed before. */
function hashOf(_secret: string, count: number): string {
  return count.toString(16).padStart(12, "0");
}

const members = (count: number, make: (n: number) => [string, JsonValue]) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => make(n)));

const passwords = (count: number) => members(count, (n) => [`password${n}`, `correct horse ${n}`]);

describe("an input of nothing but secrets", () => {
  test("is recorded without any of them, also without those that are not looked for again", () => {
    const { recorded } = record(passwords(10_000));
    expect(recorded.text).not.toContain("correct horse");
    expect(new Set(recorded.text.match(/\[redacted:password:[0-9a-f]{12}\]/g)).size).toBe(10_000);
  });

  test("costs one search for what was hidden, however many texts there are", () => {
    expect([record(passwords(500)).searches, record(passwords(5000)).searches]).toStrictEqual([1, 1]);
  });

  test("has its keyed hash made for so many secrets, and no more than once for each", () => {
    expect(record(passwords(1000)).hashed).toBe(1000);
    expect(record({ passwords: Array.from({ length: 1000 }, () => "correct horse") }).hashed).toBe(1);
    // One more for the key under which the rest are hashed.
    expect([record(passwords(5000)).hashed, record(passwords(10_000)).hashed]).toStrictEqual([4097, 4097]);
  });

  test("holds a bounded number of them to be looked for again", () => {
    const sizes = [2000, 4000, 8000].map((count) => record(passwords(count)).recorded.hidden?.size ?? 0);
    // The last one that is taken brings all its forms.
    expect(sizes.map((size) => size >= 4096 && size < 4096 + 9)).toStrictEqual([true, true, true]);
  });
});

test("twice the text costs twice the looks, where text and secrets were made for each other", () => {
  const secrets = members(500, (n) => [`password${n}`, `${"a".repeat(8 + n)}b`]);
  const looks = (length: number) => record({ ...secrets, text: "a".repeat(length) }).looks;
  const [none, once, twice] = [looks(0), looks(50_000), looks(100_000)];
  expect(once - none).toBeGreaterThan(0);
  expect((twice - none) / (once - none)).toBeLessThan(2.1);
});

test("a secret that was hidden among hundreds of others is hidden where it is said again", () => {
  const first = record(passwords(300));
  const output = { said: "it was correct horse 299", "for correct%20horse%207": [1] };
  expect(record(output, first.recorded.hidden).recorded.text).not.toMatch(/correct/);
});

describe("where a record differs from what was given", () => {
  test("is said place by place", () => {
    const { redacted } = record({
      list: [{ password: "correct horse" }, { "a/b": { token: "abc" } }],
      c: 1,
    }).recorded;
    expect(redacted).toStrictEqual(["/list/0/password", "/list/1/a~1b/token"]);
  });

  test("is said of the whole where the places would be longer than anybody reads", () => {
    let value: JsonValue = { password: Array.from({ length: 2000 }, (_, n) => `v${n}`) };
    for (let depth = 0; depth < 200; depth++) value = { [`${"k".repeat(50)}${depth}`]: value };
    const { redacted, text } = record(value).recorded;
    expect(redacted).toStrictEqual([""]);
    expect(text).not.toBe(canonicalJson(value));
  });
});
