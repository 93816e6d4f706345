import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dataFolder } from "../../../test/data-folder.ts";
import { startFileProgram } from "../../../test/start-file-program.ts";

const nobody = 65_534;

// Only the superuser can become somebody else.
test.skipIf(process.getuid?.() !== 0)(
  "a user without rights has the whole sandbox, and is told what it may not do",
  async () => {
    const base = dataFolder();
    chmodSync(base, 0o755);
    const root = join(base, "root");
    const put = (path: string, mode: number, owner: number, text?: string) => {
      if (text === undefined) mkdirSync(join(root, path));
      else writeFileSync(join(root, path), text);
      chownSync(join(root, path), owner, owner);
      chmodSync(join(root, path), mode);
    };
    put("", 0o755, 0);
    put("open", 0o755, nobody);
    put("open/file", 0o644, 0, "text");
    put("open/closed", 0o600, 0, "text");
    put("open/foreign", 0o644, 0, "old");
    put("open/own", 0o640, nobody, "old");
    put("open/of-others", 0o664, nobody, "old");
    chownSync(join(root, "open/of-others"), nobody, 0);
    put("open/of-some", 0o660, nobody, "old");
    chownSync(join(root, "open/of-some"), nobody, 0);
    put("closed", 0o700, 0);
    put("closed/file", 0o644, 0, "text");
    put("passage", 0o711, 0);
    put("passage/file", 0o644, 0, "text");
    put("unsearchable", 0o744, 0);
    put("unsearchable/file", 0o644, 0, "text");
    put("foreign", 0o755, 0);
    const { said } = await startFileProgram("use-as-nobody.ts", [root]);
    const text = { text: "text", bytes: 4, lossy: false, truncated: false, sandbox: "full" };
    expect(said).toStrictEqual({
      readOpen: { path: "open/file", ...text },
      readClosed: "host_configuration_needed not_permitted",
      readInClosed: "host_configuration_needed not_permitted",
      readThroughPassage: { path: "passage/file", ...text },
      listPassage: "host_configuration_needed not_permitted",
      listUnsearchable: {
        path: "unsearchable",
        entries: [{ name: "file", type: "file" }],
        truncated: false,
        sandbox: "full",
      },
      listClosed: "host_configuration_needed not_permitted",
      writeOpen: { path: "open/new/file", bytes: 3, sandbox: "full" },
      writeForeign: "host_configuration_needed not_permitted",
      writeReadOnly: "host_configuration_needed not_permitted",
      writeThere: { path: "open/own", bytes: 3, sandbox: "full" },
      writeOfOthers: { path: "open/of-others", bytes: 3, sandbox: "full" },
      writeOfSome: { path: "open/of-some", bytes: 3, sandbox: "full" },
    });
    // What it may not give to a group again is not given to another one.
    const rightsOf = (path: string) => {
      const { gid, mode } = statSync(join(root, path));
      return [gid, mode & 0o777];
    };
    expect(rightsOf("open/of-others")).toStrictEqual([nobody, 0o644]);
    expect(rightsOf("open/of-some")).toStrictEqual([nobody, 0o600]);
    expect(rightsOf("open/own")).toStrictEqual([nobody, 0o640]);
    expect(readFileSync(join(root, "open/foreign"), "utf8")).toBe("old");
  },
);
