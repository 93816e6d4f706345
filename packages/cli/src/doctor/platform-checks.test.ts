import { openSqliteStore } from "@spfunctions/host/store";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { doctored, saidOf, troubles } from "../../test-data/doctor-home.ts";
import { secretIn, upHome, wayTo } from "../../test-data/keys-home.ts";
import { Home } from "../../test-data/run-sf.ts";
import { keyPath } from "../../test-data/run-up.ts";
import { processMark } from "../up/process-mark.ts";

async function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("sf doctor about a platform", () => {
  test("that is up in this folder: who it is, whose key it signs with, that its keys are good; nothing is recorded", async () => {
    const { home, up } = await upHome();
    const recorded = async () => (await home.run(["trace", "verify", "--data", ".sf", "--json"])).out;
    const before = await recorded();
    const said = await doctored(home);
    expect({ code: said.code, troubles: troubles(said) }).toStrictEqual({ code: 0, troubles: [] });
    expect(await recorded()).toBe(before);
    const about = ["driver", "platform", "clock", "platform's signing key", "key"];
    expect(
      about.flatMap((name) => saidOf(said, name)).map(({ check, where, what }) => [check, where, what]),
    ).toStrictEqual([
      ["driver", home.path(".sf"), `the platform at ${up.url}, process ${process.pid} drives it`],
      ["platform", up.url, expect.stringMatching(/^answers: version \d\S+, \d+ tools, sha256:[0-9a-f]{64}$/)],
      ["clock", up.url, expect.stringMatching(/^within [1-5] s of this machine's$/)],
      [
        "platform's signing key",
        up.url,
        expect.stringMatching(/^ed25519-\w+, public key [\w-]{43} \(your own\)$/),
      ],
      ["key", keyPath(home, "starter"), "is accepted"],
      ["key", keyPath(home, "operator"), "is accepted"],
    ]);
  });

  test("at an address: with the key that was given, and never with one of this folder", async () => {
    const { home, up } = await upHome();
    const shown: (string | undefined)[] = [];
    const way = await wayTo(up.url, ({ headers }) => (shown.push(headers.authorization), "pass"));
    const without = await doctored(home, ["--url", way]);
    expect([without.code, troubles(without), new Set(shown)]).toStrictEqual([
      0,
      ["warn key: no key was tried"],
      new Set([undefined]),
    ]);
    const bad = `sf_live_${"0".repeat(32)}`;
    const refused = await doctored(home, [], { env: { SF_API_URL: way, SF_API_KEY: bad } });
    expect([refused.code, troubles(refused)]).toStrictEqual([
      1,
      ["fail key: is not accepted: it was revoked, has expired or is another platform's"],
    ]);
    const good = await doctored(home, ["--url", way, "--key-file", keyPath(home, "starter")]);
    expect([good.code, troubles(good)]).toStrictEqual([0, []]);
    expect(JSON.stringify([without, refused, good])).not.toMatch(
      new RegExp(`${bad}|${secretIn(keyPath(home, "starter"))}`),
    );
  });

  test("that is down, hangs up, is something else, redirects, answers without end, or holds a password", async () => {
    const home = new Home();
    const addresses = [
      "http://127.0.0.1:1",
      await served(({ socket }) => void socket.destroy()),
      await served((_, answer) => void answer.end("<html>")),
      await served((_, answer) => void answer.writeHead(302, { location: "http://127.0.0.1:1" }).end()),
      await served((_, answer) => {
        const more = () => void answer.write(Buffer.alloc(65_536, 32), (error) => error ?? more());
        answer.writeHead(200);
        more();
      }),
      "http://me:sw0rdf1sh@127.0.0.1:1",
      "ftp://x",
    ];
    const said: unknown[] = [];
    for (const url of addresses) {
      const { code, checks } = await doctored(home, ["--url", url]);
      const last = checks.at(-1);
      said.push([code, last?.check, last?.status, `${last?.what}; ${last?.todo}`.replace(url, "…")]);
    }
    expect(said).toStrictEqual([
      [1, "platform", "fail", "there is no answer from …; is it running, and is that its address?"],
      [1, "platform", "fail", "there is no answer from …; is it running, and is that its address?"],
      [
        1,
        "platform",
        "fail",
        "what is at … answers with something that is no JSON; check that it is the platform's own address",
      ],
      [
        1,
        "platform",
        "fail",
        "what is at … answers with status 302; check that it is the platform's own address",
      ],
      [
        1,
        "platform",
        "fail",
        "what is at … answers with more than anybody asked for; check that it is the platform's own address",
      ],
      [
        1,
        "platform",
        "fail",
        "--url holds a user name or password; give the platform's address, like http://127.0.0.1:7700",
      ],
      [
        1,
        "platform",
        "fail",
        "--url is neither http nor https; give the platform's address, like http://127.0.0.1:7700",
      ],
    ]);
    expect(JSON.stringify(said)).not.toContain("sw0rdf1sh");
  });

  test("that never ends its answer is left with Ctrl-C", async () => {
    const ending = new AbortController();
    const url = await served((_, answer) => {
      answer.writeHead(200).write("{");
      ending.abort("SIGINT");
    });
    const { code, err } = await new Home().run(["doctor", "--url", url], { signal: ending.signal });
    expect({ code, err }).toStrictEqual({
      code: 130,
      err: "error cancelled: cancelled; nothing was changed\n",
    });
  });

  test("whose clock is another, and whose signing key is not what it says", async () => {
    const { home, up } = await upHome();
    const anHourAhead = () => new Date(Date.now() + 3_600_000).toUTCString();
    const key = { keyId: "ed25519-0000000000000000", algorithm: "Ed25519", publicKey: "A".repeat(43) };
    const way = await wayTo(up.url, ({ url }, answer) => {
      if (url === "/api/health") answer.writeHead(200, { date: anHourAhead() }).end("{}");
      else if (url === "/api/contracts/signing-key") answer.writeHead(200).end(JSON.stringify(key));
      else return "pass";
      return "met";
    });
    const said = await doctored(home, ["--url", way]);
    expect([said.code, troubles(said)]).toStrictEqual([
      1,
      [
        expect.stringMatching(/^warn clock: its clock is (?:3599|3600) s ahead of this machine's$/),
        `fail platform's signing key: it says that its key ${key.publicKey} is ${key.keyId}, and it is not`,
        "warn key: no key was tried",
      ],
    ]);
  });

  test("S1: a file in the data folder that names another machine is not believed, and nothing is sent there", async () => {
    const { home, up } = await upHome();
    await up.stop();
    const store = await openSqliteStore({ folder: home.path(".sf") });
    onTestFinished(() => store.close());
    const endpoint = {
      url: "https://platform.example",
      pid: process.pid,
      starterKey: keyPath(home, "starter"),
      mark: processMark(process.pid),
    };
    home.write(".sf/platform.json", endpoint);
    const said = await doctored(home);
    expect([said.code, troubles(said)]).toStrictEqual([
      1,
      [
        `fail platform: ${home.path(".sf/platform.json")} says that a platform is up at ${endpoint.url}, which is no address of this machine: no key is sent there on its word`,
      ],
    ]);
    // Of a process that does not drive the folder it says nothing at all.
    home.write(".sf/platform.json", { ...endpoint, pid: process.ppid });
    expect(troubles(await doctored(home))).toStrictEqual([]);
  });
});
