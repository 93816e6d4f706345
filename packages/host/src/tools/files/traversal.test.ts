// B28: whatever a path says, nothing outside the root is read, listed, made or changed.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canary, type FileDesk, hiddenName, openFileDesk, stateHere } from "../../../test/file-desk.ts";

/** Everything that could be taken for a way up, or for the end of a name. */
const ups = [
  "..",
  "../",
  "..//",
  ".././",
  "./..",
  "....//",
  "..;/",
  "..\\",
  "..\\/",
  "\\..",
  "%2e%2e",
  "%2e%2e/",
  "%2e%2e%2f",
  "..%2f",
  "..%5c",
  "%252e%252e%252f",
  "..%252f",
  "..%c0%af",
  "%c0%ae%c0%ae/",
  "..%u2215",
  "\u2025/",
  "\uff0e\uff0e/",
  "\uff0e\uff0e\uff0f",
  "..\u2215",
  "..\u2044",
  "..\uff3c",
  "\u002e\u200b./",
  ". ./",
  ".. /",
  "..\u00a0/",
  "..\t/",
  "..\r\n/",
  "..\u0000/",
  "a/../../",
  "a/./../../",
  "a/b/../../../",
  "deep/../..",
  "link/../",
  "link/",
];

/** Ways to what lies outside without going up. */
function straight({ outside, root }: FileDesk): string[] {
  const target = join(outside, "canary.txt");
  const lines = ["", "/.", "/..", "/../..", "//"].map((before) => `${before}${target}`);
  return [
    ...lines,
    `/${target}`,
    `///${target}`,
    `${root}/../outside/canary.txt`,
    `${root}/./../outside/canary.txt`,
    `${root}//../outside/canary.txt`,
    `${root}/deep/../../outside/canary.txt`,
    `${root}2/../outside/canary.txt`,
    `${root}/link/canary.txt`,
    `${root}\0/../outside/canary.txt`,
    `file://${target}`,
    `file:${target}`,
    `FILE://localhost${target}`,
    `\\\\?\\${target}`,
    `\\\\localhost${target.replaceAll("/", "\\")}`,
    `//localhost${target}`,
    `C:${target}`,
    `C:\\..\\outside\\canary.txt`,
    `/proc/self/root${target}`,
    `/proc/self/cwd/${relative(process.cwd(), target)}`,
    `/proc/thread-self/root${target}`,
    `/proc/${process.pid}/root${target}`,
    `/dev/fd/../..${target}`,
    `/dev/fd/0/..${target}`,
    `/dev/stdin/..${target}`,
    `proc/self/root${target}`,
    `~${target}`,
    `~/..${target}`,
    `~root/..${target}`,
    `$HOME/..${target}`,
    "${IFS}../outside/canary.txt",
    `$(cat ${target})`,
    `\`cat ${target}\``,
    `|cat ${target}`,
    `${target}\0.md`,
    `notes.md\0${target}`,
    `${target}\n`,
    `\n${target}`,
    `notes.md\r\n${target}`,
    ` ${target}`,
    `"${target}"`,
    `'${target}'`,
    "link/canary.txt",
    "link",
    "deep/link/canary.txt",
    "canary-link.txt",
    "./canary-link.txt",
    "deep/../canary-link.txt",
    "loop/a",
    "loop",
  ];
}

function attacks(desk: FileDesk): string[] {
  const tails = ["outside/canary.txt", "outside/new.txt", "outside", "outside/inner/../canary.txt"];
  const climbs = ups.flatMap((up) => [up, `${up}/`, `${up}${up}`, `deep/${up}${up}`, `./${up}`, `/${up}`]);
  return [
    ...straight(desk),
    ...climbs.flatMap((climb) => tails.map((tail) => `${climb}${tail}`)),
    ...climbs,
    `${"../".repeat(1_365)}etc/passwd`,
    `${"a/../".repeat(700)}../outside/canary.txt`,
    `${"a".repeat(300)}/../../outside/canary.txt`,
  ];
}

