import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { type OriginHeaders, originChecker } from "./check-origin.ts";

const app = "https://app.example.com";
const extension = "chrome-extension://abcdefghijklmnop";
const check = originChecker({ allowedOrigins: [app, extension] });

function from(headers: Partial<OriginHeaders>) {
  return check({
    origin: undefined,
    secFetchSite: undefined,
    host: "localhost:8787",
    protocol: "http:",
    ...headers,
  });
}

describe("a request that no page sent", () => {
  test.each([undefined, null, "none"])("is told so: Sec-Fetch-Site %j", (secFetchSite) => {
    expect(from({ secFetchSite })).toStrictEqual({ type: "none" });
    expect(from({ secFetchSite, host: null })).toStrictEqual({ type: "none" });
  });
});

describe("a page of this server", () => {
  test.each<[Partial<OriginHeaders>, string]>([
    [{ origin: "http://localhost:8787" }, "http://localhost:8787"],
    [{ origin: "http://localhost:8787", secFetchSite: "same-origin" }, "http://localhost:8787"],
    [{ origin: "http://localhost:8787", secFetchSite: "none" }, "http://localhost:8787"],
    [{ secFetchSite: "same-origin" }, "http://localhost:8787"],
    [{ origin: "http://localhost:8787", host: "LOCALHOST:8787" }, "http://localhost:8787"],
    [{ origin: "http://localhost", host: "localhost:80" }, "http://localhost"],
    [{ origin: "https://localhost", host: "localhost:443", protocol: "https:" }, "https://localhost"],
    [{ origin: "http://[::1]:8787", host: "[::1]:8787" }, "http://[::1]:8787"],
  ])("is known as one: %j", (headers, origin) => {
    expect(from(headers)).toStrictEqual({ type: "same", origin });
  });

  test.each<Partial<OriginHeaders>>([
    { origin: "http://localhost:8787", secFetchSite: "cross-site" },
    { origin: "http://localhost:8787", secFetchSite: "same-site" },
    { secFetchSite: "same-origin", host: undefined },
    { secFetchSite: "same-origin", host: "localhost, localhost" },
    { secFetchSite: "same-origin", protocol: "" },
    { secFetchSite: "same-origin", protocol: "ws-what:" },
  ])("is not believed in where the headers contradict it: %j", (headers) => {
    expect(from(headers)).toStrictEqual({ type: "refused", reason: "fetch_site_not_allowed" });
  });
});

describe("a page of a configured origin", () => {
  test.each(["app.example.com", "app.example.com:443"])(
    "is one of this server where a proxy ends TLS before it, also when its browser names no origin: %s",
    (host) => {
      const origin = app;
      expect(from({ host, secFetchSite: "same-origin" })).toStrictEqual({ type: "same", origin });
      expect(from({ host: "other.example.com", secFetchSite: "same-origin" })).toStrictEqual({
        type: "same",
        origin: "http://other.example.com",
      });
      expect(from({ host, secFetchSite: "same-site" }).type).toBe("refused");
      expect(from({ host, secFetchSite: "none" })).toStrictEqual({ type: "none" });
    },
  );

  test.each([undefined, "cross-site", "same-site"])("is allowed: Sec-Fetch-Site %j", (secFetchSite) => {
    expect(from({ origin: app, secFetchSite })).toStrictEqual({ type: "allowed", origin: app });
    expect(from({ origin: extension, secFetchSite })).toStrictEqual({ type: "allowed", origin: extension });
  });
});

describe("a page of any other origin (B30)", () => {
  test.each([
    "https://evil.example",
    "http://app.example.com",
    "https://app.example.com:8443",
    "https://app.example.com.evil.example",
    "https://evil-app.example.com",
    "https://x.app.example.com",
    "https://app.example.com.",
    "http://localhost",
    "http://localhost:8788",
    "http://localhost.:8787",
    "https://localhost:8787",
    "http://127.0.0.1:8787",
    "http://[::1]:8787",
    "chrome-extension://bbbbbbbbbbbbbbbb",
    "file://localhost",
    "__proto__://constructor",
  ])("is refused: %s", (origin) => {
    const { type } = from({ origin });
    expect(type).toBe("refused");
    expect(from({ origin, secFetchSite: "same-origin" }).type).toBe("refused");
  });

  test("is refused without an Origin too, where the browser says that it is elsewhere", () => {
    for (const secFetchSite of ["cross-site", "same-site"]) {
      expect(from({ secFetchSite })).toStrictEqual({ type: "refused", reason: "fetch_site_not_allowed" });
    }
  });

  test("is refused where it has no origin, like a sandboxed frame or a file", () => {
    expect(from({ origin: "null" })).toStrictEqual({ type: "refused", reason: "origin_opaque" });
  });

  test.each([
    "",
    " ",
    "*",
    "NULL",
    "app.example.com",
    "//app.example.com",
    "https://",
    "https:app.example.com",
    "https:/app.example.com",
    "https:\\\\app.example.com",
    "https://app.example.com/",
    "https://app.example.com/x",
    "https://app.example.com?",
    "https://app.example.com#",
    "https://app.example.com:443",
    "https://app.example.com:",
    "https://APP.example.com",
    "HTTPS://app.example.com",
    "https://user@app.example.com",
    "https://app.example.com@evil.example",
    "https://app.example.com https://evil.example",
    "https://app.example.com, https://app.example.com",
    "https://app.example.com,https://evil.example",
    " https://app.example.com",
    "https://app.example.com ",
    "https://app.example.com\t",
    "https://app.example.com\n",
    "https://app.exam\tple.com",
    "https://app%2eexample.com",
    "https://app。example.com",
    "https://bücher.example",
    "http://127.1",
    "http://2130706433",
    "http://[::1",
    "http://[0:0:0:0:0:0:0:1]",
    "data:text/html,x",
    "javascript:alert(1)",
    "blob:https://app.example.com/x",
    "null, null",
  ])("is refused where its origin is not spelled as a browser does: %j", (origin) => {
    expect(from({ origin })).toStrictEqual({ type: "refused", reason: "origin_malformed" });
  });

  test.each(["", "SAME-ORIGIN", "same-origin, cross-site", "none,none", " none", "sameorigin", "true"])(
    "is refused where Sec-Fetch-Site says nothing that a browser says: %j",
    (secFetchSite) => {
      expect(from({ secFetchSite })).toStrictEqual({ type: "refused", reason: "fetch_site_malformed" });
      expect(from({ secFetchSite, origin: app }).type).toBe("refused");
    },
  );

  test("is refused everywhere, if nothing is configured", () => {
    const strict = originChecker({ allowedOrigins: [] });
    const headers = { origin: app, secFetchSite: "cross-site", host: "localhost", protocol: "http:" };
    expect(strict(headers)).toStrictEqual({ type: "refused", reason: "origin_not_allowed" });
  });
});

describe("a configured origin", () => {
  test.each([
    ["*", "write one like https://app.example.com"],
    ["null", "write one like https://app.example.com"],
    ["app.example.com", "write one like https://app.example.com"],
    ["https://*.example.com", "is not an origin"],
    ["https://App.example.com/", "write https://app.example.com"],
    ["https://app.example.com:443", "write https://app.example.com"],
  ])("must be spelled as a browser does: %s", (text, hint) => {
    expect(() => originChecker({ allowedOrigins: [text] })).toThrow(HostConfigurationNeededError);
    expect(() => originChecker({ allowedOrigins: [text] })).toThrow(hint);
  });
});
