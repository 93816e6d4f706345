import { describe, expect, test } from "vitest";
import { adding, askingHome } from "../../test-data/asking-home.ts";
import { alsoHere } from "./whose-none.ts";

describe.each([
  [["approvals", "ls"]],
  [["approvals", "ls", "--status", "any"]],
  [["approvals", "grants"]],
  [["effects", "ls"]],
  [["grants", "ls"]],
  [["runs", "ls"]],
])("sf %s", (command) => {
  test("that has nothing to list says whose nothing it is, beside an answer that stays as it was", async () => {
    const home = askingHome();
    const empty = await home.run(command);
    expect(empty).toMatchObject({ code: 0, err: "" });
    expect((await home.run(adding("--account", "shop"))).code).toBe(4);
    const others = await home.run(command);
    expect(others).toStrictEqual({
      code: 0,
      out: empty.out,
      err: "none of account local; here are also: shop (--account)\n",
    });
    expect((await home.run([...command, "--json"])).err).toBe("");
    expect((await home.run([...command, "--account", "shop"])).err).not.toContain("none of account");
  });
});

test("where many accounts are, the first are named, and the rest counted", () => {
  expect(alsoHere("c", ["c", "b", "a", "b"])).toBe("here are also: a, b (--account)");
  expect(alsoHere("a", "gfedcba")).toBe("here are also: b, c, d, e, f and 1 more (--account)");
  expect(alsoHere("a", ["a"])).toBeUndefined();
});
