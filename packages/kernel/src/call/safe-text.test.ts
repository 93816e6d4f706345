// S1: words of others are kept without secrets and cut only then: no half of one stays at a cut, and nobody reads megabytes for the
// sake of a line.
import { heldSecrets, SecretRegistry, UpstreamError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { keptText, openDesk } from "../../test-data/call-desk.ts";
import { safeText } from "./safe-text.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const huge = "closed again ".repeat(700_000);
/** More than is read of anything, and much less than there is. */
const enough = 100_000;

/** Words that look like no secret, so long. */
function words(length: number): string {
  return Array.from({ length: Math.ceil(length / 8) }, (_, n) => `w${String(n).padStart(6, "0")} `)
    .join("")
    .slice(0, length);
}

function holding(secret: string): SecretRegistry {
  const registry = new SecretRegistry();
  registry.add(secret, "secret");
  return registry;
}

/** From here on what is held is found nowhere; kept is how much was looked through for it. */
function watching(registry: SecretRegistry): readonly number[] {
  const shown: number[] = [];
  const search = registry.search();
  if (search === null) throw new Error("a registry that holds nothing is never asked");
  vi.spyOn(search, "find").mockImplementation((text) => {
    shown.push(text.length);
    return [];
  });
  return shown;
}

describe("a huge text is cut, and no more than its beginning is read:", () => {
  test("of it alone", () => {
    const registry = holding("nothing that is in it");
    const shown = watching(registry);
    expect(safeText(huge, 2000, { alsoSecrets: registry })).toBe(huge.slice(0, 2000));
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((length) => length > enough)).toStrictEqual([]);
  });

  test.each<[string, () => unknown]>([
    ["of an error", () => new Error(huge)],
    ["of an error of ours", () => Object.assign(new UpstreamError("x"), { message: huge })],
    ["that was thrown as it is", () => huge],
    ["of an error's cause", () => new Error("closed", { cause: new Error(huge) })],
    ["that an error has with it", () => Object.assign(new Error("closed"), { body: huge })],
    ["in what is no error", () => ({ body: [huge] })],
  ])("%s", async (_, make) => {
    const thrown = make();
    const desk = openDesk({
      deed: () => {
        throw thrown;
      },
    });
    await desk.seat.open();
    const shown = watching(heldSecrets);
    const outcome = await desk.call({ tool: "notes.write" });
    expect(outcome).toMatchObject({ type: "failed", error: { code: "upstream_error" } });
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((length) => length > enough)).toStrictEqual([]);
    expect((await keptText(desk.store.inner)).length).toBeLessThan(20_000);
  });
});

describe("no half of a secret stays where a text was cut", () => {
  test("after it was found, wherever it stands", () => {
    const secret = words(100);
    for (let before = 1850; before < 2010; before += 10) {
      const text = `${"x".repeat(before)} ${secret} and more`;
      expect(safeText(text, 2000, { alsoSecrets: holding(secret) })).not.toContain(secret.slice(0, 8));
    }
  });

  test("however often it is there, and however long it is", () => {
    const anyEcho = fc.record({
      length: fc.integer({ min: 100, max: 12_000 }),
      before: fc.nat(200),
      most: fc.constantFrom(200, 500, 512, 2000),
    });
    fc.assert(
      fc.property(anyEcho, ({ length, before, most }) => {
        const secret = words(length);
        const times = Math.ceil(70_000 / length);
        const text = "x".repeat(before) + `${secret}; `.repeat(times);
        const kept = safeText(text, most, { alsoSecrets: holding(secret) });
        expect(kept.includes(secret.slice(0, 16))).toBe(false);
        expect(kept.length).toBeLessThanOrEqual(most);
      }),
      { numRuns: 60 },
    );
  });

  test("also of one that takes more room because it is encoded", () => {
    const secret = words(4000);
    const encoded = Array.from(secret, (char) => `%${char.charCodeAt(0).toString(16)}`).join("");
    for (const before of [52_000, 55_000, 58_000, 65_000]) {
      const text = `${"closed again ".repeat(before / 13)}${encoded} and more`;
      const kept = safeText(text, 100_000, { alsoSecrets: holding(secret) });
      expect([before, kept.includes(encoded.slice(0, 24))]).toStrictEqual([before, false]);
    }
  });

  test.each<[string, (password: string) => unknown]>([
    ["a message", (password) => new Error(password.repeat(12))],
    ["a message of ours", (password) => new UpstreamError(password.repeat(12))],
  ])("of %s", async (_, make) => {
    const password = words(10_000);
    const desk = openDesk({
      deed: (_input, { external }) => {
        external({ operationId: password.repeat(12), reconciliationRef: password.repeat(12) });
        throw make(password);
      },
    });
    const outcome = await desk.call({ tool: "notes.write", input: { password } });
    const shown = [await keptText(desk.store.inner), JSON.stringify([outcome, desk.events])];
    expect(shown.map((text) => text.includes(password.slice(0, 16)))).toStrictEqual([false, false]);
  });
});

describe("an ordinary text", () => {
  test("that is short enough is kept as it is", () => {
    for (const text of ["", "closed", "x".repeat(2000), "\u{1f600}".repeat(1000)])
      expect(safeText(text, 2000)).toBe(text);
  });

  test("is cut between characters", () => {
    expect(safeText(`${"x".repeat(1999)}\u{1f600}`, 2000)).toBe(`${"x".repeat(1999)}\ufffd`);
    expect(safeText("\ud800 closed", 2000)).toBe("\ufffd closed");
  });
});
