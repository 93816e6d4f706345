import { heldSecrets, InvalidInputError, redactText, SimpleFunctionsError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { createHmac, createPublicKey, hkdfSync, verify } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { openPolicy, somebody } from "../../test-data/judge-samples.ts";
import { toolWith } from "../../test-data/tool-samples.ts";
import { Seat } from "../seat/seat.ts";
import {
  installationSecretBytes,
  newInstallationSecret,
  openInstallation,
  signingKeyId,
} from "./installation.ts";

const secret = Uint8Array.from({ length: 32 }, (_, index) => index);
const installation = openInstallation(secret);

const subkey = (purpose: string) => Buffer.from(hkdfSync("sha256", secret, "simplefunctions", purpose, 32));

describe("what is derived from a secret", () => {
  test("is the same wherever and whenever it is derived", () => {
    expect({
      id: installation.id,
      keyHash: installation.keyHash("a text"),
      redaction: installation.redaction("a text"),
      tokens: installation.tokens.export().toString("hex"),
      publicKey: installation.signer.publicKey,
      keyId: installation.signer.keyId,
      signature: installation.signer.sign("a text"),
    }).toStrictEqual({
      id: "sha256:38d1ec0be5a4eca47ff1044f73a0481db9d86bcc225c63598ed42580ca705299",
      keyHash: "57e701aaede896dcc25ad5a04680ac5da9917a26c475539f678f2fc97599d607",
      redaction: "c36b3733f22f2540de343c9971b09d8af2b213250663131b0bdbeeb52b73b90b",
      tokens: "d6bd394350395cbda2d00e909bcc6e9eca5d80e8c8a21a1148aceda19338dd17",
      publicKey: "_xcA4LEcarF6z131j-3417i9Ezd1OBUSiRpcTBipqKQ",
      keyId: "ed25519-13c6d603c92dea54",
      signature: "jcAmcFH9gpB57BwtSPPwo3QgpPGtBWL-hZsDalyENlmrskCVw5m40p41GZx_D05pjcdn89eWSl-wOK3p0pI9BA",
    });
  });

  test("is HKDF-SHA256 of the secret by purpose, and nothing else", () => {
    const hmac = (purpose: string) => createHmac("sha256", subkey(purpose)).update("a text").digest("hex");
    expect(installation.keyHash("a text")).toBe(hmac("key-hash"));
    expect(installation.redaction("a text")).toBe(hmac("redaction"));
    expect(installation.tokens.export()).toStrictEqual(subkey("tokens"));
  });

  test("differs by purpose, and for one bit of the secret", () => {
    const other = openInstallation(secret.with(31, 30));
    const all = [installation, other].flatMap((one) => [
      one.id,
      one.keyHash("a text"),
      one.redaction("a text"),
      one.tokens.export().toString("hex"),
      one.signer.publicKey,
      one.signer.keyId,
    ]);
    expect(new Set(all).size).toBe(all.length);
  });

  test("does not change when its owner changes or wipes the secret afterwards", () => {
    const mine = secret.slice();
    const opened = openInstallation(mine);
    mine.fill(0);
    expect([opened.keyHash("x"), opened.signer.sign("x")]).toStrictEqual([
      installation.keyHash("x"),
      installation.signer.sign("x"),
    ]);
  });
});

describe("a secret", () => {
  test("has 32 bytes, at random", () => {
    const made = Array.from({ length: 100 }, newInstallationSecret);
    expect(new Set(made.map((one) => Buffer.from(one).toString("hex"))).size).toBe(100);
    expect(made.every((one) => one.length === installationSecretBytes)).toBe(true);
  });

  test.each([0, 1, 16, 31, 33, 64])("%s bytes are no secret", (length) => {
    const error = refusalOf(() => openInstallation(new Uint8Array(length)));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toMatch(/^an installation secret (?:is|has) 32 bytes/);
    expect(error.details).toStrictEqual({ reason: "wrong_length" });
  });

  test("bytes are bytes: a text, a list or wider numbers of that length are no secret", () => {
    const others = [
      "0123456789abcdef0123456789abcdef",
      Array.from({ length: 32 }, () => 1),
      new Uint16Array(32),
    ];
    for (const other of others) {
      expect(refusalOf(() => openInstallation(other as never))).toBeInstanceOf(InvalidInputError);
    }
  });

  test("cannot be got from what was opened with it", () => {
    const bytes = Buffer.from(secret);
    const shown = [
      JSON.stringify(installation),
      inspect(installation, { depth: 9, showHidden: true }),
      installation.id,
      Object.values(installation.signer).join(),
    ].join("\n");
    for (const form of ["hex", "base64", "base64url", "latin1"] as const) {
      expect(shown).not.toContain(bytes.toString(form));
    }
    expect(Object.isFrozen(installation)).toBe(true);
    expect(Object.isFrozen(installation.signer)).toBe(true);
  });

  test.each(["hex", "base64", "base64url"] as const)("S1: is hidden in errors and texts, as %s", (form) => {
    const text = Buffer.from(secret).toString(form);
    const error = new SimpleFunctionsError("internal", `the file holds ${text}`, {
      details: { found: text },
    });
    expect(JSON.stringify(error)).not.toContain(text);
    expect(error.stack).not.toContain(text);
    expect(redactText(`SF_INSTALLATION_KEY=${text}`)).not.toContain(text);
    expect(redactText(`x${text}x`)).toBe("x[redacted:installation]x");
  });

  test("S1: is hidden in capital hex and in base64 without its end too", () => {
    const odd = Uint8Array.from({ length: 32 }, (_, index) => (index * 37 + 250) & 255);
    openInstallation(odd);
    const bytes = Buffer.from(odd);
    for (const text of [bytes.toString("hex").toUpperCase(), bytes.toString("base64").replaceAll("=", "")]) {
      expect(redactText(`value: ${text}.`)).not.toContain(text);
    }
  });
});

describe("a process without an installation", () => {
  test("has one secret of its own, however many seats it opens", () => {
    const seat = () =>
      new Seat({
        packs: [tool],
        levels: [{ level: "agent", policy: openPolicy }],
        principal: somebody,
        origin: "direct",
        surface: "agent",
      });
    const tool = toolWith();
    seat();
    const { size } = heldSecrets;
    seat();
    seat();
    expect(heldSecrets.size).toBe(size);
  });
});

describe("the signer", () => {
  const { signer } = installation;
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: signer.publicKey }, format: "jwk" });
  const isSigned = (text: string, signature: string) =>
    verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"));

  test.each(["", "a text", "é \u{1f602}", "x".repeat(100_000)])("signs with Ed25519: %.10j", (text) => {
    const signature = signer.sign(text);
    expect(signature).toMatch(/^[A-Za-z0-9_-]{86}$/);
    expect(isSigned(text, signature)).toBe(true);
    expect(isSigned(`${text} `, signature)).toBe(false);
    expect(signer.sign(text)).toBe(signature);
  });

  test("is named by its public key", () => {
    expect(signer.publicKey).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(signer.keyId).toBe(signingKeyId(signer.publicKey));
    expect(signer.keyId).toMatch(/^ed25519-[0-9a-f]{16}$/);
    expect(signingKeyId(openInstallation(new Uint8Array(32).fill(205)).signer.publicKey)).not.toBe(
      signer.keyId,
    );
  });
});

test("a keyed hash is HMAC-SHA-256 of any text, under a key that the secret gives it for its purpose alone", () => {
  const { keyHash, redaction } = installation;
  const [forKeys, forRedaction] = [subkey("key-hash"), subkey("redaction")];
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(keyHash(text)).toBe(createHmac("sha256", forKeys).update(text).digest("hex"));
      expect(redaction(text)).toBe(createHmac("sha256", forRedaction).update(text).digest("hex"));
    }),
  );
});
