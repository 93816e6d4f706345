import { readdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Home, notesPack } from "../../test-data/run-sf.ts";

const pack = ["--pack", notesPack];

describe("the input of sf call", () => {
  test("comes from the command line, from a file, or from the standard input", async () => {
    const home = new Home();
    home.write("input.json", { id: 7 });
    const runs = [
      await home.run(["call", "notes.read", ...pack, "--input", ' { "id" : 7 } ']),
      await home.run(["call", "notes.read", ...pack, "--input", "@input.json"]),
      await home.run(["call", "notes.read", ...pack, "--input", "-"], { input: '{"id":7}' }),
    ];
    expect(runs.map(({ code, out }) => ({ code, id: (JSON.parse(out) as { id: number }).id }))).toStrictEqual(
      [
        { code: 0, id: 7 },
        { code: 0, id: 7 },
        { code: 0, id: 7 },
      ],
    );
  });

  test.each([
    ["has a key twice", '{"id":7,"id":8}', /^error invalid_input: --input: .*the same key twice/],
    ["is no JSON", "{id:7}", /^error invalid_input: --input: /],
    ["is nothing", "", /^error invalid_input: --input: /],
    ["is a file that is not there", "@none.json", /^error not_found: there is no file none\.json$/m],
    ["is a folder", "@home", /^error invalid_input: home cannot be read: it is a folder$/m],
    ["is not text", "@latin1.json", /^error invalid_input: latin1\.json is not UTF-8 text$/m],
  ])("is bad usage, and nothing opened, when it %s", async (_, given, message) => {
    const home = new Home();
    writeFileSync(home.path("latin1.json"), Buffer.from([0x22, 0xe9, 0x22]));
    const { code, out, err } = await home.run(["call", "notes.read", ...pack, "--input", given]);
    expect({ code, out }).toStrictEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
    expect(readdirSync(home.path("home"))).toStrictEqual([]);
  });

  test("is read from the standard input no further than it may be large", async () => {
    const home = new Home();
    let read = 0;
    const piece = Buffer.alloc(1024 * 1024, 0x20);
    async function* endless() {
      for (;;) {
        read += piece.length;
        yield piece;
      }
    }
    const { code, err } = await home.run(["call", "notes.read", ...pack, "--input", "-"], {
      stdin: endless(),
    });
    expect(code).toBe(2);
    expect(err).toMatch(/^error invalid_input: the standard input is larger than 16777216 bytes/);
    expect(read).toBe(17 * 1024 * 1024);
  });

  test("is waited for no longer than the person wants", async () => {
    const home = new Home();
    const ending = new AbortController();
    const stdin = (async function* silent() {
      ending.abort("SIGINT");
      await new Promise(() => undefined);
      yield Buffer.from("");
    })();
    const { code, err } = await home.run(["call", "notes.read", ...pack, "--input", "-"], {
      stdin,
      signal: ending.signal,
    });
    expect(code).toBe(130);
    expect(err).toMatch(/^error cancelled: cancelled while reading the standard input; nothing was called/);
  });
});

describe("the policy of sf call", () => {
  test.each([
    ["is no JSON", "{", /^error invalid_policy: no policy: policy\.json: /],
    [
      "has a key twice",
      '{"maxSideEffect":"none","maxSideEffect":"user_write"}',
      /^error invalid_policy: .*the same key twice/,
    ],
    [
      "has a typo",
      '{"maxSideEfect":"none"}',
      /^error invalid_policy: policy\.json: .*did you mean "maxSideEffect"/,
    ],
  ])("is bad usage, and never taken in part, when it %s", async (_, text, message) => {
    const home = new Home();
    home.write("policy.json", text);
    const { code, out, err } = await home.run(["call", "notes.read", ...pack, "--policy", "policy.json"]);
    expect({ code, out }).toStrictEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });

  test("is bad usage when it is not there", async () => {
    const argv = ["notes.read", ...pack, "--policy", "none.json"];
    for (const command of ["call", "explain"]) {
      expect(await new Home().run([command, ...argv])).toMatchObject({
        code: 2,
        err: "error not_found: there is no file none.json; sf policy init writes one to begin with\n",
      });
    }
  });
});

describe("what else is said about a call is bad usage where the call could not even begin", () => {
  test.each([
    [
      "--idempotency-key",
      "two words",
      "an idempotency key has 1 to 256 printable ASCII characters and no spaces",
    ],
    [
      "--idempotency-key",
      `sf_live_${"c0rnerSh0p".repeat(3)}ab`,
      "the idempotency key holds what looks like a secret",
    ],
  ])("%s %s", async (option, value, message) => {
    const { code, out, err } = await new Home().run(["call", "notes.read", ...pack, option, value]);
    expect({ code, out }).toStrictEqual({ code: 2, out: "" });
    expect(err).toContain(`error invalid_input: ${message}`);
    expect(err).not.toContain(value);
  });
});
