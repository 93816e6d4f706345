// B29: over TLS a server proves the name that was judged, whatever the environment says, and nothing leads back to plain http.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { failureOf, getPage } from "../../../test/get-page.ts";
import { listening, rawServer, webContext, webServer } from "../../../test/web-server.ts";

const before = getCACertificates("default");
const pair = { cert: "", key: "" };

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "sf-tls-"));
  const [certificate, key] = [join(folder, "server.crt"), join(folder, "server.key")];
  const made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=a.local";
  const named = ["-addext", "subjectAltName=DNS:a.local,IP:127.0.0.1", "-keyout", key, "-out", certificate];
  execFileSync("openssl", [...made.split(" "), ...named], { stdio: "ignore" });
  [pair.cert, pair.key] = [readFileSync(certificate, "utf8"), readFileSync(key, "utf8")];
  rmSync(folder, { recursive: true });
  setDefaultCACertificates([...before, pair.cert]);
});
afterAll(() => setDefaultCACertificates(before));

async function secureServer(location?: string) {
  const names: unknown[] = [];
  const server = createServer(pair, ({ socket, headers }, response) => {
    names.push((socket as TLSSocket & { servername?: string }).servername, headers.host);
    response.writeHead(location === undefined ? 200 : 302, location === undefined ? {} : { location });
    response.end("over TLS");
  });
  return { ...(await listening(server)), names };
}

test("a page comes over TLS from the name that was judged", async () => {
  const server = await secureServer();
  expect(await getPage(`https://a.local:${server.port}/`)).toMatchObject({ text: "over TLS" });
  expect(server.names).toStrictEqual(["a.local", `a.local:${server.port}`]);
  await expect.poll(() => server.open()).toBe(0);
});

test("a certificate of another name is refused, also where the environment says not to look", async () => {
  const server = await secureServer();
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  try {
    expect(await failureOf(getPage(`https://b.local:${server.port}/`))).toBe(
      "upstream_error connection_failed",
    );
    expect(server.names).toStrictEqual([]);
    await expect.poll(() => server.open()).toBe(0);
  } finally {
    vi.unstubAllEnvs();
  }
});

test("a server that is named by its numbers proves those, and no name is told to it", async () => {
  const server = await secureServer();
  const get = (host: string) => {
    const url = `https://${host}:${server.port}/`;
    const authorize = async () => ({ url, host, port: server.port, isLocal: true });
    return getPage(url, { context: { ...webContext(), authorize } });
  };
  expect(await get("127.0.0.1")).toMatchObject({ text: "over TLS" });
  expect(server.names).toStrictEqual([false, `127.0.0.1:${server.port}`]);
  expect(await failureOf(get("127.0.0.2"))).toBe("upstream_error connection_failed");
  expect(server.names).toHaveLength(2);
});

test("a redirect from https to plain http is not followed", async () => {
  const plain = await webServer((_, response) => void response.end("x"));
  const server = await secureServer(`http://a.local:${plain.port}/`);
  expect(await failureOf(getPage(`https://a.local:${server.port}/`))).toBe("upstream_error bad_redirect");
  expect(plain.connections()).toBe(0);
});

test("a server that hangs up in the handshake has failed", async () => {
  const server = await rawServer((socket) => void socket.end());
  expect(await failureOf(getPage(`https://a.local:${server.port}/`))).toBe(
    "upstream_error connection_failed",
  );
  await expect.poll(() => server.open()).toBe(0);
});

test("a handshake that does not end is given up, and taken away", async () => {
  const server = await rawServer(() => {});
  const limits = { httpMs: 100 };
  expect(await failureOf(getPage(`https://a.local:${server.port}/`, { limits }))).toBe("timeout http_time");
  await expect.poll(() => server.open()).toBe(0);
});
