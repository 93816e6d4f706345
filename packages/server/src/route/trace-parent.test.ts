import { traceIdSchema } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { traceIdIn } from "./trace-parent.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const known = `00-${traceId}-${parentId}-01`;

describe("a traceparent header", () => {
  test.each([
    known,
    `00-${traceId}-${parentId}-00`,
    `00-${traceId}-${parentId}-ff`,
    `01-${traceId}-${parentId}-01`,
    `cc-${traceId}-${parentId}-00-what-comes-later`,
    `cc-${traceId}-${parentId}-01-`,
    `fe-${traceId}-${parentId}-01-X.y`,
  ])("is read: %s", (header) => {
    expect(traceIdSchema.parse(traceIdIn(header))).toBe(traceId);
  });

  test.each([
    undefined,
    null,
    "",
    "00",
    known.toUpperCase(),
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId}-${parentId.toUpperCase()}-01`,
    `00-${traceId}-${parentId}-0A`,
    `0A-${traceId}-${parentId}-01`,
    `ff-${traceId}-${parentId}-01`,
    `00-${"0".repeat(32)}-${parentId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `01-${"0".repeat(32)}-${parentId}-01`,
    `${known}-`,
    `${known}-more`,
    `${known}.`,
    ` ${known}`,
    `${known} `,
    `${known}\n`,
    `${known}, ${known}`,
    `01-${traceId}-${parentId}-01, 01-${traceId}-${parentId}-01`,
    `01-${traceId}-${parentId}-01.more`,
    `01-${traceId}-${parentId}-011`,
    `0-${traceId}-${parentId}-01`,
    `000-${traceId}-${parentId}-01`,
    `00-${traceId.slice(1)}-${parentId}-01`,
    `00-${traceId}0-${parentId}-01`,
    `00-${traceId}-${parentId.slice(1)}-01`,
    `00-${traceId}-${parentId}-1`,
    `00-${traceId}-${parentId}`,
    `00_${traceId}_${parentId}_01`,
    `00-${traceId.replace("4", "g")}-${parentId}-01`,
    `00-${traceId.replace("4", "٤")}-${parentId}-01`,
  ])("is as if it were not there: %j", (header) => {
    expect(traceIdIn(header)).toBeUndefined();
  });
});
