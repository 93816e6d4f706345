// A data folder that somebody else has made, as one that comes with an archive: whatever stands in it, who drives it among that, is theirs.
import { newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { readlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { secretIn, upHome } from "../../test-data/keys-home.ts";
import { Home, type Ran } from "../../test-data/run-sf.ts";
import { endpointHere, keyPath, signerOf } from "../../test-data/run-up.ts";
import { type Endpoint, writeEndpoint } from "./endpoint-file.ts";

// Elsewhere there are no namespaces of processes.
const isLinux = process.platform === "linux";
const elsewhere = { pid: 4242, pidNamespace: "pid:[1]" };
const notOnItsWord =
  "no key is sent there on its word; give --url and its key (SF_API_KEY or --key-file) if that platform is yours, or name another data folder in SF_DATA";
const unsigned = "and is not signed by this installation for this folder";
const commands: readonly string[][] = [
  ["up", "--once", "--port", "0", "--wait", "0"],
  ["keys", "ls", "--wait", "0"],
  ["agent", "--tool", "runtime.status", "--wait", "0"],
  ["approvals", "ls", "--data", ".sf"],
  ["grants", "ls", "--data", ".sf"],
  ["manifest"],
];

describe("S1: nothing is asked, and no key is sent, on the word of a folder that", () => {
  test.each(["https://platform.example", "http://platform.example:7700", "https://198.51.100.7"])(
    "names another machine: %s",
    async (url) => {
      const { home, endpoint, asked } = await forgedHome();
      drivenBy(home, { pid: process.pid });
      home.write(".sf/platform.json", { ...endpoint, url });
      expect({ asked, ...(await said(home)) }).toStrictEqual(
        refused(home, { url }, "which is no address of this machine"),
      );
    },
  );

  test.runIf(isLinux)("names a process that cannot be seen from here", async () => {
    const { home, endpoint, asked } = await forgedHome();
    drivenBy(home, elsewhere);
    home.write(".sf/platform.json", { ...endpoint, pid: elsewhere.pid });
    expect({ asked, ...(await said(home)) }).toStrictEqual(
      refused(home, endpoint, "in process 4242 of another container, which is not seen from here"),
    );
  });

  test.each(["platform.json", "database-platform.json"])(
    "names a living process of this person, and nobody has signed that: %s",
    async (name) => {
      const { home, endpoint, asked } = await forgedHome();
      const isFolders = name === "platform.json";
      if (isFolders) drivenBy(home, { pid: process.pid });
      home.write(`.sf/${name}`, { ...endpoint, ...(!isFolders && { store: "postgres://db.example/house" }) });
      const argvs = isFolders ? commands : commands.filter(([one]) => one === "keys" || one === "manifest");
      expect({ asked, ...(await said(home, argvs)) }).toStrictEqual(
        refused(home, endpoint, unsigned, argvs, name),
      );
    },
  );

  const signedOtherwise: [string, (home: Home, endpoint: Endpoint) => void][] = [
    [
      "that another installation has signed",
      (home, endpoint) =>
        writeEndpoint(home.path(".sf"), endpoint, openInstallation(newInstallationSecret()).signer),
    ],
    [
      "that was signed for another folder",
      (home, endpoint) => {
        writeEndpoint(home.path("home"), endpoint, signerOf(home));
        home.write(".sf/platform.json", home.read("home/platform.json"));
      },
    ],
    ...(["url", "starterKey"] as const).map((name): [string, (home: Home, endpoint: Endpoint) => void] => [
      `whose ${name} was changed since it was signed`,
      (home, endpoint) => {
        writeEndpoint(home.path(".sf"), { ...endpoint, [name]: `${endpoint[name]}1` }, signerOf(home));
        home.write(".sf/platform.json", {
          ...(JSON.parse(home.read(".sf/platform.json")) as object),
          [name]: endpoint[name],
        });
      },
    ]),
  ];
  test.each(signedOtherwise)("has an endpoint %s", async (_, write) => {
    const { home, endpoint, asked } = await forgedHome();
    drivenBy(home, { pid: process.pid });
    write(home, endpoint);
    expect({ asked, ...(await said(home)) }).toStrictEqual(refused(home, endpoint, unsigned));
  });

  test("has kept what this installation signed for a process that has ended since", async () => {
    const { home, endpoint, asked } = await forgedHome();
    drivenBy(home, { pid: process.pid });
    writeEndpoint(home.path(".sf"), { ...endpoint, mark: "another boot 1" }, signerOf(home));
    await said(home);
    expect(asked).toStrictEqual([]);
  });

  test.each([
    ["nobody", undefined],
    ["another process", { pid: process.ppid }],
    ["one that has given no sign for too long", { pid: process.pid, expiresAt: 0 }],
  ])("has kept what this installation signed, and is driven by %s", async (_, driver) => {
    const { home, endpoint, asked } = await forgedHome();
    if (driver !== undefined) drivenBy(home, driver);
    writeEndpoint(home.path(".sf"), endpoint, signerOf(home));
    await home.run(["manifest"]);
    await home.run(["keys", "ls", "--wait", "0"]);
    expect(asked).toStrictEqual([]);
  });
});

test.runIf(isLinux)("S1: sf doctor says so, and asks nobody either", async () => {
  const { home, endpoint, asked } = await forgedHome();
  drivenBy(home, elsewhere);
  home.write(".sf/platform.json", { ...endpoint, pid: elsewhere.pid });
  const { code, out } = await home.run(["doctor", "--json"]);
  expect([code, asked, JSON.parse(out)]).toMatchObject([
    1,
    [],
    {
      checks: expect.arrayContaining([
        {
          check: "platform",
          status: "fail",
          what: expect.stringMatching(
            / in process 4242 of another container, .*: no key is sent there on its word$/,
          ),
          todo: expect.stringMatching(/^give --url and its key /),
        },
      ]),
    },
  ]);
});

test.runIf(isLinux)(
  "a platform of another container is asked where its address and a key are given",
  async () => {
    const { home: there, up } = await upHome();
    const { home, endpoint } = await forgedHome();
    drivenBy(home, elsewhere);
    home.write(".sf/platform.json", { ...endpoint, url: up.url, pid: elsewhere.pid });
    const key = secretIn(keyPath(there, "operator"));
    const keys = await home.run(["keys", "ls", "--url", up.url], { env: { SF_API_KEY: key } });
    const given = ["--url", up.url, "--key-file", keyPath(there, "starter")];
    const called = await home.run(["agent", "--tool", "runtime.status", ...given]);
    expect([keys, called]).toMatchObject([{ code: 0 }, { code: 0 }]);
  },
);

/** A folder that was in use, and who listens at an address of this machine. */
async function forgedHome(): Promise<{ home: Home; endpoint: Endpoint; asked: (string | undefined)[] }> {
  const home = new Home();
  await home.run(["up", "--once", "--port", "0", "--no-markets"]);
  const asked: (string | undefined)[] = [];
  const server = createServer(({ headers }, answer) => {
    asked.push(headers.authorization);
    answer.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { home, endpoint: endpointHere(url, keyPath(home, "starter")), asked };
}

type Row = { readonly pid: number; readonly pidNamespace?: string; readonly expiresAt?: number };

/** Somebody has written that it is. */
function drivenBy(home: Home, { expiresAt = Date.now() + 1e10, ...holder }: Row): void {
  const database = new DatabaseSync(home.path(".sf/simplefunctions.db"));
  onTestFinished(() => database.close());
  const here = isLinux && { pidNamespace: readlinkSync("/proc/self/ns/pid") };
  database
    .prepare("UPDATE driver SET holder = ?, expires_at = ? WHERE id = 1")
    .run(JSON.stringify({ ...here, token: "t", ...holder }), expiresAt);
}

type Said = { readonly ended: readonly [argv: readonly string[], ran: Ran][] };

/** What each command says, one after the other. */
async function said(home: Home, argvs = commands): Promise<Said> {
  const ended: [readonly string[], Ran][] = [];
  for (const argv of argvs) ended.push([argv, await home.run(argv)]);
  return { ended };
}

function refused(
  home: Home,
  { url }: Pick<Endpoint, "url">,
  why: string,
  argvs = commands,
  name = "platform.json",
): Said & { readonly asked: readonly string[] } {
  const err = `error host_configuration_needed: ${home.path(`.sf/${name}`)} says that a platform is up at ${url}, ${why}: ${notOnItsWord}\n`;
  return { asked: [], ended: argvs.map((argv) => [argv, { code: 1, out: "", err }]) };
}
