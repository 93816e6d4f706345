// A law that shuts the platform's own administration out is told of when it begins, and a leaked key can be revoked all the same.
import { expect, test } from "vitest";
import { listed, made, upHome } from "../../test-data/keys-home.ts";
import { Home } from "../../test-data/run-sf.ts";
import { keyPath, startUp } from "../../test-data/run-up.ts";

const bare = ["--port", "0", "--no-markets"];
const under = ["--policy", "policy.json"];
const revoking = (id: string) => ["keys", "revoke", id, "--yes"];

test("a ceiling below keys is told of at the start; with the platform stopped a key is revoked, and stays so", async () => {
  const { home, up: before } = await upHome();
  const { key } = await made(home, "--name", "leaked");
  await before.stop();
  home.write("policy.json", { maxSideEffect: "user_write" });
  const up = await startUp(home, [...bare, ...under]);
  expect(up.out).toMatch(
    /^warning: under this policy no key, not even the operator's, can do [\w., ]*keys\.revoke[\w., ]* while it is up \(.*"secret"/,
  );
  const refused = await home.run(revoking(key.keyId));
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining("user_write") });
  await up.stop();
  expect((await home.run(revoking(key.keyId))).code).toBe(0);
  await startUp(home, [...bare, ...under]);
  expect((await listed(home)).find(({ keyId }) => keyId === key.keyId)?.status).toBe("revoked");
});

test("a law under which the only key with the scope admin would have to answer itself is told of, too", async () => {
  const home = new Home();
  const approvals = { requireForSideEffectAtOrAbove: "user_write" };
  home.write("policy.json", { maxSideEffect: "secret", approvals });
  const { out } = await startUp(home, [...bare, ...under]);
  expect(out).toMatch(
    /^warning: .* it takes another key with the scope admin that does not come from it, such as one .* stopped\. Without one, with this platform stopped/,
  );
});

test("a law that lets keys be administered, and none at all, are told of with no word; JSON has it beside the answer", async () => {
  const home = new Home();
  home.write("policy.json", { maxSideEffect: "secret" });
  const once = ["up", "--once", ...bare];
  expect((await home.run([...once, ...under])).out).toMatch(/^SimpleFunctions is up at /);
  expect((await home.run(once)).out).toMatch(/^SimpleFunctions is up at /);
  home.write("policy.json", { maxSideEffect: "none" });
  const { out, err } = await home.run([...once, ...under, "--json"]);
  expect([JSON.parse(out), err]).toMatchObject([{ ok: true }, expect.stringMatching(/^warning: under this/)]);
});

test("an operator key that was revoked is said to be none, there, by sf keys and by sf doctor, with what helps", async () => {
  const home = new Home();
  const up = await startUp(home, bare);
  const operator = (await listed(home)).find(({ name }) => name === "operator");
  expect((await home.run(revoking(operator?.keyId ?? ""))).code).toBe(0);
  const file = keyPath(home, "operator");
  const asked = await home.run(["keys", "ls"], { env: { ...home.env, SF_API_KEY: "ignored" } });
  expect(asked.err).toContain("Give one with the scope admin in --key-file; where it was");
  const { out } = await home.run(["doctor"]);
  expect(out).toContain(
    "remove that file, and the next start of sf up makes another; without it sf keys needs",
  );
  await up.stop();
  const again = await startUp(home, bare);
  expect(again.out).toMatch(new RegExp(`^warning: the operator key in ${file} is not accepted any more`));
});
