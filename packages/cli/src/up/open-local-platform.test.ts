import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Home } from "../../test-data/run-sf.ts";

const once0 = ["up", "--once", "--port", "0"];

describe("what cannot be used is told, and nothing is begun", () => {
  const foreign = "error host_configuration_needed: ";
  test.each([
    [["--port", "65536"], 2, "error invalid_input: option '--port <number>' argument '65536' is invalid"],
    [["--port", "-1"], 2, "error invalid_input: option '--port <number>' argument '-1' is invalid"],
    [["--port", ""], 2, "error invalid_input: option '--port <number>' argument '' is invalid"],
    [["--wait", "soon"], 2, "error invalid_input: option '--wait <time>' argument 'soon' is invalid"],
    [["--account", "a b"], 2, "error invalid_input: option '--account <id>' argument 'a b' is invalid"],
    [
      ["--account", `sf_live_${"a".repeat(32)}`],
      2,
      "error invalid_input: --account: the account id holds what looks like a secret",
    ],
    [["--demon"], 2, "error invalid_input: unknown option '--demon'"],
    [["now"], 2, "error invalid_input: too many arguments"],
    [["--policy", "none.json"], 2, "error not_found: there is no file none.json"],
    [["--pack", "./none.ts"], 2, "error invalid_package: pack ./none.ts: there is no such file"],
    [["--allow-host", "a b"], 1, `${foreign}the allowed host "a b" is not a host`],
    [["--allow-origin", "app.example"], 1, `${foreign}the allowed origin "app.example" is not an origin`],
    [
      ["--host", "203.0.113.77"],
      1,
      `${foreign}cannot listen on 203.0.113.77, port 0: that is no address of this machine`,
    ],
  ])("%j", async (argv, code, said) => {
    const home = new Home();
    const ran = await home.run([...once0, ...argv]);
    expect([ran.code, ran.out, ran.err.slice(0, said.length)]).toStrictEqual([code, "", said]);
    const keys = home.path("home/.config/simplefunctions/keys");
    expect(existsSync(keys)).toBe(false);
  });

  test.each([
    ["under a file", "file/data"],
    ["that is a file", "file"],
    ["that no folder can be made in", "/proc/sf"],
  ])("a data folder %s", async (_, data) => {
    const home = new Home();
    home.write("file", "");
    const { code, out, err } = await home.run([...once0, "--data", data]);
    expect([code, out, err.split("\n").length]).toStrictEqual([1, "", 2]);
    expect(err).toMatch(
      /^error host_configuration_needed: .*simplefunctions\.db cannot be used: .* Make sure/,
    );
  });

  test("a configuration folder that cannot be made", async () => {
    const home = new Home();
    const file = home.write("file", "");
    const { code, out, err } = await home.run(once0, { env: { XDG_CONFIG_HOME: file } });
    expect([code, out, err]).toStrictEqual([
      1,
      "",
      `error host_configuration_needed: the installation's secret ${file}/simplefunctions/installation.key cannot be read (ENOTDIR); make it readable for its owner\n`,
    ]);
    expect(existsSync(home.path(".sf"))).toBe(false);
  });

  test("a place for the keys that cannot be made, and the data folder is free again", async () => {
    const home = new Home();
    mkdirSync(home.path("home/.config/simplefunctions"), { recursive: true });
    home.write("home/.config/simplefunctions/keys", "");
    const { code, out, err } = await home.run(once0);
    expect([code, out]).toStrictEqual([1, ""]);
    expect(err).toMatch(/^error host_configuration_needed: the key file .*operator\.key cannot be/);
    expect(readdirSync(home.path(".sf"))).toStrictEqual([".gitignore", "simplefunctions.db"]);
    rmSync(home.path("home/.config/simplefunctions/keys"));
    expect((await home.run(once0)).out.match(/shown this once/g)).toHaveLength(2);
  });

  test("an endpoint's file that cannot be written, and the data folder is free again", async () => {
    const home = new Home();
    mkdirSync(home.path(".sf/platform.json"), { recursive: true, mode: 0o700 });
    const { code, out, err } = await home.run(once0);
    expect([code, out]).toStrictEqual([1, ""]);
    expect(err).toMatch(/^error host_configuration_needed: .*platform\.json cannot be written \(EISDIR\)/);
    rmSync(home.path(".sf/platform.json"), { recursive: true });
    expect((await home.run(once0)).code).toBe(0);
  });

  const secret = { SF_INSTALLATION_KEY: "5a".repeat(32) };
  test.each([
    ["the installation's secret", {}],
    ["the keys", secret],
  ])("S1: a data folder that holds %s", async (what, env) => {
    const home = new Home();
    const { code, out, err } = await home.run([...once0, "--data", "home"], { env: { ...home.env, ...env } });
    expect([code, out]).toStrictEqual([1, ""]);
    expect(err).toMatch(
      `error host_configuration_needed: the data folder ${home.path("home")} holds ${what} `,
    );
    expect(existsSync(home.path("home/simplefunctions.db"))).toBe(false);
  });
});

describe("a data folder", () => {
  test("that was there before keeps its own .gitignore, or none", async () => {
    const home = new Home();
    mkdirSync(home.path("project"));
    expect((await home.run([...once0, "--data", "project"])).code).toBe(0);
    expect(readdirSync(home.path("project"))).toStrictEqual(["simplefunctions.db"]);
  });

  test("is .sf where none is named, also not by an empty text", async () => {
    const home = new Home();
    const { out } = await home.run([...once0, "--data", "", "--json"], { env: { ...home.env, SF_DATA: "" } });
    expect(JSON.parse(out)).toMatchObject({ where: home.path(".sf") });
    const named = await home.run([...once0, "--json"], { env: { ...home.env, SF_DATA: "other" } });
    expect(JSON.parse(named.out)).toMatchObject({ where: home.path("other") });
  });

  test("may be a link", async () => {
    const home = new Home();
    mkdirSync(home.path("real"), { mode: 0o700 });
    symlinkSync(home.path("real"), home.path(".sf"));
    expect((await home.run(once0)).code).toBe(0);
    expect(readdirSync(home.path("real"))).toStrictEqual(["simplefunctions.db"]);
  });
});
