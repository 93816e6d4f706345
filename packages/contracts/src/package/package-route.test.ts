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

// proves PORT-5.1, PORT-5.2, PORT-5.3, PORT-5.4, PORT-5.6, PORT-5.8, PORT-5.10, PORT-5.11, PORT-5.12
// proves PORT-5.13, PORT-5.24
describe("a route", () => {
  keepsItsShape("route", packageRouteSchema, packageRoute);

  // proves PORT-1.17, PORT-5.14, PORT-5.16, PORT-5.19, PORT-5.20, PORT-5.21, PORT-5.22
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

  // proves PORT-1.15, PORT-5.8
  test("names its executor by pack and digest", () => {
    const refs = [`orders@${digestOf("a")}`, `a.b@${digestOf("0")}`];
    const others = ["", "orders", `@${digestOf("a")}`, "orders@sha256:1", `orders@${digestOf("A")}`];
    expect(acceptedBy(executorRefSchema, [...refs, ...others])).toStrictEqual(refs);
  });
});
