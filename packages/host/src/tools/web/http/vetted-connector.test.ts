// B29: where a socket has come to stand somewhere else than was checked, it is closed before it has said anything.
import { expect, test } from "vitest";
import { rawServer } from "../../../../test/web-server.ts";
import { vettedConnector } from "./vetted-connector.ts";

test.each(["http:", "https:"])("%s", async (protocol) => {
  const said: unknown[] = [];
  const server = await rawServer((socket) => void socket.on("data", (data) => said.push(data)));
  const reach = { url: "", host: "a.example", port: server.port, isLocal: false };
  const connect = vettedConnector(
    reach,
    {
      lookup: (_host, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
      includes: () => false,
    },
    new AbortController().signal,
  );
  const options = { hostname: "a.example", protocol, port: "" };
  const fault = await new Promise((resolve) => connect(options, (...answer) => resolve(answer)));
  expect(fault).toMatchObject([{ code: "contract_violation" }, null]);
  await expect.poll(() => server.open()).toBe(0);
  expect([server.connections(), said]).toStrictEqual([1, []]);
});
