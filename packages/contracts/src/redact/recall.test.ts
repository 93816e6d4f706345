// S1: recall and precision, measured on formats and contexts that vendors and tools document.
import { describe, expect, test } from "vitest";
import { inContext, sample, sampleTemplate } from "../../test-data/redaction/generate.ts";
import { ordinaryStrings } from "../../test-data/redaction/ordinary.ts";
import { othersOf, survivingPart } from "../../test-data/redaction/surviving.ts";
import { identifierNames, sampleContexts, tokenFormats } from "../../test-data/redaction/token-formats.ts";
import { redactText } from "./redact-text.ts";

const seeds = [1, 2, 3];

/** Values that nothing but their place gives away. */
const values = ["{alnum:32}", "{hex:40}", "{hex:32}", "{b64:40}", "{b64url:43}", "{lowernum:24}"].flatMap(
  (template) => seeds.map((seed) => sampleTemplate(template, seed)),
);

type Place = { readonly text: string; readonly secret: string; readonly fixed: readonly string[] };

const documented: Place[] = tokenFormats.flatMap((format) => {
  const fixed = othersOf(format);
  const contexts = [...(format.standsAlone ? ["$"] : []), ...(format.contexts ?? [])];
  return seeds.flatMap((seed) => {
    const secret = sample(format, seed);
    return contexts.map((context) => ({ text: inContext(context, secret), secret, fixed }));
  });
});

const assigned: Place[] = sampleContexts.flatMap((context) =>
  values.map((secret) => ({ text: inContext(context, secret, "acme"), secret, fixed: [] })),
);

const named: Place[] = identifierNames.flatMap((name) =>
  values
    .slice(0, 6)
    .flatMap((secret) => [`${name}=${secret}`, `${name.toUpperCase()}: "${secret}"`])
    .map((text, index) => ({ text, secret: values[index >> 1] ?? "", fixed: [] })),
);

/** The share of places whose secret is hidden to the last stretch, and the texts of the others. */
function recallOf(places: readonly Place[]): { recall: number; missed: string[] } {
  const missed = places
    .filter(({ text, secret, fixed }) => survivingPart(redactText(text), secret, fixed) !== null)
    .map(({ text }) => text);
  return { recall: 1 - missed.length / places.length, missed };
}

describe("at least 97 % of secrets are hidden whole", () => {
  test.each([
    ["in every documented format, alone and in its contexts", documented, 12_000],
    ["in every way of writing an assignment", assigned, 2_500],
    ["under every name that people give them", named, 5_000],
  ])("%s", (title, places, least) => {
    const { recall, missed } = recallOf(places);
    const percent = (recall * 100).toFixed(2);
    console.log(`${title}: ${percent} % of ${places.length}\n${missed.slice(0, 10).join("\n")}`);
    expect(places.length).toBeGreaterThan(least);
    expect(recall).toBeGreaterThanOrEqual(0.97);
  });
});

test("less than 2 % of ordinary strings are touched", () => {
  const touched = ordinaryStrings.filter((text) => redactText(text) !== text);
  console.log(`touched: ${touched.length} of ${ordinaryStrings.length} ordinary strings`);
  expect(touched.length / ordinaryStrings.length).toBeLessThan(0.02);
});
