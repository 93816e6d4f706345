import { expect, test } from "vitest";
import { shownTranscript } from "../scripts/transcript/readme-transcript.ts";
import { recordTranscript, skeletonOf } from "../scripts/transcript/record-transcript.ts";
import { sfProgram, withPackages } from "./installed/start-installed.ts";

test("what the README shows of the screen is what is seen today; `npm run transcript` records it anew", async () => {
  expect(skeletonOf(await recordTranscript([...withPackages, sfProgram]))).toBe(
    skeletonOf(shownTranscript()),
  );
});
