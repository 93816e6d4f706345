import { expect, test } from "vitest";
import { shownTranscript } from "../scripts/transcript/readme-transcript.ts";
import { recordTranscript, skeletonOf } from "../scripts/transcript/record-transcript.ts";

test("what the README shows of the screen is what is seen today; `npm run transcript` records it anew", async () => {
  expect(skeletonOf(await recordTranscript())).toBe(skeletonOf(shownTranscript()));
});
