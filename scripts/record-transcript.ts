// Records anew what the README shows of the screen: `npm run transcript`.
import { showTranscript } from "./transcript/readme-transcript.ts";
import { recordTranscript } from "./transcript/record-transcript.ts";

showTranscript(await recordTranscript());
