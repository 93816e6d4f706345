import { corpusOf } from "../../packages/contracts/test-data/redaction/corpus.ts";
import { fiveForms, survives } from "../../packages/contracts/test-data/redaction/five-forms.ts";
import { idsOf, imageBytes } from "../../packages/contracts/test-data/redaction/ids.ts";
import { toolCallsOf } from "../../packages/contracts/test-data/redaction/tool-calls.ts";
import { stoppedCalls } from "./stopped-calls.ts";
import { redact, redactText, SecretRegistry } from "@spfunctions/contracts";

const minRecall = 0.97;
const maxIdsTouched = 0.005;
const maxImagesTouched = 0.02;
const maxCallsStopped = 0.005;
const callsOfSeed = 1000;
const imageLength = 100_000;
const secrets = new SecretRegistry();

type Report = {
  readonly texts: number;
  /** Of every part of the corpus in every form, in per cent. */
  readonly hidden: Readonly<Record<string, string>>;
  readonly idsTouched: string;
  readonly imagesTouched: string;
  readonly callsStopped: string;
  readonly broken: readonly string[];
};

const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

/**
 * The share of secrets that are hidden whole, in each of five forms, of ids and images that are touched, and of ordinary calls that stop
 * because a part of them is hidden.
 */
export async function redaction({
  seeds: count,
  images: imageCount,
  seed,
  log,
}: {
  readonly seeds: number;
  readonly images: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}): Promise<Report> {
  const seeds = Array.from({ length: count }, (_, index) => seed + index);
  const parts = Object.entries(corpusOf(seeds));
  const texts = parts.reduce((sum, [, part]) => sum + part.length, 0);
  const broken: string[] = [];
  const hidden: Record<string, string> = {};
  for (const form of Object.keys(fiveForms)) {
    let missed = 0;
    for (const [name, part] of parts) {
      const left = part.filter(({ text, secret, fixed }) => survives(form, text, secret, fixed));
      missed += left.length;
      log(`${form}, ${name}: ${percent(1 - left.length / part.length)} of ${part.length}`);
      for (const { text } of left.slice(0, 3)) log(`  missed: ${JSON.stringify(text.slice(0, 160))}`);
    }
    hidden[form] = percent(1 - missed / texts);
    if (1 - missed / texts < minRecall) broken.push(`${form}: ${hidden[form]} of the secrets are hidden`);
  }
  const ids = touchedIds(seeds);
  if (ids > maxIdsTouched) broken.push(`${percent(ids)} of the ids are touched`);
  const images = touchedImages(seed, imageCount);
  if (images > maxImagesTouched) broken.push(`${percent(images)} of the images are touched`);
  const calls = seeds.flatMap((each) => [...toolCallsOf(each, callsOfSeed)]);
  const stopped = await stoppedCalls(calls);
  const stoppedShare = stopped.length / calls.length;
  for (const call of stopped.slice(0, 5)) log(`stopped: ${call}`);
  if (stoppedShare > maxCallsStopped)
    broken.push(`${percent(stoppedShare)} of the ordinary calls are stopped`);
  return {
    texts,
    hidden,
    idsTouched: percent(ids),
    imagesTouched: percent(images),
    callsStopped: percent(stoppedShare),
    broken,
  };
}

function touchedIds(seeds: readonly number[]): number {
  let all = 0;
  let touched = 0;
  for (const { key, id, texts } of idsOf(seeds)) {
    const value = { [key]: id, nested: { items: [{ [key]: id }] } };
    all += texts.length + 1;
    touched += texts.filter((text) => redactText(text, { secrets }) !== text).length;
    if (JSON.stringify(redact(value, { secrets })) !== JSON.stringify(value)) touched++;
  }
  return touched / all;
}

/** As they are, in JSON inside JSON, in lines and as data URLs. */
function touchedImages(seed: number, count: number): number {
  let touched = 0;
  for (let index = 0; index < count; index++) {
    const image = imageBytes(seed + index, imageLength).toString("base64");
    const lines = image.replaceAll(/.{76}(?=.)/g, "$&\r\n");
    for (const text of [
      image,
      JSON.stringify(JSON.stringify({ data: image })),
      lines,
      `data:image/png;base64,${image}`,
    ])
      if (redactText(text, { secrets }) !== text) touched++;
  }
  return touched / (4 * count);
}
