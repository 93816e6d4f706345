// Names are remembered, because the same come again and again; what a stranger makes up is not.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { redact } from "./redact.ts";

const mebibyte = 2 ** 20;

test("names that are longer than anybody's are not kept in memory", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const inUse = () => {
    collect();
    collect();
    return process.memoryUsage().heapUsed;
  };
  redact({ short: "x" });
  const before = inUse();
  for (let at = 0; at < 32; at++) redact({ [`${at}${"n".repeat(mebibyte)}`]: "x" });
  expect((inUse() - before) / mebibyte).toBeLessThan(8);
});
