// A2, G3 at a terminal: the operator key of a folder is a key like any other; whoever can use the folder itself is its operator.
import { describe, expect, test } from "vitest";
import { made, secretIn } from "../../test-data/keys-home.ts";
import { Home, routedPack } from "../../test-data/run-sf.ts";
import { page, webPack } from "../../test-data/reaching-home.ts";
import { keyPath, startUp, type Up } from "../../test-data/run-up.ts";

type Family = {
  readonly home: Home;
  readonly up: Up;
  readonly ask: () => Promise<string>;
  readonly child: string;
};

/** A platform whose policy asks about writes, with a key that its operator key made before that policy. */
async function family(): Promise<Family> {
  const home = new Home();
  const argv = ["--port", "0", "--no-markets", "--pack", routedPack];
  const before = await startUp(home, argv);
  const { file } = await made(home, "--scope", "read", "--scope", "write", "--scope", "admin");
  await before.stop();
  const approvals = { requireForSideEffectAtOrAbove: "user_write" };
  home.write("platform.json", { maxSideEffect: "user_write", approvals });
  const up = await startUp(home, [...argv, "--policy", "platform.json"]);
  const ask = async () => {
    const headers = { authorization: `Bearer ${secretIn(file)}`, "content-type": "application/json" };
    const body = JSON.stringify({ text: "milk" });
    const answer = await fetch(`${up.url}/api/routed`, { method: "POST", headers, body });
    const { error } = (await answer.json()) as { error: { details: { approvalId: string } } };
    return error.details.approvalId;
  };
  return { home, up, ask, child: file };
}

describe("a key that the operator key made, where the server's policy asks a person", () => {
  test("is answered at the machine, as its operator", async () => {
    const { home, ask } = await family();
    const { code, out } = await home.run(["approvals", "approve", await ask(), "--json"]);
    expect([code, out]).toStrictEqual([0, expect.stringContaining('"kind": "operator"')]);
  });

  test("is not answered with the operator key, which is named, nor over an address", async () => {
    const { home, up, ask } = await family();
    const named = ["--key-file", keyPath(home, "operator")];
    for (const where of [named, [...named, "--url", up.url]])
      expect(await home.run(["approvals", "approve", await ask(), ...where])).toMatchObject({
        code: 3,
        err: expect.stringMatching(/^error forbidden: .*are of one family/),
      });
  });

  test("grants nothing by its name to those of its family; the machine's operator does", async () => {
    const { home, child } = await family();
    const grant = ["grants", "grant", "net:example.com", "--data", home.path(".sf")];
    expect(await home.run([...grant, "--key-file", child])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^error forbidden: .*are of one family/),
    });
    expect((await home.run(grant)).code).toBe(0);
  });
});

test("a key that is made in the folder while its platform is stopped comes from no other key, and answers for the operator key", async () => {
  const home = new Home();
  const argv = ["--port", "0", "--no-markets", "--pack", routedPack];
  await (await startUp(home, argv)).stop();
  const { file, key } = await made(home, "--name", "second", "--scope", "admin");
  expect(key).toMatchObject({ createdBy: "operator" });
  const approvals = { requireForSideEffectAtOrAbove: "user_write" };
  home.write("platform.json", { maxSideEffect: "secret", allowTools: ["keys.create"], approvals });
  await startUp(home, [...argv, "--policy", "platform.json"]);
  const asked = await home.run(["keys", "create", "--name", "third"]);
  expect(asked.code).toBe(4);
  const [approvalId = ""] = /appr_[\w-]+/.exec(asked.err) ?? [];
  expect((await home.run(["approvals", "approve", approvalId])).code).toBe(3);
  expect((await home.run(["approvals", "approve", approvalId, "--key-file", file])).code).toBe(0);
});

test("what a key wishes for that the operator key made is denied at the machine, and not with that key", async () => {
  const home = new Home();
  const argv = ["--port", "0", "--no-markets", "--pack", webPack];
  const before = await startUp(home, argv);
  const { file } = await made(home, "--scope", "read", "--scope", "write");
  await before.stop();
  const approvals = { requireForSideEffectAtOrAbove: "user_write" };
  home.write("platform.json", { maxSideEffect: "user_write", approvals });
  const up = await startUp(home, [...argv, "--policy", "platform.json"]);
  const headers = {
    authorization: `Bearer ${secretIn(file)}`,
    "content-type": "application/json",
    "x-sf-origin": "model",
  };
  const body = JSON.stringify({ url: page });
  expect((await fetch(`${up.url}/api/web`, { method: "POST", headers, body })).status).toBe(403);
  const here = ["--data", home.path(".sf")];
  const listed = await home.run(["grants", "ls", ...here, "--json"]);
  const [grantId = ""] = /cap_[\w-]+/.exec(listed.out) ?? [];
  const named = ["--key-file", keyPath(home, "operator")];
  expect(await home.run(["grants", "deny", grantId, ...here, ...named])).toMatchObject({
    code: 3,
    err: expect.stringMatching(/^error forbidden: .*are of one family/),
  });
  expect(await home.run(["grants", "deny", grantId, ...here])).toMatchObject({ code: 0 });
});
