import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dataFolder } from "../../../test/data-folder.ts";
import { fsTools } from "./fs-tools.ts";

const contracts = () => fsTools({ root: dataFolder() }).map(({ contract }) => contract);

test("three tools, each with what it changes, costs and needs", () => {
  const stated = contracts().map(({ name, sideEffect, costEffect, permissions, idempotency }) => [
    name,
    sideEffect,
    costEffect,
    permissions,
    idempotency.type,
  ]);
  expect(stated).toStrictEqual([
    ["fs.read_text", "none", "none", ["fs:read"], "natural"],
    ["fs.list_dir", "none", "none", ["fs:read"], "natural"],
    ["fs.write_text", "user_write", "none", ["fs:write"], "none"],
  ]);
});

// proves LIVE-4.2, LIVE-4.3, LIVE-4.5, LIVE-4.6, LIVE-4.8, LIVE-4.9, LIVE-4.10
test("their arguments are those of the source, with its defaults, and no others", () => {
  const inputs = contracts().map(({ input }) => {
    const { properties, required, additionalProperties } = input;
    const stated = Object.entries(
      properties as Readonly<Record<string, { readonly type: unknown; readonly default?: unknown }>>,
    );
    const types = Object.fromEntries(stated.map(([name, { type }]) => [name, type]));
    const defaults = Object.fromEntries(stated.map(([name, schema]) => [name, schema.default]));
    return { types, defaults, required, additionalProperties };
  });
  expect(inputs).toStrictEqual([
    {
      types: { path: "string", max_bytes: "integer" },
      defaults: { path: undefined, max_bytes: 20_000 },
      required: ["path"],
      additionalProperties: false,
    },
    {
      types: { path: "string", max_entries: "integer" },
      defaults: { path: ".", max_entries: 200 },
      required: [],
      additionalProperties: false,
    },
    {
      types: { path: "string", text: "string", overwrite: "boolean" },
      defaults: { path: undefined, text: undefined, overwrite: false },
      required: ["path", "text"],
      additionalProperties: false,
    },
  ]);
});

test("a limit under a default is the default, too", () => {
  const [read, list] = fsTools({ root: dataFolder(), limits: { readBytes: 10, listEntries: 5 } });
  expect(read?.contract.input).toMatchObject({ properties: { max_bytes: { default: 10, maximum: 10 } } });
  expect(list?.contract.input).toMatchObject({ properties: { max_entries: { default: 5, maximum: 5 } } });
});

test.each([
  [{ limits: { readBytes: 0 } }, "limits.readBytes is not a whole number from 1 to 2097152"],
  [{ limits: { writeBytes: 2 ** 30 } }, "limits.writeBytes is not a whole number from 1 to 2097152"],
  [{ limits: { listEntries: 1.5 } }, "limits.listEntries is not a whole number from 1 to 8000"],
  [{ limits: { scannedNames: Number.NaN } }, "limits.scannedNames is not a whole number from 1 to 10000000"],
  [{ limits: { bytes: 1 } as never }, 'there is no limit "bytes"'],
  [{ hardLinks: "write" as never }, "hardLinks is one of refuse, read"],
  [{ mounts: true as never }, "mounts is one of refuse, follow"],
  [{ apart: ["/tmp"] }, "lie in each other"],
])("%j is refused", (options, why) => {
  expect(() => fsTools({ root: dataFolder(), ...options })).toThrow(why);
});

test("nothing but the sandbox itself opens, makes or removes a path (B28)", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const openers = files.filter((name) =>
    /^import (?!type )[^;]*"node:(?:fs|child_process)/m.test(
      readFileSync(join(import.meta.dirname, name), "utf8"),
    ),
  );
  expect(files.length).toBeGreaterThan(5);
  expect(openers).toStrictEqual([]);
});
