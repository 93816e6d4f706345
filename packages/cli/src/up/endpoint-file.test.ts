import { newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { Home } from "../../test-data/run-sf.ts";
import { endpointHere, signerOf } from "../../test-data/run-up.ts";
import { readEndpoint, removeEndpoint, writeEndpoint } from "./endpoint-file.ts";
import { databaseEndpoint } from "./living-endpoint.ts";

const endpoint = { url: "http://127.0.0.1:7700", pid: 7, starterKey: "/keys/starter.key" };
const { signer } = openInstallation(newInstallationSecret());

describe("the file that says where a platform is", () => {
  test("is for its owner alone, is read as it was written, and is taken away by its writer only", () => {
    const { folder, path } = placed();
    writeEndpoint(folder, endpoint, signer);
    expect(readEndpoint(folder)).toStrictEqual(endpoint);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    removeEndpoint(folder, { pid: 8 });
    expect(readdirSync(folder)).toStrictEqual(["home", "platform.json"]);
    removeEndpoint(folder, { pid: 7 });
    expect(readdirSync(folder)).toStrictEqual(["home"]);
    removeEndpoint(folder, { pid: 7 });
  });

  test("of one on a database lies beside that of the folder's own, and says which it is on", () => {
    const { folder } = placed();
    const other = { ...endpoint, store: "postgres://db.example/house", mark: "boot 1" };
    writeEndpoint(folder, endpoint, signer);
    writeEndpoint(folder, other, signer);
    expect([readEndpoint(folder), readEndpoint(folder, "database")]).toStrictEqual([endpoint, other]);
    removeEndpoint(folder, other);
    expect([readEndpoint(folder), readEndpoint(folder, "database")]).toStrictEqual([endpoint, undefined]);
  });

  test.each([
    ["", undefined],
    ["no JSON", undefined],
    ["null", undefined],
    ["[]", undefined],
    ['{"url":"http://127.0.0.1:1","pid":"7","starterKey":""}', undefined],
    ['{"url":"http://127.0.0.1:1","pid":7}', undefined],
    ['{"url":"x","url":"y","pid":7,"starterKey":""}', undefined],
    ['{"url":"x","pid":7,"starterKey":"","more":1}', { url: "x", pid: 7, starterKey: "" }],
  ])("with %s in it says %o", (text, said) => {
    const { folder, path } = placed();
    writeFileSync(path, text);
    expect(readEndpoint(folder)).toStrictEqual(said);
  });

  test("S1: is not believed where others can write it: a key would be sent where it says", () => {
    const { folder, home, own, ownPath } = ownPlaced();
    expect(databaseEndpoint(folder, home)).toStrictEqual({ ...own, isOwn: true });
    expect(databaseEndpoint(folder, home, "postgres://db.example/other")).toBeUndefined();
    chmodSync(ownPath, 0o620);
    expect(() => databaseEndpoint(folder, home)).toThrow(
      `${ownPath} says that a platform is up at http://127.0.0.1:7700, and can be written by others: no key is sent there on its word; give --url and its key (SF_API_KEY or --key-file) if that platform is yours`,
    );
    expect(readEndpoint(folder, "database")).toStrictEqual(own);
  });

  // Only the superuser can give it to somebody.
  test.skipIf(process.getuid?.() !== 0)("S1: nor where it is another person's", () => {
    const { folder, home, ownPath } = ownPlaced();
    chownSync(ownPath, 1234, 1234);
    expect(() => databaseEndpoint(folder, home)).toThrow(
      "and belongs to another user (1234): no key is sent there",
    );
  });

  test("takes the place of a link, and nothing is written where that led", () => {
    const { folder, path, home } = placed();
    const target = home.write("target", "mine");
    symlinkSync(target, path);
    writeEndpoint(folder, endpoint, signer);
    expect(home.read("target")).toBe("mine");
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject(endpoint);
  });

  test("says what is wrong where it cannot be written, and leaves nothing behind", () => {
    const { folder, path } = placed();
    mkdirSync(`${path}/full`, { recursive: true });
    expect(() => writeEndpoint(folder, endpoint, signer)).toThrow(
      `${path} cannot be written (EISDIR); make sure that the data folder has room and that this is a file`,
    );
    expect(readdirSync(folder)).toStrictEqual(["home", "platform.json"]);
  });
});

/** What this very process has written, as a platform on a database does. */
function ownPlaced() {
  const { home, folder } = placed();
  const own = {
    ...endpointHere(endpoint.url, endpoint.starterKey),
    store: "postgres://db.example/house",
  };
  writeEndpoint(folder, own, signerOf(home));
  return { home, folder, own, ownPath: home.path("database-platform.json") };
}

function placed() {
  const home = new Home();
  return { home, folder: home.folder, path: home.path("platform.json") };
}
