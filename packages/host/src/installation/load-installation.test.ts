import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { heldSecrets, isSimpleFunctionsError, redactText } from "@spfunctions/contracts";
import { openInstallation } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { dataFolder } from "../../test/data-folder.ts";
import { configFolderOf } from "./config-folder.ts";
import { type LoadOptions, loadInstallation } from "./load-installation.ts";
import { withPackages } from "../../../../tests/installed/start-installed.ts";

const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index * 7));
const id = openInstallation(bytes).id;

/** Permissions of a file or folder. */
function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function refusalOf(options: LoadOptions): { code: string; message: string; details: unknown } {
  try {
    loadInstallation(options);
  } catch (error) {
    if (isSimpleFunctionsError(error))
      return { code: error.code, message: error.message, details: error.details };
    throw error;
  }
  throw new Error("it was not refused");
}

describe("the secret from SF_INSTALLATION_KEY", () => {
  test.each([
    ["64 hex characters", bytes.toString("hex")],
    ["64 hex characters in upper case", bytes.toString("hex").toUpperCase()],
    ["43 base64url characters", bytes.toString("base64url")],
  ])("is %s, and no file is touched", (_, text) => {
    const configFolder = join(dataFolder(), "none");
    const loaded = loadInstallation({ env: { SF_INSTALLATION_KEY: text }, configFolder });
    expect({ ...loaded, installation: loaded.installation.id }).toStrictEqual({
      installation: id,
      source: "env",
      created: false,
    });
    expect(existsSync(configFolder)).toBe(false);
  });

  test("S1: is held as it was written, so that nothing shows it", () => {
    const text = bytes.toString("hex").toUpperCase();
    loadInstallation({ env: { SF_INSTALLATION_KEY: text } });
    expect(redactText(`it is ${text}.`)).toBe("it is [redacted:installation].");
    heldSecrets.remove(text);
  });

  test.each([
    ["nothing", ""],
    ["62 hex characters", bytes.toString("hex").slice(2)],
    ["65 hex characters", `${bytes.toString("hex")}0`],
    ["a line's end", `${bytes.toString("hex")}\n`],
    ["padded base64", bytes.toString("base64")],
    ["words", "correct horse battery staple"],
  ])("is refused when it is %s, without being shown and without a new one in its place", (_, text) => {
    const configFolder = join(dataFolder(), "none");
    const refusal = refusalOf({ env: { SF_INSTALLATION_KEY: text }, configFolder });
    expect(refusal).toStrictEqual({
      code: "host_configuration_needed",
      message: `SF_INSTALLATION_KEY holds no installation secret: expected 64 hex or 43 base64url characters (32 bytes), found ${text.length} characters; put back the one that was there, or where nothing is kept with it yet, make one: openssl rand -hex 32`,
      details: { reason: "bad_installation_secret", where: "SF_INSTALLATION_KEY" },
    });
    expect(existsSync(configFolder)).toBe(false);
  });
});

