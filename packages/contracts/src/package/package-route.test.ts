import { describe, expect, test } from "vitest";
import { packageRoute } from "../../test-data/package-samples.ts";
import { digestOf } from "../../test-data/samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import { risks } from "../tool/contract-tool.ts";
import {
  executorRefSchema,
  packageRouteSchema,
  privacyClassSchema,
  retentionClassSchema,
  riskClassSchema,
  routeDestinationSchema,
} from "./package-route.ts";

describe("a route", () => {
  keepsItsShape("route", packageRouteSchema, packageRoute);

  test("G1: has known classes", () => {
    expect(riskClassSchema.options).toStrictEqual(["none", ...risks]);
    expect(privacyClassSchema.options).toStrictEqual(["public", "internal", "private", "secret"]);
    expect(retentionClassSchema.options).toStrictEqual([
      "ephemeral",
      "run_scoped",
      "session_scoped",
      "durable",
    ]);
    expect(routeDestinationSchema.options).toStrictEqual(["process", "platform", "net"]);
    for (const changes of [
      { effectClass: "llm_cost" },
      { riskClass: "low" },
      { privacy: "shared" },
      { retention: "forever" },
      { destination: "elsewhere" },
    ]) {
      expect(packageRouteSchema.safeParse({ ...packageRoute, ...changes }).success).toBe(false);
    }
  });

  test("names its executor by pack and digest", () => {
    const refs = [`orders@${digestOf("a")}`, `a.b@${digestOf("0")}`];
    const others = ["", "orders", `@${digestOf("a")}`, "orders@sha256:1", `orders@${digestOf("A")}`];
    expect(acceptedBy(executorRefSchema, [...refs, ...others])).toStrictEqual(refs);
  });
});
