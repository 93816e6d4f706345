import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { Home, notesPack } from "../../test-data/run-sf.ts";
import { requireApart } from "./data-folder.ts";

/** A home in which a secret lies in `config/sf`. */
function withSecret(): Home {
  const home = new Home();
  mkdirSync(home.path("config/sf"), { recursive: true });
  writeFileSync(home.path("config/sf/installation.key"), "");
  return home;
}

function isApart(folder: string, secretFile: string): boolean {
  try {
    requireApart(folder, secretFile);
    return true;
  } catch (error) {
    if (isSimpleFunctionsError(error) && error.details?.reason === "secret_in_data_folder") return false;
    throw error;
  }
}

describe("a data folder", () => {
  test.each(["config/sf", "config", "."])("holds the secret where it is %s", (folder) => {
    const home = withSecret();
    expect(isApart(home.path(folder), home.path("config/sf/installation.key"))).toBe(false);
  });

  test.each(["config/sf/data", "config/sfx", "data", "data/not/yet/there", "config/sf/..data"])(
    "is apart from it where it is %s",
    (folder) => {
      const home = withSecret();
      expect(isApart(home.path(folder), home.path("config/sf/installation.key"))).toBe(true);
    },
  );

  test("is where its links lead, also where the rest of the way is not there yet", () => {
    const home = withSecret();
    const secret = home.path("config/sf/installation.key");
    symlinkSync(home.path("config"), home.path("link"));
    symlinkSync(home.folder, home.path("config/up"));
    expect(isApart(home.path("link"), secret)).toBe(false);
    expect(isApart(home.path("link/sf"), secret)).toBe(false);
    expect(isApart(home.path("config/up"), secret)).toBe(false);
    expect(isApart(home.path("link/sf/new/folder"), secret)).toBe(true);
    // The other way round: the way to the secret has the link.
    expect(isApart(home.path("config"), home.path("link/sf/installation.key"))).toBe(false);
    mkdirSync(home.path("link/fresh"));
    expect(isApart(home.path("config/fresh"), home.path("link/fresh/not/there/installation.key"))).toBe(
      false,
    );
  });

  test("holds a secret that lies in it, and one that is only linked from it", () => {
    const home = withSecret();
    mkdirSync(home.path("data"));
    mkdirSync(home.path("elsewhere"));
    writeFileSync(home.path("data/real.key"), "");
    symlinkSync(home.path("data/real.key"), home.path("elsewhere/installation.key"));
    symlinkSync(home.path("config/sf/installation.key"), home.path("data/installation.key"));
    expect(isApart(home.path("data"), home.path("elsewhere/installation.key"))).toBe(false);
    expect(isApart(home.path("data"), home.path("data/installation.key"))).toBe(false);
  });

  test("that leads to the secret by a link is refused by sf, and nothing is written there", async () => {
    const home = new Home();
    mkdirSync(home.path("home/.config"));
    symlinkSync(home.path("home/.config"), home.path("data"));
    const call = ["call", "notes.read", "--pack", notesPack, "--input", '{"id":7}', "--data", "data"];
    expect(await home.run(call)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^error host_configuration_needed: the data folder .* holds the installation's secret/,
      ),
    });
    expect(realpathSync(home.path("data"))).toBe(realpathSync(home.path("home/.config")));
    expect(() => home.read("home/.config/simplefunctions.db")).toThrow(/ENOENT/);
  });
});
