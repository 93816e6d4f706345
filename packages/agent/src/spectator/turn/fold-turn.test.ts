import { canonicalJson, type JsonObject } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { resultsOf } from "./fold-turn.ts";

function shown(output: JsonObject): string | undefined {
  const call = { id: "c1", name: "notes.read", callId: "call_1" };
  const step = { calls: [call], results: [{ callId: "call_1", text: canonicalJson(output) }] };
  return resultsOf(step as never, 10_000)[0]?.text;
}

// nodejs/node#63785: JSON.parse may give an escaped key the name of one that was read before.
test("what a model is shown of an answer has the keys that were recorded", () => {
  expect(shown({ k: 1, "k\\": 2 })).toContain(canonicalJson({ k: 1, "k\\": 2 }));
  expect(shown({ k: 1, "k\n": 2 })).toContain(canonicalJson({ k: 1, "k\n": 2 }));
});
