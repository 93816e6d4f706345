import { expect, test } from "vitest";
import type { Part } from "../io/printer.ts";
import { sayLongRead } from "./say-long-read.ts";

test("much is said in bytes, not in letters; little is not", () => {
  const said: Part[] = [];
  const err = (...parts: readonly Part[]) => void said.push(...parts);
  sayLongRead({ err }, ["e".repeat(8 * 2 ** 20)], (size) => `letters ${size}`);
  sayLongRead({ err }, ["€".repeat(2 ** 21), "€".repeat(2 ** 21)], (size) => `reading ${size}`);
  expect(said).toStrictEqual([{ text: "reading 12.0 MiB", style: "dim" }]);
});
