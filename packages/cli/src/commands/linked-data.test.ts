// A data folder whose database has a second name: every command that would open it says so, and what to do. None of them changes it.
import { linkSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { doctored, troubles } from "../../test-data/doctor-home.ts";
import { Home, notesPack } from "../../test-data/run-sf.ts";

const data = "home/.local/share/simplefunctions";
const calling = ["call", "notes.read", "--pack", notesPack, "--input", '{"id":7}'];

async function linkedHome(): Promise<{ readonly home: Home; readonly file: string; readonly other: string }> {
  const home = new Home();
  expect((await home.run(calling)).code).toBe(0);
  const [file, other] = [home.path(`${data}/simplefunctions.db`), home.path("other.db")];
  linkSync(file, other);
  return { home, file, other };
}

test.each<[string, readonly string[]]>([
  ["sf call", calling],
  ["sf up", ["up", "--once", "--port", "0", "--no-markets", "--data", data]],
  ["sf backup", ["backup", "copy", "--data", data]],
  ["sf approvals ls", ["approvals", "ls", "--data", data]],
  ["sf runs ls", ["runs", "ls", "--data", data]],
  ["sf trace verify", ["trace", "verify", "--data", data]],
  ["sf trace export", ["trace", "export", "run_0123456789", "--data", data]],
  ["sf explain", ["explain", ...calling.slice(1), "--data", data]],
  ["sf grants grant", ["grants", "grant", "net:example.com", "--data", data]],
  ["sf effects ls", ["effects", "ls", "--data", data]],
])(
  "%s refuses it, names the file, how to find its other names, and the command that makes a safe copy",
  async (_, argv) => {
    const { home, file } = await linkedHome();
    const before = readFileSync(file);
    const { code, out, err } = await home.run(argv);
    expect(code).not.toBe(0);
    const said = `${out}${err}`;
    expect(said).toContain(`${file} has 2 names (hard links)`);
    expect(said).toContain(`find / -samefile ${file}`);
    expect(said).toContain(`sf backup ${home.path(data)}-copy --data ${home.path(data)}`);
    expect(readFileSync(file).equals(before)).toBe(true);
  },
);

test("sf doctor fails its data folder, and says the same", async () => {
  const { home, file, other } = await linkedHome();
  const said = await doctored(home);
  expect(said.code).not.toBe(0);
  expect(JSON.stringify(troubles(said))).toContain(`${file} has 2 names`);
  rmSync(other);
  expect(troubles(await doctored(home))).toStrictEqual([]);
  expect((await home.run(calling)).code).toBe(0);
});
