import { describe, expect, test } from "vitest";
import { localTarget } from "./local-target.ts";

const document = { $defs: { a: { title: "a" }, "b c/d": { title: "b" }, "100%": { title: "c" } } };

describe("a reference inside a document", () => {
  test.each([
    ["#", document],
    ["#/$defs/a", { title: "a" }],
    ["#/%24defs/a", { title: "a" }],
    ["#/$defs/b%20c~1d", { title: "b" }],
    ["#/$defs/100%25", { title: "c" }],
  ])("leads to a part: %s", (ref, target) => {
    expect(localTarget(document, ref)).toStrictEqual(target);
  });

  test.each([
    ["#/$defs/gone"],
    ["#/$defs/constructor"],
    ["#/$defs/100%"],
    ["#/$defs/a~2"],
    ["#a"],
    ["/$defs/a"],
    ["https://x.test/#/$defs/a"],
    [""],
    [undefined],
    [7],
  ])("leads nowhere: %s", (ref) => {
    expect(localTarget(document, ref)).toBeUndefined();
  });
});
