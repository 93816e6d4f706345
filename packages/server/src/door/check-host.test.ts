import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { hostChecker } from "./check-host.ts";

const type = (allowed: readonly string[], header: string) => hostChecker(allowed)(header).type;

describe("a server of this machine alone (B30)", () => {
  const check = hostChecker();

  test.each([
    ["localhost", { name: "localhost" }],
    ["localhost:8787", { name: "localhost", port: "8787" }],
    ["LocalHost:1", { name: "localhost", port: "1" }],
    ["localhost.", { name: "localhost" }],
    ["localhost.:65535", { name: "localhost", port: "65535" }],
    ["127.0.0.1:80", { name: "127.0.0.1", port: "80" }],
    ["[::1]", { name: "[::1]" }],
    ["[::1]:8787", { name: "[::1]", port: "8787" }],
    ["[0:0:0:0:0:0:0:1]", { name: "[::1]" }],
    ["[0000::0001]", { name: "[::1]" }],
  ])("answers to %s", (header, host) => {
    expect(check(header)).toStrictEqual({ type: "allowed", host });
  });

  test.each([
    "evil.example",
    "evil.example:8787",
    "localhost.evil.example",
    "evil.localhost",
    "localhost-evil.example",
    "xlocalhost",
    "127.0.0.1.nip.io",
    "127.0.0.2",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.000.000.001",
    "0.0.0.0",
    "[::]",
    "[::2]",
    "[::ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "constructor",
    "__proto__",
  ])("does not answer to the host %s", (header) => {
    expect(check(header)).toStrictEqual({ type: "refused", reason: "host_not_allowed" });
  });

  test.each([
    " ",
    " localhost",
    "localhost ",
    "localhost\t",
    "localhost\n",
    "localhost\r\nx: y",
    "localhost\0",
    "localhost, localhost",
    "localhost,localhost",
    "evil.example, localhost",
    "localhost;evil.example",
    "localhost:",
    "localhost:0",
    "localhost:080",
    "localhost:65536",
    "localhost:99999999999",
    "localhost:80:80",
    "localhost:-1",
    "localhost:+80",
    "localhost:8e1",
    "localhost:80/",
    "localhost:٨٠",
    ":80",
    "localhost/",
    "localhost#",
    "localhost?x",
    "localhost\\",
    "evil.example@localhost",
    "user:pass@localhost",
    "@localhost",
    "http://localhost",
    "//localhost",
    "localhost..",
    ".localhost",
    ".",
    "..",
    "-localhost",
    "localhost-",
    "l%6fcalhost",
    "loсalhost",
    "ｌocalhost",
    "localhost。",
    "::1",
    "::1:80",
    "[::1",
    "::1]",
    "[[::1]]",
    "[::1].",
    "[::1]x",
    "[::1]80",
    "[::1]:",
    "[]",
    "[:]",
    "[:::1]",
    "[::1%25lo]",
    "[::1%lo]",
    "[::g]",
    "[1.2.3.4]",
    "[localhost]",
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(127)}a`,
  ])("does not read %j as a host", (header) => {
    expect(check(header)).toStrictEqual({ type: "refused", reason: "host_malformed" });
  });

  test.each([undefined, null, ""])("refuses a request that names no host: %j", (header) => {
    expect(check(header)).toStrictEqual({ type: "refused", reason: "host_missing" });
  });

  test("refuses a header that came twice, as Headers join it", () => {
    const headers = new Headers();
    headers.append("host", "localhost");
    headers.append("host", "localhost");
    expect(check(headers.get("host"))).toStrictEqual({ type: "refused", reason: "host_malformed" });
  });

  test("takes no time over a very long header", () => {
    for (const long of [
      "a".repeat(1e6),
      "a.".repeat(5e5),
      `[${":".repeat(1e6)}]`,
      `localhost:${"1".repeat(1e6)}`,
    ])
      expect(check(long)).toStrictEqual({ type: "refused", reason: "host_malformed" });
  });
});

describe("a server with names of its own", () => {
  test("answers to those names alone, in any case, on any port", () => {
    const allowed = ["API.example.com", "my_service"];
    expect(type(allowed, "api.example.com")).toBe("allowed");
    expect(type(allowed, "api.EXAMPLE.com.:8443")).toBe("allowed");
    expect(type(allowed, "my_service:3000")).toBe("allowed");
    expect(type(allowed, "example.com")).toBe("refused");
    expect(type(allowed, "localhost")).toBe("refused");
  });

  test("answers on the named port alone, where one is named", () => {
    const allowed = ["api.example.com:8443", "[::1]:1"];
    expect(type(allowed, "api.example.com:8443")).toBe("allowed");
    expect(type(allowed, "[::1]:1")).toBe("allowed");
    expect(type(allowed, "api.example.com:443")).toBe("refused");
    expect(type(allowed, "api.example.com")).toBe("refused");
  });

  test("answers to nobody, if no name is allowed", () => {
    expect(type([], "localhost")).toBe("refused");
  });

  test.each(["*", "*.example.com", "https://example.com", "::1", "", "bücher.example", "a b"])(
    "is not started with the allowed host %j",
    (text) => {
      expect(() => hostChecker(["localhost", text])).toThrow(HostConfigurationNeededError);
      expect(() => hostChecker([text])).toThrow(JSON.stringify(text));
    },
  );
});
