import type { UnknownEffect } from "@spfunctions/contracts";
import type { Settled } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { asCommands } from "../io/as-commands.ts";
import { databasePlace, folderPlace } from "../seat/store-place.ts";
import { howToResolve, howToSettle, optionsFor, placeOf } from "./what-to-do.ts";

const io = { env: { HOME: "/home/me" }, cwd: "/srv/app" };
const usual = "/home/me/.local/share/simplefunctions";
const effect = { effectId: "eff_1", idempotencyKey: "eff_1", stream: "seg_1" } as UnknownEffect & Settled;

test("X1: what to do names the folder and the account, unless they are what is looked in anyway", () => {
  const options = [
    placeOf(folderPlace(usual), "local", io),
    placeOf(folderPlace("/srv/my $& data"), "desk", io),
    placeOf(folderPlace(`${usual}/agent`), "local", io),
  ].map(optionsFor);
  expect(options).toStrictEqual(["", " --data '/srv/my $& data' --account desk", ` --data ${usual}/agent`]);
  const place = placeOf(folderPlace("/srv/my $& data"), "desk", io);
  expect(asCommands('say so with resolve("eff_1", …)', optionsFor(place))).toBe(
    "say so with sf effects resolve eff_1 --status … --note … --data '/srv/my $& data' --account desk",
  );
  expect(howToResolve(effect, place)).toBe(
    "find out at the other side (key eff_1) whether it happened, then: sf effects resolve eff_1 --status … --note … --data '/srv/my $& data' --account desk",
  );
});

test("X1: an effect of a run is decided in the run, which goes on by it", () => {
  const place = placeOf(folderPlace("/srv/data"), "local", io);
  expect(howToResolve({ ...effect, stream: "run_1" }, place)).toBe(
    "find out at the other side (key eff_1) whether it happened, then: sf runs resolve run_1 eff_1 --status … --note … --data /srv/data",
  );
  expect(asCommands('decided: runs.resolve("run_1", "eff_1", …)', optionsFor(place))).toBe(
    "decided: sf runs resolve run_1 eff_1 --status … --note … --data /srv/data",
  );
});

test("X1: what sf agent has left is settled by sf agent, which has no pack", () => {
  expect(howToSettle(effect, placeOf(folderPlace(`${usual}/agent`), "local", io))).toStrictEqual([
    "run sf agent again with the same key, under a policy that allows it, and it is settled",
    `or give it up: sf effects resolve eff_1 --status … --note … --data ${usual}/agent --give-up`,
  ]);
});

test("S1: a database with a password is named by the variable that is to hold it, any other by its address", () => {
  const url = "postgres://me:s3cret-word-of-mine@db.example/house";
  const place = databasePlace(url, "simplefunctions");
  expect(optionsFor(placeOf(place, "desk", io))).toBe(' --store "$SF_STORE" --account desk');
  const open = databasePlace("postgres://me@db.example/house", "simplefunctions");
  expect(optionsFor(placeOf(open, "desk", io))).toBe(
    " --store postgres://me@db.example/house --account desk",
  );
  const env = { ...io.env, SF_STORE: url };
  expect(optionsFor(placeOf(place, "local", { ...io, env }))).toBe("");
  // The agent's schema is another one than the one that is looked in anyway.
  const agents = databasePlace(url, "simplefunctions_agent");
  expect(optionsFor(placeOf(agents, "local", { ...io, env }))).toBe(
    ' --store "$SF_STORE?schema=simplefunctions_agent"',
  );
});

test.each([
  [
    "this store belongs to an installation with another secret; open it with that one, or use another data folder",
    "this store belongs to an installation with another secret than this one's (sf doctor shows where that is); give that one in SF_INSTALLATION_KEY or with the XDG_CONFIG_HOME it was made under, or use another data folder (--data or SF_DATA)",
  ],
  [
    "there is no store at /x/simplefunctions.db that a guest could join; start what drives this data folder first, or name another folder",
    "there is no store at /x/simplefunctions.db; sf up, sf agent and sf call make theirs when they first run, sf doctor shows where, and --data names another folder",
  ],
  [
    "what was called is over and journaled; its trace could not be written (ENOSPC)",
    "what was called is over and journaled; its trace could not be written (ENOSPC); sf trace ls lists it, and sf trace export writes it somewhere else",
  ],
])("what the library says is told in commands: %s", (said, told) => {
  expect(asCommands(said)).toBe(told);
});

test("what the library says of a folder that another process drives is told in commands", () => {
  const said =
    "/srv/my data is driven by process 7 of another container. Talk to that one, stop it, or open the folder as a guest; if it hangs, another process can take over in 14 s";
  expect(asCommands(said)).toBe(
    "/srv/my data is driven by process 7 of another container, and one process at a time drives a folder. Answer what it may wait for (sf approvals ls --data '/srv/my data'), or wait longer for its end with --wait; beside it, use another folder (--data or SF_DATA) or a database, which many use at once (--store postgres://… or SF_STORE)",
  );
});