function openTrap(): FileDesk {
  const desk = openFileDesk({ isInMemory: true });
  const { root, outside } = desk;
  mkdirSync(join(root, "deep"));
  writeFileSync(join(root, "notes.md"), "inside");
  symlinkSync(outside, join(root, "link"));
  symlinkSync(outside, join(root, "deep/link"));
  symlinkSync(join(outside, "canary.txt"), join(root, "canary-link.txt"));
  symlinkSync("loop", join(root, "loop"));
  return desk;
}

/** What a path gives in every tool, as text; a fault that is not one of ours is thrown. */
async function tryAll(desk: FileDesk, path: string): Promise<string> {
  const tried = [
    desk.read(path),
    desk.list(path),
    desk.write(path, "touched"),
    desk.write(path, "touched", { overwrite: true }),
  ];
  const ends = await Promise.allSettled(tried);
  return ends
    .map((end) => {
      if (end.status === "fulfilled") return JSON.stringify(end.value);
      if (!isSimpleFunctionsError(end.reason)) throw end.reason;
      return JSON.stringify(end.reason);
    })
    .join("\n");
}

// proves LIVE-4.17, LIVE-4.18
test("B28: no way to write a path leads out of the root", async () => {
  const desk = openTrap();
  const paths = attacks(desk);
  expect(paths.length).toBeGreaterThan(900);
  const leading: string[] = [];
  for (const path of paths) {
    const told = await tryAll(desk, path);
    if (told.includes(canary) || told.includes(hiddenName)) leading.push(path);
  }
  expect(leading).toStrictEqual([]);
  desk.requireUntouched();
});

test("a refusal never says where the root lies", async () => {
  const desk = openTrap();
  const paths = ["../x", "link", "notes.md/x", "nothing", "a\0", "/etc/passwd", "deep", "a".repeat(256)];
  const told = await Promise.all(paths.map((path) => tryAll(desk, path)));
  expect(told.join("\n")).not.toContain(desk.root);
});

/** Any character, and half ones. */
const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
const segment = fc.oneof(
  fc.constantFrom("..", ".", "", "link", "deep", "outside", "canary.txt", "notes.md", "~", "\\", "%2e%2e"),
  fc.string({ unit, maxLength: 12 }),
);
const anyPath = fc.oneof(
  fc.string({ unit, maxLength: 40 }),
  fc.array(segment, { maxLength: 8 }).map((segments) => segments.join("/")),
);

// proves LIVE-4.17, LIVE-4.18
test("any string as a path is answered or refused by one of our errors, and nothing outside is seen or touched", async () => {
  const desk = openTrap();
  await fc.assert(
    fc.asyncProperty(anyPath, async (path) => {
      const told = await tryAll(desk, path);
      expect(told).not.toContain(canary);
      expect(told).not.toContain(hiddenName);
    }),
    { numRuns: 250 },
  );
  desk.requireUntouched();
});

const character = fc
  .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0xa0, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code))
  .filter((one) => one.isWellFormed() && !/[/\p{Zl}\p{Zp}]/u.test(one));
const name = fc
  .string({ unit: character, minLength: 1, maxLength: 20 })
  .filter((text) => text !== "." && text !== "..");
const ordinary = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
const text = fc.string({ unit: fc.oneof(character, fc.constantFrom("/", "\n", "\r", "\u0001", "\ufeff")) });

test("what is written by an ordinary path is read by it", async () => {
  await fc.assert(
    fc.asyncProperty(ordinary, text, async (path, value) => {
      const desk = openFileDesk({ isInMemory: true });
      const written = await desk.write(path, value);
      expect(written).toStrictEqual({ path, bytes: Buffer.byteLength(value), sandbox: stateHere });
      expect((await desk.read(path)).text).toBe(value);
      expect(desk.textIn(path)).toBe(value);
    }),
    { numRuns: 200 },
  );
});
