import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newInstallationSecret, openInstallation, type Signer } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { dataFolder } from "../../test/data-folder.ts";
import { knownSigners, pinSigner } from "./known-signers.ts";

function aSigner(): Pick<Signer, "keyId" | "publicKey"> {
  const { keyId, publicKey } = openInstallation(newInstallationSecret()).signer;
  return { keyId, publicKey };
}

function codeOf(act: () => unknown): string {
  return refusalOf(act).code;
}

test("who was pinned is known from then on, once, in order, and nobody else is", () => {
  const folder = join(dataFolder(), "simplefunctions");
  const [first, second] = [aSigner(), aSigner()];
  expect(knownSigners(folder)).toStrictEqual([]);
  expect(pinSigner(folder, first.publicKey)).toStrictEqual(first);
  expect(pinSigner(folder, second.publicKey)).toStrictEqual(second);
  expect(pinSigner(folder, first.publicKey)).toStrictEqual(first);
  expect(knownSigners(folder)).toStrictEqual([first, second]);
  expect(readdirSync(folder)).toStrictEqual(["signers.json"]);
  expect([folder, join(folder, "signers.json")].map((path) => statSync(path).mode & 0o777)).toStrictEqual([
    0o700, 0o600,
  ]);
  expect(JSON.parse(readFileSync(join(folder, "signers.json"), "utf8"))).toStrictEqual({
    v: 1,
    signers: [first.publicKey, second.publicKey],
  });
});

test("what is no public key is not pinned", () => {
  const folder = dataFolder();
  const { publicKey } = aSigner();
  const last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const at = last.indexOf(publicKey.at(-1) ?? "");
  // The last character says two bits more than the key has: another spelling of the same key.
  const otherSpelling = publicKey.slice(0, -1) + last[at + 1];
  for (const text of ["", "key", publicKey.slice(1), `${publicKey}A`, `${publicKey}\n`, otherSpelling])
    expect(codeOf(() => pinSigner(folder, text))).toBe("invalid_input");
  expect(readdirSync(folder)).toStrictEqual([]);
});

test.each([
  "",
  "[]",
  "null",
  "{}",
  '{"v":2,"signers":[]}',
  '{"v":1,"signers":["x"]}',
  '{"v":1,"signers":[],"v":1}',
])("a list that cannot be read is refused and kept: %s", (text) => {
  const folder = dataFolder();
  writeFileSync(join(folder, "signers.json"), text, { mode: 0o600 });
  expect(codeOf(() => knownSigners(folder))).toBe("host_configuration_needed");
  expect(codeOf(() => pinSigner(folder, aSigner().publicKey))).toBe("host_configuration_needed");
  expect(readFileSync(join(folder, "signers.json"), "utf8")).toBe(text);
});

test("a list that others could have written to is trusted by nobody", () => {
  const folder = dataFolder();
  pinSigner(folder, aSigner().publicKey);
  chmodSync(join(folder, "signers.json"), 0o664);
  expect(codeOf(() => knownSigners(folder))).toBe("host_configuration_needed");
  chmodSync(join(folder, "signers.json"), 0o644);
  expect(knownSigners(folder)).toHaveLength(1);
});

test.skipIf(process.getuid?.() !== 0)("a list that belongs to another user is trusted by nobody", () => {
  const folder = dataFolder();
  pinSigner(folder, aSigner().publicKey);
  chownSync(join(folder, "signers.json"), 65_534, 0);
  expect(codeOf(() => knownSigners(folder))).toBe("host_configuration_needed");
});

test.skipIf(process.platform !== "linux")("where no folder can be made nothing is pinned, and soon", () => {
  expect(codeOf(() => pinSigner("/proc/nope/simplefunctions", aSigner().publicKey))).toBe(
    "host_configuration_needed",
  );
});
