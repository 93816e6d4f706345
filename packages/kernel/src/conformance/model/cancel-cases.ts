// Whoever gives up is not kept waiting, and nothing is left behind.
import assert from "node:assert/strict";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { inTurn } from "../in-turn.ts";
import {
  askBy,
  failureOf,
  inputOf,
  type ModelCase,
  plainAnswer,
  richAnswer,
  richResult,
  unheardOf,
  ways,
  wireOf,
} from "./model-case.ts";

const wire = ["wire"] as const;

async function assertCancelled(work: Promise<unknown>): Promise<void> {
  const error = await failureOf(work);
  assert.ok(isSimpleFunctionsError(error) && error.code === "cancelled", String(error));
}

export const modelCancelCases: readonly ModelCase[] = [
  {
    name: "whoever has given up before is not asked for",
    run: async ({ adapter, says, wire: provider }) => {
      says(plainAnswer);
      const signal = AbortSignal.abort(new Error("given up"));
      await inTurn(ways, (way) => assertCancelled(askBy(adapter, way, inputOf({ signal }))));
      assert.deepEqual(provider?.asked() ?? [], []);
    },
  },
  {
    name: "giving up while nothing has come, or in the middle, ends the request at once",
    needs: wire,
    run: async (opened) => {
      const { reply, bytesOf, sent, left } = wireOf(opened);
      await inTurn(ways, async (way) => {
        const { bytes } = bytesOf(richAnswer, way);
        await inTurn([0, 1, Math.floor(bytes.length / 2)], async (at) => {
          reply({ pieces: [bytes.subarray(0, at)], ending: "hang" });
          const controller = new AbortController();
          const failing = assertCancelled(askBy(opened.adapter, way, inputOf({ signal: controller.signal })));
          await sent();
          controller.abort();
          await failing;
          await left();
        });
      });
    },
  },
  {
    name: "whoever stops listening to a stream ends the request",
    needs: wire,
    run: async (opened) => {
      const { reply, bytesOf, left } = wireOf(opened);
      const { bytes } = bytesOf(richAnswer, "stream");
      reply({ pieces: [bytes.subarray(0, bytes.length - 20)], ending: "hang" });
      for await (const { type } of opened.adapter.stream?.(inputOf()) ?? []) if (type === "text.delta") break;
      await left();
    },
  },
  {
    name: "giving up after the answer changes nothing",
    run: async ({ adapter, says }) => {
      says(richAnswer);
      await inTurn(ways, async (way) => {
        const controller = new AbortController();
        const answer = await askBy(adapter, way, inputOf({ signal: controller.signal }));
        controller.abort();
        assert.deepEqual(answer, richResult);
      });
    },
  },
  {
    name: "one that gives up takes nothing from another",
    needs: wire,
    run: async (opened) => {
      const { reply, bytesOf, sent } = wireOf(opened);
      const { bytes } = bytesOf(richAnswer, "stream");
      reply({ pieces: [bytes.subarray(0, 50)], ending: "hang" });
      const controller = new AbortController();
      const failing = assertCancelled(
        askBy(opened.adapter, "stream", inputOf({ signal: controller.signal })),
      );
      await sent();
      opened.says(richAnswer);
      const answering = askBy(opened.adapter, "stream");
      controller.abort();
      await failing;
      assert.deepEqual(await answering, richResult);
    },
  },
  {
    name: "a provider that falls silent is not waited for",
    needs: ["wire", "silence"],
    run: async (opened) => {
      const { reply, bytesOf, sent, left, beSilent } = wireOf(opened);
      await inTurn(ways, async (way) => {
        const { bytes } = bytesOf(richAnswer, way);
        await inTurn([0, 40], async (at) => {
          reply({ pieces: [bytes.subarray(0, at)], ending: "hang" });
          const failing = unheardOf(askBy(opened.adapter, way));
          await sent();
          beSilent();
          const error = await failing;
          assert.ok(isSimpleFunctionsError(error) && error.code === "timeout", error.message);
          await left();
        });
      });
    },
  },
];
