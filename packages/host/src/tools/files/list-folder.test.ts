import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileDesk, refusalOf, stateHere } from "../../../test/file-desk.ts";

// proves LIVE-4.4
test("what is in a folder, by name, with the size of files", async () => {
  const desk = openFileDesk();
  mkdirSync(join(desk.root, "b"));
  for (const [name, text] of [
    ["c", "12345"],
    [".a", ""],
    ["Z", "1"],
    ["é", "12"],
  ] as const)
    writeFileSync(join(desk.root, name), text);
  const expected = {
    path: ".",
    entries: [
      { name: ".a", type: "file", bytes: 0 },
      { name: "Z", type: "file", bytes: 1 },
      { name: "b", type: "folder" },
      { name: "c", type: "file", bytes: 5 },
      { name: "é", type: "file", bytes: 2 },
    ],
    truncated: false,
    sandbox: stateHere,
  };
  expect(await desk.list()).toStrictEqual(expected);
  expect(await desk.list("")).toStrictEqual(expected);
  expect(await desk.list(desk.root)).toStrictEqual(expected);
  expect(await desk.list("b/")).toStrictEqual({
    path: "b",
    entries: [],
    truncated: false,
    sandbox: stateHere,
  });
});

// proves LIVE-4.6
test("a long list is cut after its first names, and says how many there are", async () => {
  const desk = openFileDesk();
  for (let n = 0; n < 100; n += 1) writeFileSync(join(desk.root, `${n}`.padStart(3, "0")), "");
  const listed = await desk.list(".", 3);
  expect(listed).toMatchObject({ truncated: true, totalEntries: 100 });
  expect(listed.entries.map(({ name }) => name)).toStrictEqual(["000", "001", "002"]);
  expect(await desk.list(".", 100)).toMatchObject({ truncated: false });
});

test("a folder with no end is looked at only so far, and it says how far", async () => {
  const desk = openFileDesk({ limits: { scannedNames: 50 } });
  for (let n = 0; n < 60; n += 1) writeFileSync(join(desk.root, `${n}`), "");
  const listed = await desk.list(".", 10);
  expect(listed).toMatchObject({ truncated: true, scannedEntries: 50 });
  expect(listed).not.toHaveProperty("totalEntries");
  expect(listed.entries).toHaveLength(10);
});

test("as many names as are looked at are all of them", async () => {
  const desk = openFileDesk({ limits: { scannedNames: 5 } });
  for (let n = 0; n < 5; n += 1) writeFileSync(join(desk.root, `${n}`), "");
  expect(await desk.list()).toMatchObject({ truncated: false });
});

test("a name that is no UTF-8 is shown as far as it goes, and marked", async () => {
  const desk = openFileDesk();
  writeFileSync(Buffer.concat([Buffer.from(`${desk.root}/a`), Buffer.from([0xff, 0xfe])]), "12");
  expect((await desk.list()).entries).toStrictEqual([
    { name: "a\ufffd\ufffd", type: "file", bytes: 2, lossy: true },
  ]);
  expect(await refusalOf(desk.read("a\ufffd\ufffd"))).toBe("not_found not_found");
});

test("names that no tool would write are listed as they are", async () => {
  const desk = openFileDesk();
  writeFileSync(join(desk.root, "a\nb"), "");
  expect((await desk.list()).entries).toStrictEqual([{ name: "a\nb", type: "file", bytes: 0 }]);
  expect((await desk.read("a\nb")).text).toBe("");
});

test("a file is not listed", async () => {
  const desk = openFileDesk();
  writeFileSync(join(desk.root, "file"), "");
  expect(await refusalOf(desk.list("file"))).toBe("invalid_input not_folder");
  expect(await refusalOf(desk.list("nothing"))).toBe("not_found not_found");
});
