import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { configFolderOf } from "./config-folder.ts";
import { dataFolderOf } from "./data-folder.ts";

afterEach(() => vi.unstubAllEnvs());

test.each(["", "me", "./me"])(
  "S1: a home %j is none: no secret and no journal lies where one happens to stand",
  (HOME) => {
    // As the process itself has it, too: Node answers with it as it is.
    vi.stubEnv("HOME", HOME);
    expect(homedir()).toBe(HOME);
    const home = userInfo().homedir;
    expect(configFolderOf({ HOME })).toBe(join(home, ".config/simplefunctions"));
    expect(dataFolderOf(undefined, { env: { HOME }, cwd: "/srv/app" })).toBe(
      join(home, ".local/share/simplefunctions"),
    );
  },
);