describe("the secret in its file", () => {
  test("is made once, for its owner alone, and is the same from then on", () => {
    const configFolder = join(dataFolder(), "config", "simplefunctions");
    const path = join(configFolder, "installation.key");
    const first = loadInstallation({ env: {}, configFolder });
    const second = loadInstallation({ env: {}, configFolder });
    expect({ ...first, installation: 0 }).toStrictEqual({
      installation: 0,
      source: "file",
      path,
      created: true,
    });
    expect(second).toMatchObject({ created: false, installation: { id: first.installation.id } });
    expect([modeOf(configFolder), modeOf(path)]).toStrictEqual(["700", "600"]);
    expect(readdirSync(configFolder)).toStrictEqual(["installation.key"]);
    expect(readFileSync(path, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  });

  test("is another one in every installation", () => {
    const made = [1, 2, 3].map(() => loadInstallation({ env: {}, configFolder: dataFolder() }));
    expect(new Set(made.map(({ installation }) => installation.id)).size).toBe(3);
  });

  test.each([
    ["hex", bytes.toString("hex")],
    ["hex with a line's end", `${bytes.toString("hex")}\n`],
    ["base64url with a line's end of Windows", `${bytes.toString("base64url")}\r\n`],
  ])("can be put there by hand as %s", (_, text) => {
    const configFolder = dataFolder();
    writeFileSync(join(configFolder, "installation.key"), text, { mode: 0o600 });
    expect(loadInstallation({ env: {}, configFolder }).installation.id).toBe(id);
  });

  test("may be a link to where it really lies", () => {
    const configFolder = dataFolder();
    writeFileSync(join(configFolder, "elsewhere"), bytes.toString("hex"), { mode: 0o600 });
    symlinkSync("elsewhere", join(configFolder, "installation.key"));
    expect(loadInstallation({ env: {}, configFolder }).installation.id).toBe(id);
  });

  test("is not made where that is not wanted", () => {
    const configFolder = join(dataFolder(), "none");
    expect(refusalOf({ env: {}, configFolder, create: false })).toMatchObject({
      code: "host_configuration_needed",
      details: { reason: "no_installation_secret" },
    });
    expect(existsSync(configFolder)).toBe(false);
  });

  test.each(["604", "620", "640", "644", "666", "610", "677"])(
    "is refused when others can reach it: mode %s",
    (mode) => {
      const configFolder = dataFolder();
      const path = join(configFolder, "installation.key");
      writeFileSync(path, bytes.toString("hex"));
      chmodSync(path, Number.parseInt(mode, 8));
      const refusal = refusalOf({ env: {}, configFolder });
      expect(refusal.code).toBe("host_configuration_needed");
      expect(refusal.message).toBe(
        `the installation's secret ${path} can be reached by others than its owner (mode 0${mode}); if nobody has read it, chmod 600 ${path}; otherwise everything it signed and hid is to be doubted`,
      );
      chmodSync(path, 0o400);
      expect(loadInstallation({ env: {}, configFolder }).installation.id).toBe(id);
    },
  );

  test.each([
    ["nothing", ""],
    ["half a secret", bytes.toString("hex").slice(32)],
    ["the bytes themselves", bytes],
    ["two lines", `${bytes.toString("hex")}\n\n`],
    ["a whole book", "0".repeat(100_000)],
  ])("is refused when it holds %s, and left as it is", (_, content) => {
    const configFolder = dataFolder();
    const path = join(configFolder, "installation.key");
    writeFileSync(path, content, { mode: 0o600 });
    expect(refusalOf({ env: {}, configFolder })).toMatchObject({
      code: "host_configuration_needed",
      details: { reason: "bad_installation_secret", where: path },
    });
    expect(readFileSync(path)).toStrictEqual(Buffer.from(content));
  });

  test("is refused when it is no file; a pipe keeps nobody waiting", () => {
    const configFolder = dataFolder();
    const path = join(configFolder, "installation.key");
    mkdirSync(path);
    expect(refusalOf({ env: {}, configFolder }).message).toMatch(/is not a file/);
    rmSync(path, { recursive: true });
    const makePipe = "mkfifo";
    execFileSync(makePipe, ["-m", "600", path]);
    expect(refusalOf({ env: {}, configFolder }).message).toMatch(/is not a file/);
  });

  test.skipIf(process.getuid?.() !== 0)(
    "is refused when another user owns it and so knows it, unless that is the superuser",
    () => {
      const configFolder = dataFolder();
      const path = join(configFolder, "installation.key");
      writeFileSync(path, bytes.toString("hex"), { mode: 0o600 });
      chownSync(path, 65_534, 0);
      const refusal = refusalOf({ env: {}, configFolder });
      expect(refusal).toStrictEqual({
        code: "host_configuration_needed",
        message: `the installation's secret ${path} belongs to another user (65534); if you put it there yourself, make it yours with chown; otherwise remove it, because its owner knows it`,
        details: { reason: "bad_installation_secret", where: path },
      });
      chownSync(path, 0, 0);
      expect(loadInstallation({ env: {}, configFolder }).installation.id).toBe(id);
    },
  );

  test.skipIf(process.platform !== "linux")("is refused, and soon, where no folder can be made", () => {
    expect(refusalOf({ env: { XDG_CONFIG_HOME: "/proc/nope" } })).toMatchObject({
      code: "host_configuration_needed",
      message: expect.stringMatching(/installation\.key cannot be made \(ENOENT\); name a writable folder/),
    });
  });

  test("is refused when its folder cannot be made", () => {
    const file = join(dataFolder(), "file");
    writeFileSync(file, "");
    expect(refusalOf({ env: {}, configFolder: join(file, "simplefunctions") })).toMatchObject({
      code: "host_configuration_needed",
    });
  });
});

test("processes that start at once agree on one secret", async () => {
  const parent = dataFolder();
  const folders = Array.from({ length: 40 }, (_, round) => join(parent, `${round}`, "simplefunctions"));
  const program = `
    import { loadInstallation } from "@spfunctions/host/installation";
    process.stdout.write("ready ");
    process.stdin.once("data", () => {
      const loaded = ${JSON.stringify(folders)}.map((configFolder) => loadInstallation({ env: {}, configFolder }));
      console.log(JSON.stringify(loaded.map(({ installation: { id }, created }) => ({ id, created }))));
      process.exit();
    });`;
  const starts = Array.from({ length: 6 }, async () => {
    const child = spawn(process.execPath, [...withPackages, "--input-type=module", "--eval", program], {
      cwd: join(import.meta.dirname, "../.."),
      stdio: ["pipe", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await once(child.stdout, "data");
    return { go: () => child.stdin.end("go"), ended: once(child, "close").then(() => said) };
  });
  const children = await Promise.all(starts);
  for (const { go } of children) go();
  const answers = (await Promise.all(children.map(({ ended }) => ended))).map(
    (said) => JSON.parse(said.replace("ready ", "")) as { id: string; created: boolean }[],
  );
  const rounds = folders.map((configFolder, round) => ({
    ids: [...new Set(answers.map((answer) => answer[round]?.id))],
    made: answers.filter((answer) => answer[round]?.created === true).length,
    files: readdirSync(configFolder),
  }));
  const expected = folders.map((configFolder) => ({
    ids: [loadInstallation({ env: {}, configFolder, create: false }).installation.id],
    made: 1,
    files: ["installation.key"],
  }));
  expect(rounds).toStrictEqual(expected);
});

test("the configuration folder is where XDG says, and a relative path counts as none", () => {
  const folders = [
    configFolderOf({ XDG_CONFIG_HOME: "/etc/me", HOME: "/home/me" }),
    configFolderOf({ XDG_CONFIG_HOME: "etc", HOME: "/home/me" }),
    configFolderOf({ XDG_CONFIG_HOME: "", HOME: "/home/me" }),
    configFolderOf({ HOME: "/home/me" }),
  ];
  expect(folders).toStrictEqual([
    "/etc/me/simplefunctions",
    "/home/me/.config/simplefunctions",
    "/home/me/.config/simplefunctions",
    "/home/me/.config/simplefunctions",
  ]);
});
