import { describe, expect, test } from "vitest";
import { readPath, requireWritable } from "./sandbox-path.ts";

const root = "/srv/files";

test.each([
  ["", []],
  [".", []],
  ["./././", []],
  ["a", ["a"]],
  ["a//b", ["a", "b"]],
  ["a/./b/", ["a", "b"]],
  ["a/../b", ["b"]],
  ["a/b/../../c", ["c"]],
  ["a/..", []],
  ["...", ["..."]],
  [" ", [" "]],
  ["~", ["~"]],
  ["~/.ssh", ["~", ".ssh"]],
  ["a\\..\\b", ["a\\..\\b"]],
  ["%2e%2e/a", ["%2e%2e", "a"]],
  ["C:/a", ["C:", "a"]],
  ["file:///etc", ["file:", "etc"]],
  // The same letter in two forms stays two names.
  ["\u00e9/e\u0301", ["\u00e9", "e\u0301"]],
  ["/srv/files", []],
  ["/srv/files/a", ["a"]],
  ["//srv///files/./a", ["a"]],
  ["/srv/files/b/../a", ["a"]],
  ["/srv/other/../files/a", ["a"]],
])("%j is the names %j", (given, names) => {
  expect(readPath(given, root, "linux")).toStrictEqual(names);
});

test.each([
  "..",
  "../files/a",
  "a/../../files",
  "./..",
  "/",
  "/srv",
  "/srv/files/..",
  "/srv/files/../files2/a",
  "/../srv/files/a",
  // B28: a string prefix is no folder.
  "/srv/files2/a",
  "/srv/filesystem",
  "/srv/file",
])("%j leads out of the root", (given) => {
  expect(() => readPath(given, root, "linux")).toThrow("leads out of the root");
});

test.each([
  ["a NUL", "a\0b", "bad_path"],
  ["half a character", "a\ud800", "bad_path"],
  ["too many bytes in a name", "é".repeat(128), "name_too_long"],
  ["too many bytes", "a/".repeat(2049), "path_too_long"],
])("%s is refused", (_, given, reason) => {
  expect(() => readPath(given, root, "linux")).toThrow(
    expect.objectContaining({ code: "invalid_input", details: { path: "/path", reason } }),
  );
});

test("as many bytes as Linux takes are none too many", () => {
  expect(readPath("a".repeat(255), root, "linux")).toHaveLength(1);
  expect(readPath("a/".repeat(2048), root, "linux")).toHaveLength(2048);
});

describe("on Windows a name that means something else is refused", () => {
  test.each([
    "a\\b",
    "..\\b",
    "C:",
    "a:stream",
    "a.",
    "a ",
    "CON",
    "con.txt",
    "nul .txt",
    "COM1",
    "lpt9.log",
    "a?",
    "a\u0001",
  ])("%j", (given) => {
    expect(() => readPath(given, "C:\\files", "win32")).toThrow("means something else on Windows");
  });

  test.each(["a.b", "console", "com", "nul1", ".a"])("%j is a name", (given) => {
    expect(readPath(given, "C:\\files", "win32")).toStrictEqual([given]);
  });

  test("and there are no absolute paths", () => {
    expect(() => readPath("/files/a", "C:\\files", "win32")).toThrow("leads out of the root");
  });
});

test.each(["a\nb", "a\rb", "\u001b[31m", "\u007f", "\u0085", "\u2028", "\u2029"])(
  "%j can be read and is not written",
  (name) => {
    expect(() => requireWritable(readPath(`a/${name}`, root, "linux"))).toThrow("has a control character");
  },
);
