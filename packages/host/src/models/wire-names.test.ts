import * as fc from "fast-check";
import { expect, test } from "vitest";
import { WireNames } from "./wire-names.ts";

const nasty = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.stringMatching(/^[a-z._]{0,6}$/),
  fc.constantFrom("a.b", "a_b", "a-b", "__proto__", "", "x".repeat(64), "x".repeat(65), "\ud800"),
);

test("any names, however alike, become names that every provider takes, and come back as they were", () => {
  fc.assert(
    fc.property(fc.array(nasty), fc.constantFrom(40, 64), (names, most) => {
      const wires = new WireNames(names, most);
      const sent = new Set(names.map((name) => wires.wire(name)));
      expect(sent.size).toBe(new Set(names).size);
      for (const name of names) {
        expect(wires.wire(name)).toMatch(new RegExp(`^[A-Za-z0-9_-]{1,${most}}$`));
        expect(wires.own(wires.wire(name))).toBe(name);
      }
    }),
  );
});

test("which name one gets does not depend on the order of the others", () => {
  fc.assert(
    fc.property(fc.uniqueArray(nasty), (names) => {
      const [one, other] = [new WireNames(names, 64), new WireNames(names.toReversed(), 64)];
      expect(names.map((name) => one.wire(name))).toStrictEqual(names.map((name) => other.wire(name)));
    }),
  );
});

test("a name that is taken as it is stays, and a dotted one is readable", () => {
  const names = new WireNames(["mail.send", "mail_list", "a.b", "a_b"], 64);
  expect([names.wire("mail.send"), names.wire("mail_list"), names.wire("a_b")]).toStrictEqual([
    "mail_send",
    "mail_list",
    "a_b",
  ]);
  expect(names.wire("a.b")).toMatch(/^a_b_[0-9a-f]{12}$/);
});

test("a name that nobody gave is given on as it is", () => {
  expect(new WireNames(["a.b"], 64).own("rm_rf")).toBe("rm_rf");
});
