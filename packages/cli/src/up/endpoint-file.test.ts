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
import { believedEndpoint, readEndpoint, removeEndpoint, writeEndpoint } from "./endpoint-file.ts";
import { drivingEndpoint } from "./living-endpoint.ts";

const endpoint = { url: "http://127.0.0.1:7700", pid: 7, starterKey: "/keys/starter.key" };

describe("the file that says where a platform is", () => {
  test("is for its owner alone, is read as it was written, and is taken away by its writer only", () => {
    const { folder, path } = placed();
    writeEndpoint(folder, endpoint);
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
    writeEndpoint(folder, endpoint);
    writeEndpoint(folder, other);
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
    const { folder, path } = placed();
    writeEndpoint(folder, endpoint);
    expect(believedEndpoint(folder)).toStrictEqual(endpoint);
    chmodSync(path, 0o620);
    expect(() => believedEndpoint(folder)).toThrow(
      `${path} says where a platform is and can be written by others: no key is sent there on its word; give --url if that platform is yours`,
    );
    expect(() => drivingEndpoint(folder)).toThrow("no key is sent");
    expect(readEndpoint(folder)).toStrictEqual(endpoint);
  });

  // Only the superuser can give it to somebody.
  test.skipIf(process.getuid?.() !== 0)("S1: nor where it is another person's", () => {
    const { folder, path } = placed();
    writeEndpoint(folder, endpoint);
    chownSync(path, 1234, 1234);
    expect(() => drivingEndpoint(folder)).toThrow("and belongs to another user (1234): no key is sent there");
  });

  test("takes the place of a link, and nothing is written where that led", () => {
    const { folder, path, home } = placed();
    const target = home.write("target", "mine");
    symlinkSync(target, path);
    writeEndpoint(folder, endpoint);
    expect(home.read("target")).toBe("mine");
    expect(JSON.parse(readFileSync(path, "utf8"))).toStrictEqual(endpoint);
  });

  test("says what is wrong where it cannot be written, and leaves nothing behind", () => {
    const { folder, path } = placed();
    mkdirSync(`${path}/full`, { recursive: true });
    expect(() => writeEndpoint(folder, endpoint)).toThrow(
      `${path} cannot be written (EISDIR); make sure that the data folder has room and that this is a file`,
    );
    expect(readdirSync(folder)).toStrictEqual(["home", "platform.json"]);
  });
});

function placed() {
  const home = new Home();
  return { home, folder: home.folder, path: home.path("platform.json") };
}
