import { describe, expect, test } from "vitest";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { toolRouteOf, travelsInQuery } from "./tool-route.ts";

const routeOf = (path: string) => toolRouteOf({ name: "keys.rotate", http: { method: "POST", path } });

describe("a tool's route", () => {
  test("names the path's parameters in their order", () => {
    expect(routeOf("/api/accounts/{accountId}/keys/{keyId}/rotate")).toStrictEqual({
      tool: "keys.rotate",
      method: "POST",
      path: "/api/accounts/{accountId}/keys/{keyId}/rotate",
      params: ["accountId", "keyId"],
    });
  });

  test("has no parameters where the path has none", () => {
    expect(routeOf("/api/keys")?.params).toStrictEqual([]);
  });

  test("is nothing for a local tool", () => {
    expect(toolRouteOf({ name: "fs.read_text" })).toBeUndefined();
  });

  test("says where the input travels", () => {
    const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
    expect(methods.filter((method) => travelsInQuery({ method }))).toStrictEqual(["GET", "DELETE"]);
  });

  const malformed: readonly (readonly [path: string, reason: string])[] = [
    ["/api/keys/{}", "malformed_parameter"],
    ["/api/keys/{keyId}/{keyId}", "repeated_parameter"],
    ["/api/keys/{keyId", "malformed_parameter"],
    ["/api/keys/keyId}", "malformed_parameter"],
    ["/api/keys/}keyId{", "malformed_parameter"],
    ["/api/keys/{{keyId}}", "malformed_parameter"],
    ["/api/keys/{key/Id}", "malformed_parameter"],
    ["/api/keys/{key-id}", "malformed_parameter"],
    ["/api/keys/{1st}", "malformed_parameter"],
    ["/api/keys/{__proto__}", "malformed_parameter"],
    ["/api/keys/{a}{b}", "malformed_parameter"],
    ["/api/keys/key-{a}", "malformed_parameter"],
    ["/api/keys/{a}s", "malformed_parameter"],
    ["/api//keys", "empty_segment"],
    ["/api/keys/", "empty_segment"],
  ];
  test.each(malformed)("%s is refused: %s", (path, reason) => {
    const { code, details } = refusalOf(() => routeOf(path));
    expect({ code, details }).toStrictEqual({
      code: "invalid_manifest",
      details: { path: "/http/path", tool: "keys.rotate", reason },
    });
  });
});
