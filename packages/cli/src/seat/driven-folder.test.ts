// Beside a process that drives a data folder: who it is, and what somebody at a terminal can do.
import { openSqliteStore } from "@spfunctions/host/store";
import { expect, onTestFinished, test } from "vitest";
import { Home, notesPack } from "../../test-data/run-sf.ts";

async function drivenHome(): Promise<{ readonly home: Home; readonly said: string }> {
  const home = new Home();
  const folder = home.path("data");
  const driver = await openSqliteStore({ folder });
  onTestFinished(() => driver.close());
  const said = `${folder} is driven by this very process (${process.pid}), and one process at a time drives a folder. Answer what it may wait for (sf approvals ls --data ${folder}), or wait longer for its end with --wait; beside it, use another folder (--data or SF_DATA) or a database, which many use at once (--store postgres://… or SF_STORE)`;
  return { home, said };
}

const data = ["--data", "data"];
const read = ["call", "notes.read", "--pack", notesPack, "--input", '{"id":7}', ...data];
const resolve = ["effects", "resolve", "eff_00000000", "--status", "failed", "--note", "x", ...data];

test("a word on an effect that is not listed says who has the folder, and that it is to be stopped", async () => {
  const { home } = await drivenHome();
  expect(await home.run([...resolve, "--wait", "0"])).toStrictEqual({
    code: 1,
    out: "",
    err: `error invalid_transition: eff_00000000 is not listed as unknown in ${home.path("data")}, which another process (${process.pid}) drives: what a crash has left there can be decided once that process has stopped. Stop it (sf up: Ctrl-C), and run the same command again\n`,
  });
});

test("a call says who has the folder, and what can be done about it here", async () => {
  const { home, said } = await drivenHome();
  expect(await home.run([...read, "--wait", "0"])).toStrictEqual({
    code: 1,
    out: "",
    err: `error host_configuration_needed: ${said}\n`,
  });
});

test("the same in JSON; and whoever waits is told for whom", async () => {
  const { home, said } = await drivenHome();
  const { code, out, err } = await home.run([...read, "--wait", "600", "--json"]);
  expect({ code, err, answer: JSON.parse(out) as object }).toMatchObject({
    code: 1,
    answer: { ok: false, error: { code: "host_configuration_needed", message: said } },
    err: `waiting: ${home.path("data")} is driven by this very process (${process.pid})\nerror host_configuration_needed: ${said}\n`,
  });
});
