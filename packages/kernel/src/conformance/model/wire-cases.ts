// Whatever the places at which an answer is cut: it is whole, or it is none.
import assert from "node:assert/strict";
import { inTurn } from "../in-turn.ts";
import {
  askBy,
  eventsOf,
  failureOf,
  type ModelCase,
  type ModelWire,
  plainAnswer,
  richAnswer,
  richResult,
  unheardOf,
  type Way,
  ways,
  wireOf,
} from "./model-case.ts";

const wire = ["wire"] as const;
const numbersTo = (end: number) => Array.from({ length: end }, (_, index) => index);
/** Of a stream, which is read piece by piece, every third place, by chance another one each time; of an answer that is read as a whole, some. */
function placesTo(end: number, way: Way): number[] {
  const first = Math.floor(Math.random() * 3);
  return numbersTo(end).filter((at) => (way === "stream" ? at % 3 === first : at % 7 === 0));
}

function changed({ bytesOf }: ModelWire, way: Way, change: (text: string) => string): Uint8Array {
  const text = new TextDecoder().decode(bytesOf(plainAnswer, way).bytes);
  assert.notEqual(change(text), text);
  return new TextEncoder().encode(change(text));
}

export const modelWireCases: readonly ModelCase[] = [
  {
    name: "an answer cut in two at any byte is the same answer",
    needs: wire,
    run: async (opened) => {
      const { bytesOf, reply } = wireOf(opened);
      await inTurn(ways, async (way) => {
        const { bytes } = bytesOf(richAnswer, way);
        await inTurn(placesTo(bytes.length, way), async (at) => {
          reply({ pieces: [bytes.subarray(0, at), bytes.subarray(at)] });
          assert.deepEqual(await askBy(opened.adapter, way), richResult, `${way} cut at byte ${at}`);
        });
      });
    },
  },
  {
    name: "an answer that comes one byte at a time is the same answer",
    needs: wire,
    run: async (opened) => {
      const { bytesOf, reply } = wireOf(opened);
      await inTurn(ways, async (way) => {
        const { bytes } = bytesOf(richAnswer, way);
        reply({ pieces: numbersTo(bytes.length).map((at) => bytes.subarray(at, at + 1)) });
        assert.deepEqual(await askBy(opened.adapter, way), richResult);
      });
    },
  },
  {
    name: "an answer that ends too early, at any byte, is a failure and never a short answer",
    needs: ["wire", "end_mark"],
    run: async (opened) => {
      const { bytesOf, reply } = wireOf(opened);
      await inTurn(ways, async (way) => {
        const { bytes, wholeAt } = bytesOf(richAnswer, way);
        await inTurn(placesTo(wholeAt, way), async (at) => {
          reply({ pieces: [bytes.subarray(0, at)] });
          await unheardOf(askBy(opened.adapter, way));
        });
        reply({ pieces: [bytes.subarray(0, wholeAt)] });
        assert.deepEqual(await askBy(opened.adapter, way), richResult);
      });
    },
  },
  {
    name: "an answer whose connection breaks is a failure, wherever it breaks",
    needs: wire,
    run: async (opened) => {
      const { bytesOf, reply } = wireOf(opened);
      await inTurn(ways, async (way) => {
        const { bytes, wholeAt } = bytesOf(richAnswer, way);
        const places = numbersTo(wholeAt).filter((at) => at % 7 === 0);
        await inTurn(places, async (at) => {
          reply({ pieces: [bytes.subarray(0, at)], ending: "break" });
          await unheardOf(askBy(opened.adapter, way));
        });
      });
    },
  },
  {
    name: "what is no UTF-8 is no answer",
    needs: ["wire", "utf8"],
    run: async (opened) => {
      const { bytesOf, reply } = wireOf(opened);
      await inTurn(ways, async (way) => {
        const bytes = Uint8Array.from(bytesOf(richAnswer, way).bytes);
        bytes[bytes.indexOf(0xc3)] = 0xff;
        reply({ pieces: [bytes] });
        await unheardOf(askBy(opened.adapter, way));
      });
    },
  },
  {
    name: "JSON with a key twice is no answer",
    needs: ["wire", "duplicate_keys"],
    run: async (opened) => {
      const provider = wireOf(opened);
      // Also after what a reader may stumble over.
      await inTurn(["", '"n":12345678901234567890,', '"n":1e999,', '"n":"\\ud800",'], async (odd) => {
        await inTurn(ways, async (way) => {
          const twice = `{${odd}"x":1,"x":2,`;
          provider.reply({ pieces: [changed(provider, way, (text) => text.replace("{", twice))] });
          await unheardOf(askBy(opened.adapter, way));
        });
      });
    },
  },
  {
    name: "a page instead of an answer is a failure",
    needs: wire,
    run: async (opened) => {
      const { reply } = wireOf(opened);
      const page = new TextEncoder().encode("<html><body>Welcome</body></html>\n\n");
      reply({ pieces: [page], headers: { "content-type": "text/html" } });
      await inTurn(ways, (way) => failureOf(askBy(opened.adapter, way)));
      reply({ pieces: [] });
      await inTurn(ways, (way) => unheardOf(askBy(opened.adapter, way)));
    },
  },
  {
    name: "an answer larger than its bound is not read to its end",
    needs: ["wire", "bounds"],
    run: async (opened) => {
      const { bytesOf, reply, left, maxAnswerBytes } = wireOf(opened);
      await inTurn(ways, async (way) => {
        const { bytes } = bytesOf({ ...plainAnswer, text: "x".repeat(maxAnswerBytes) }, way);
        reply({ pieces: [bytes], ending: "hang" });
        const { message } = await unheardOf(askBy(opened.adapter, way));
        assert.match(message, new RegExp(`more than ${maxAnswerBytes} bytes`));
        await left();
      });
    },
  },
  {
    name: "comments, empty events and other line ends in a stream change nothing",
    needs: wire,
    run: async (opened) => {
      const { bytesOf, reply } = wireOf(opened);
      const text = new TextDecoder().decode(bytesOf(richAnswer, "stream").bytes);
      const lively = `\uFEFF: connected\n\n${text.replaceAll("\n\n", "\n\n: ping\n\n:\n\nretry: 10\n\n")}`;
      const forms = [lively, lively.replaceAll("\n", "\r\n"), text.replaceAll("\n", "\r\n")];
      await inTurn(forms, async (form) => {
        const bytes = new TextEncoder().encode(form);
        await inTurn(
          [[bytes], numbersTo(bytes.length).map((at) => bytes.subarray(at, at + 1))],
          async (pieces) => {
            reply({ pieces });
            assert.deepEqual((await eventsOf(opened.adapter)).at(-1), { type: "done", result: richResult });
          },
        );
      });
    },
  },
  {
    name: "what a stream says after its end mark is not waited for",
    needs: ["wire", "end_mark"],
    run: async (opened) => {
      const { bytesOf, reply, left } = wireOf(opened);
      reply({ pieces: [bytesOf(richAnswer, "stream").bytes], ending: "hang" });
      assert.deepEqual(await askBy(opened.adapter, "stream"), richResult);
      await left();
    },
  },
];
