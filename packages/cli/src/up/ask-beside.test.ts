import { openSqliteStore } from "@spfunctions/host/store";
import { existsSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Home } from "../../test-data/run-sf.ts";
import { endpointHere, keyPath, signerOf, startUp } from "../../test-data/run-up.ts";
import { writeEndpoint } from "./endpoint-file.ts";

const once0 = ["up", "--once", "--port", "0"];

describe("a start on a folder that another process has", () => {
  test("asks the one that is up, exits with 0, and says which options came too late", async () => {
    const home = new Home();
    const { url } = await startUp(home);
    home.write("policy.json", {});
    const { code, out, err } = await home.run([
      "up",
      "--policy",
      "policy.json",
      "--allow-host",
      "x.example",
      "--no-markets",
    ]);
    expect([code, out.split("\n", 1)[0], err]).toStrictEqual([
      0,
      `SimpleFunctions is up at ${url} (process ${process.pid}, which has this data folder)`,
      "note: it goes on as it was started, without --policy, --allow-host, --no-markets; stop it to start another\n",
    ]);
    expect(out).not.toContain("sf_live_");
    const asked = await home.run(["up", "--json"]);
    expect([asked.code, asked.err, JSON.parse(asked.out)]).toMatchObject([
      0,
      "",
      { ok: true, url, pid: process.pid, keys: [], call: { data: { state: "running" } } },
    ]);
  });

  test("asks it also where it listens on localhost by that name, and so does any other command", async () => {
    const home = new Home();
    await startUp(home, ["--port", "0", "--no-markets", "--host", "localhost"]);
    expect([(await home.run(["up"])).code, (await home.run(["keys", "ls"])).code]).toStrictEqual([0, 0]);
  });

  test("without its key file says what to do", async () => {
    const home = new Home();
    const { url } = await startUp(home);
    const starter = keyPath(home, "starter");
    rmSync(starter);
    expect(await home.run(["up"])).toStrictEqual({
      code: 1,
      out: "",
      err: `error host_configuration_needed: a platform is up at ${url} (process ${process.pid}), and its key file ${starter} is gone; stop it, and start it again\n`,
    });
  });

  test("that another program has is refused, whatever a killed platform has left there", async () => {
    const home = new Home();
    await home.run(once0);
    const store = await openSqliteStore({ folder: home.path(".sf") });
    const driven = {
      code: 1,
      out: "",
      err: expect.stringMatching(
        /^error host_configuration_needed: .* is driven by this very process .*, and one process at a time drives a folder\. Answer what /,
      ),
    };
    const url = "http://127.0.0.1:1";
    const starterKey = keyPath(home, "starter");
    for (const left of [undefined, { url, pid: 1, starterKey }, "garbage", { url: 7, pid: process.pid }]) {
      if (left !== undefined) home.write(".sf/platform.json", left);
      expect(await home.run(["up", "--wait", "0"])).toStrictEqual(driven);
    }
    writeEndpoint(home.path(".sf"), endpointHere(url, starterKey), signerOf(home));
    expect(await home.run(["up", "--wait", "0"])).toStrictEqual({
      code: 1,
      out: "",
      err: `error upstream_error: runtime.status: no answer from the platform at ${url}; is it running, and is that its address?\n`,
    });
    await store.close();
    expect((await home.run(once0)).code).toBe(0);
    expect(existsSync(home.path(".sf/platform.json"))).toBe(false);
  });

  test("waits for a process that is about to leave it", async () => {
    const home = new Home();
    const store = await openSqliteStore({ folder: home.path(".sf") });
    let err = "";
    const stderr = (text: string) => {
      err += text;
      void store.close();
    };
    expect((await home.run([...once0, "--wait", "60000"], { stderr })).code).toBe(0);
    expect(err).toMatch(/^waiting: .* is driven by this very process/);
  });
});
