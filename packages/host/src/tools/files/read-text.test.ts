import { chmodSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultOf, openFileDesk, refusalOf, stateHere } from "../../../test/file-desk.ts";
import { readText } from "./read-text.ts";
import { textOf } from "./text-of.ts";

// proves LIVE-4.1, LIVE-4.17
test("a file's text, whole", async () => {
  const desk = openFileDesk();
  mkdirSync(join(desk.root, "a"));
  writeFileSync(join(desk.root, "a/b.txt"), "grüße\r\n");
  expect(await desk.read("./a//b.txt")).toStrictEqual({
    path: "a/b.txt",
    text: "grüße\r\n",
    bytes: 9,
    lossy: false,
    truncated: false,
    sandbox: stateHere,
  });
  expect((await desk.read(join(desk.root, "a/b.txt"))).path).toBe("a/b.txt");
});

test("an empty file is an empty text", async () => {
  const desk = openFileDesk();
  writeFileSync(join(desk.root, "empty"), "");
  expect(await desk.read("empty", 1)).toMatchObject({ text: "", bytes: 0, truncated: false });
});

test("a long one is cut between two characters, and says how long it is", async () => {
  const desk = openFileDesk();
  writeFileSync(join(desk.root, "long"), "aé€😀".repeat(1000));
  expect(await desk.read("long", 9)).toStrictEqual({
    path: "long",
    text: "aé€",
    bytes: 6,
    lossy: false,
    truncated: true,
    totalBytes: 10_000,
    sandbox: stateHere,
  });
  expect(await desk.read("long", 10)).toMatchObject({ text: "aé€😀", bytes: 10, truncated: true });
  expect(await desk.read("long", 10_000)).toMatchObject({ bytes: 10_000, truncated: false });
  expect(await desk.read("long", 9_999)).toMatchObject({ bytes: 9_996, truncated: true });
});

test("of a file as large as a disk no more is read than was asked for", async () => {
  const desk = openFileDesk();
  writeFileSync(join(desk.root, "sparse"), "x".repeat(5000));
  truncateSync(join(desk.root, "sparse"), 2 ** 40);
  const before = process.memoryUsage.rss();
  expect(await desk.read("sparse", 4096)).toMatchObject({
    bytes: 4096,
    truncated: true,
    totalBytes: 2 ** 40,
  });
  expect(await refusalOf(desk.read("sparse", 20_000))).toBe("invalid_input not_text");
  expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
});

// A file that says that it is empty, and is not.
test.skipIf(process.platform !== "linux")(
  "a file is read by what it gives, not by the size that it says",
  async () => {
    const desk = openFileDesk({ root: "/proc/sys/kernel" });
    expect((await desk.read("ostype")).text).toBe("Linux\n");
    const cut = await desk.read("ostype", 2);
    expect(cut).toMatchObject({ text: "Li", truncated: true });
    expect(cut).not.toHaveProperty("totalBytes");
  },
);

describe("what a file is made of", () => {
  test("a mark of byte order stays, so that the text is the file again", async () => {
    const desk = openFileDesk();
    writeFileSync(join(desk.root, "bom"), "\ufeffa");
    expect(await desk.read("bom")).toMatchObject({ text: "\ufeffa", bytes: 4, lossy: false });
  });

  test("bytes that are no UTF-8 are replaced, and it says so", async () => {
    const desk = openFileDesk();
    writeFileSync(join(desk.root, "latin"), Buffer.from("gr\xfc\xdfe", "latin1"));
    expect(await desk.read("latin")).toMatchObject({ text: "gr\ufffd\ufffde", bytes: 5, lossy: true });
  });

  test("bytes with a NUL are not text, and nothing of them is said", async () => {
    const desk = openFileDesk();
    writeFileSync(join(desk.root, "binary"), "secret\0secret");
    const fault = await faultOf(desk.read("binary"));
    expect(fault).toMatchObject({ code: "invalid_input", details: { path: "/path", reason: "not_text" } });
    expect(JSON.stringify(fault)).not.toContain("secret");
  });

  test("wherever a text is cut, what is left is its beginning and fits", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", "\n", "\ufeff") }),
        fc.nat(60),
        (text, most) => {
          const bytes = Buffer.from(text);
          const cut = textOf(bytes.subarray(0, most + 1), most, "x");
          expect(cut.lossy).toBe(false);
          expect(text.startsWith(cut.text)).toBe(true);
          expect(cut.bytes).toBeLessThanOrEqual(most);
          expect(cut.bytes).toBeGreaterThan(Math.min(bytes.length, most) - 4);
        },
      ),
    );
  });

  test("any bytes are cut somewhere", () => {
    fc.assert(
      fc.property(fc.uint8Array({ min: 1, maxLength: 40 }), fc.integer({ min: 1, max: 40 }), (raw, most) => {
        const { bytes } = textOf(Buffer.from(raw), most, "x");
        expect(bytes).toBeLessThanOrEqual(most);
        expect(bytes).toBeGreaterThan(Math.min(raw.length, most) - 4);
      }),
    );
  });
});

test("what is not there, a folder, and a file taken for a folder are told apart", async () => {
  const desk = openFileDesk();
  mkdirSync(join(desk.root, "folder"));
  writeFileSync(join(desk.root, "file"), "");
  expect(await refusalOf(desk.read("nothing"))).toBe("not_found not_found");
  expect(await refusalOf(desk.read("no/thing"))).toBe("not_found not_found");
  expect(await refusalOf(desk.read("folder"))).toBe("invalid_input is_folder");
  expect(await refusalOf(desk.read("."))).toBe("invalid_input is_folder");
  expect(await refusalOf(desk.read("file/x"))).toBe("invalid_input not_folder");
});

test("a call that was given up reads nothing", async () => {
  const desk = openFileDesk();
  writeFileSync(join(desk.root, "file"), "text");
  const signal = AbortSignal.abort(new Error("given up"));
  await expect(readText(desk.sandbox, { path: "file", max_bytes: 10 }, signal)).rejects.toThrow("given up");
});

test("a folder that may be passed and not listed is passed", async () => {
  const desk = openFileDesk();
  mkdirSync(join(desk.root, "passage"));
  writeFileSync(join(desk.root, "passage/file"), "text");
  chmodSync(join(desk.root, "passage"), 0o111);
  const { text } = await desk.read("passage/file");
  chmodSync(join(desk.root, "passage"), 0o755);
  expect(text).toBe("text");
});
