// B29: who judges an address and who fetches it read it in the same way. For any text, the host that was judged is the host that is
// resolved, connected to, and named to the server.
import { CapabilityDeniedError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { failureOf, getPage } from "../../../test/get-page.ts";
import { webContext, webServer } from "../../../test/web-server.ts";
import { numericHost } from "./address/vet-addresses.ts";

const pick = (words: string) => fc.constantFrom(...words.split(" "));
/** Mostly what everybody writes, so that one thing at a time is odd. */
const mostly = (usual: fc.Arbitrary<string>, other: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: other });
const nothing = fc.constant("");
const odd = mostly(
  nothing,
  fc.constantFrom("\t", "\n", "\r", " ", "\0", "\\", "/", "%00", "%0a", "%2f", "\u200b", "\u3002"),
);
const scheme = mostly(
  fc.constant("http://"),
  fc.constantFrom(
    "HTTP://",
    "http:",
    "http:/",
    "http:\\\\",
    "http:///",
    "https://",
    "ht\ttp://",
    "//",
    "file://",
    "ftp://",
    "ws://",
  ),
);
const userinfo = mostly(nothing, pick("user@ u:p@ :@ @ a.local:80@ a%40b@ a.local\\@"));
const host = mostly(
  pick(
    "a.local b.local A.LoCaL a.local. münchen.local 例え.local ａ.local xn--mnchen-3ya.local ß.local a_b.local",
  ),
  fc.oneof(
    pick("a%2elocal %61.local a。local a．local ⓐ.local -a.local a..local .local local"),
    pick(
      "127.0.0.1 127.1 0x7f.1 0177.1 2130706433 [::1] [::ffff:127.0.0.1] 127。0。0。1 １２７.0.0.1 127.0.0.1. [::1%25lo]",
    ),
    pick(
      "a.local@b.local a.local#@b.local a.local?@b.local a.local\\@b.local b.local/a.local a.local:80@b.local",
    ),
    fc.domain(),
    fc.string({ unit: "binary", maxLength: 8 }),
  ),
);
const path = mostly(
  pick("/ /a?b#c ?q #f /../.. /%2e%2e/ \\a\\b /ü /\ud83d\ude00 //b.local/ /a?b=http://b.local/"),
  fc.oneof(fc.constantFrom("/a\tb", "/a\nb", "/a b"), fc.webPath()),
);

test("the host that was judged is the one that is reached", async () => {
  const server = await webServer((_, response) => void response.end("x"));
  const own = `:${server.port}`;
  const port = mostly(
    fc.constant(own),
    fc.constantFrom(`:0${server.port}`, "", ":", ":80", ":0", ":99999", `${own}x`),
  );
  let reached = 0;
  await fc.assert(
    fc.asyncProperty(scheme, userinfo, host, port, path, odd, odd, async (...parts) => {
      const [begin, user, name, at, rest, one, other] = parts;
      const judged: string[] = [];
      const resolved: string[] = [];
      const context = permissive(judged);
      const before = server.asked.length;
      const url = one + begin + user + name + other + at + rest;
      const resolve = async (asked: string) => {
        resolved.push(asked);
        return ["127.0.0.1"];
      };
      const failure = await failureOf(getPage(url, { context, resolve }));
      expect(failure === undefined || /^(?:upstream_error|capability_denied)/.test(failure)).toBe(true);
      // Not one name that was not judged, and none but the name that was; numbers are no name.
      const hosts = judged.map((text) => new URL(text).hostname);
      expect(resolved).toStrictEqual(hosts.filter((judgedHost) => numericHost(judgedHost) === undefined));
      const asked = server.asked.slice(before);
      expect(asked.map(({ headers }) => `http://${headers.host}`)).toStrictEqual(
        failure === undefined ? judged.map((text) => new URL(text).origin) : [],
      );
      expect(asked.map(({ url: said }) => said)).toStrictEqual(
        failure === undefined ? judged.map((text) => new URL(text).pathname + new URL(text).search) : [],
      );
      reached += asked.length;
    }),
    { numRuns: 600 },
  );
  // It says nothing unless many of them get through.
  expect(reached).toBeGreaterThan(60);
  await expect.poll(() => server.open()).toBe(0);
});

/** Lets everything through that can be read as an address of the web at all, and remembers it. */
function permissive(judged: string[]) {
  const authorize = async (given: string) => {
    const url = new URL(URL.canParse(given) ? given : "none:");
    if (!/^https?:$/.test(url.protocol) || url.username + url.password !== "")
      throw new CapabilityDeniedError("refused");
    url.hash = "";
    judged.push(url.href);
    const usual = url.protocol === "https:" ? 443 : 80;
    const at = url.port === "" ? usual : Number(url.port);
    return { url: url.href, host: url.hostname, port: at, isLocal: true };
  };
  return { ...webContext(), authorize };
}
