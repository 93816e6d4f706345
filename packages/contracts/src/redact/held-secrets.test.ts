// S1: secrets that this process holds are found exactly, wherever they turn up. How they may be encoded: encoded-secrets.test.ts.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { heldSecrets, SecretRegistry } from "./held-secrets.ts";
import { redactText } from "./redact-text.ts";

const secret = 'correct "horse" batt/ry?';

function holding(...secrets: string[]): { secrets: SecretRegistry } {
  const registry = new SecretRegistry();
  for (const one of secrets) registry.add(one, "test");
  return { secrets: registry };
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
const base64url = (text: string) => Buffer.from(text).toString("base64url");

describe("a held secret is hidden", () => {
  const options = holding(secret);

  test.each([
    ["raw", secret],
    ["percent-encoded", encodeURIComponent(secret)],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in base64", base64(secret)],
  ])("%s, and the text around it stays", (_, form) => {
    expect(redactText(`before ${form} after`, options)).toMatch(/^before \[redacted:test\].? after$/);
  });

  const marked = "p@ss wörd/(1)*!'&=+%";

  test.each([
    ["by encodeURIComponent", encodeURIComponent(marked)],
    ["in small letters", encodeURIComponent(marked).replaceAll(/%../g, (digits) => digits.toLowerCase())],
    ["by a strict encoder", "p%40ss%20w%C3%B6rd%2F%281%29%2A%21%27%26%3D%2B%25"],
    ["as in a form", new URLSearchParams({ q: marked }).toString().slice(2)],
    ["by encodeURI", encodeURI(marked)],
    ["in JSON with escaped slashes", String.raw`p@ss wörd\/(1)*!'&=+%`],
    ["in JSON of ASCII alone", String.raw`p@ss w\u00f6rd/(1)*!'&=+%`],
    ["in JSON with both", String.raw`p@ss w\u00f6rd\/(1)*!'&=+%`],
  ])("with every mark in it, %s", (_, form) => {
    expect(redactText(`before ${form} after`, holding(marked))).toBe("before [redacted:test] after");
  });

  test.each([0, 1, 2, 3, 4, 5])("in base64 and base64url with %i bytes before it and any behind", (shift) => {
    for (const encode of [base64, base64url]) {
      for (const tail of ["", "a", "ab", "abc"]) {
        const text = encode("u".repeat(shift) + secret + tail);
        const output = redactText(text, options);
        expect(output).toContain("[redacted:test]");
        // What the ends share with their neighbours may remain: less than one byte on each side.
        expect(output.replace("[redacted:test]", "").length).toBeLessThanOrEqual(
          Math.ceil((shift * 4) / 3) + Math.ceil((tail.length * 4) / 3) + 4,
        );
      }
    }
  });

  test("in a form that a form makes: an encoded address inside JSON", () => {
    const text = JSON.stringify({ url: `https://x.test/?q=${encodeURIComponent(secret)}` });
    expect(redactText(text, options)).toBe('{"url":"https://x.test/?q=[redacted:test]"}');
  });

  test("for any secret and any surroundings", () => {
    const any = fc.string({ minLength: 8, maxLength: 30, unit: "grapheme" });
    fc.assert(
      fc.property(any, fc.string(), fc.string(), (held, before, after) => {
        const forms = [held, encodeURIComponent(held), JSON.stringify(held).slice(1, -1)];
        for (const form of forms) {
          const output = redactText(`${before} ${form} ${after}`, holding(held));
          expect(`${before}${after}`.includes(form) || !output.includes(form)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("also when it is a piece of another one", () => {
    const both = holding("horse-battery", "correct-horse-battery-staple");
    expect(redactText("correct-horse-battery-staple, horse-battery", both)).toBe(
      "[redacted:test], [redacted:test]",
    );
  });
});

test("two held secrets that overlap are hidden whole, as one", () => {
  expect(redactText("it is correct-horse-battery.", holding("correct-horse", "horse-battery"))).toBe(
    "it is [redacted:test].",
  );
});

test.each([1025, 100_000])("a held secret of %i characters is hidden among short ones", (length) => {
  const long = "a long one ".repeat(length).slice(0, length);
  const options = holding("short-one-1", long, "hat42");
  expect(redactText(`hat42 ${long}${long} short-one-1`, options)).toBe(
    "[redacted:test] [redacted:test][redacted:test] [redacted:test]",
  );
});

describe("a short held secret", () => {
  const options = holding("hat42");

  test("is hidden as a whole word", () => {
    expect(redactText("(hat42) hat42, x=hat42", options)).toBe(
      "([redacted:test]) [redacted:test], x=[redacted:test]",
    );
  });

  test("leaves the words alone that contain it", () => {
    const text = "chat42 and hat423";
    expect(redactText(text, options)).toBe(text);
  });
});

describe("a registry", () => {
  test("forgets what is removed, in every form", () => {
    const { secrets } = holding(secret, "another-one-here");
    secrets.remove(secret);
    const text = `${secret} ${encodeURIComponent(secret)} ${base64(secret)}`;
    expect(redactText(text, { secrets })).toBe(text);
    expect(redactText("another-one-here", { secrets })).toBe("[redacted:test]");
    secrets.remove("another-one-here");
    expect([secrets.size, secrets.search()]).toStrictEqual([0, null]);
    expect([secrets.find(text), secrets.openFrom(text)]).toStrictEqual([[], text.length]);
  });

  test("keeps a form that another secret still has", () => {
    const { secrets } = holding("a secret/1", "a%20secret%2F1");
    secrets.remove("a secret/1");
    expect(redactText("it is a%20secret%2F1", { secrets })).toBe("it is [redacted:test]");
  });

  test("makes what finds its secrets once, and anew only when what it holds has changed", () => {
    const { secrets } = holding(secret);
    const search = secrets.search();
    for (const text of ["one text", `another with ${secret}`]) redactText(text, { secrets });
    secrets.add(secret);
    secrets.remove("what it does not hold");
    expect(secrets.search()).toBe(search);
    secrets.add("another-one-here");
    expect(secrets.search()).not.toBe(search);
    const wider = secrets.search();
    secrets.remove("another-one-here");
    expect(secrets.search()).not.toBe(wider);
  });

  test("knows how far back from the end of a text a secret may have begun", () => {
    const { secrets } = holding("abcd", "a".repeat(40));
    const text = "ordinary words ".repeat(100);
    expect(secrets.openFrom(text)).toBe(text.length - 80);
    // Of an encoded one its characters are counted, and those of one more that may be unfinished.
    expect(secrets.openFrom(`${text}${"%41".repeat(300)}`)).toBe(text.length + 3 * (300 - 80 - 96));
    secrets.remove("a".repeat(40));
    expect(secrets.openFrom(text)).toBe(text.length - 4);
    expect(secrets.openFrom("ord")).toBe(0);
  });

  test("holds no empty secret", () => {
    const { secrets } = holding("");
    expect(secrets.size).toBe(0);
    expect(redactText("some text", { secrets })).toBe("some text");
  });

  test("takes any character literally", () => {
    const odd = String.raw`^.*$ [a-z]+ (x|y) \d {2}`;
    expect(redactText(`a ${odd} b xyz`, holding(odd))).toBe("a [redacted:test] b xyz");
  });

  test("takes a secret that is no well-formed text", () => {
    const odd = "half \ud800 a pair";
    expect(redactText(`a ${odd} b`, holding(odd))).toBe("a [redacted:test] b");
  });
});

test("the process's own registry is used unless another is given", () => {
  const own = "the process holds this";
  heldSecrets.add(own, "own");
  try {
    expect(redactText(`x ${own}`)).toBe("x [redacted:own]");
    expect(redactText(`x ${own}`, holding())).toBe(`x ${own}`);
  } finally {
    heldSecrets.remove(own);
  }
});
