// A revoked key hears nothing any more: its open event streams end with it, without waiting for a heartbeat.
import { expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import { settlement } from "../../kernel/test-data/call-waiting.ts";
import { ask, testPlatform } from "../test-data/test-platform.ts";

async function house() {
  const clock = new ManualClock();
  const here = await testPlatform("embedded", { clock });
  const admin = await here.key("acct_1", { scopes: ["admin"] });
  const { key, secret } = await here.platform.createKey("acct_1", { scopes: ["read", "write"] });
  const listen = async (bearer: string) => {
    const request = new Request("http://localhost/api/events", {
      headers: { authorization: `Bearer ${bearer}` },
    });
    const reader = ((await here.fetch(request)).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    return { next: reader.read() };
  };
  return { ...here, admin, secret, keyId: key.keyId, listen };
}

test("a stream of a key ends when the key is revoked", async () => {
  const { listen, secret, admin, keyId, ...here } = await house();
  const { next } = await listen(secret);
  expect((await settlement(next)).state).toBe("pending");
  await ask(here, `/api/keys/${keyId}`, { key: admin, method: "DELETE" });
  expect(await settlement(next)).toMatchObject({ state: "kept", value: { done: true } });
});
