import { expect, test } from "vitest";
import { awayTold } from "./away-told.ts";

const waiting = "http://127.0.0.1:7700/api/approvals/appr_00000000?waitMs=25000";

/** A platform that answers with these one after the other, and what is said about it. */
function asked(answers: readonly (number | "nothing")[], signal = new AbortController().signal) {
  const said: string[] = [];
  const left = [...answers];
  const send = async () => {
    const next = left.shift();
    if (typeof next !== "number") throw new TypeError("fetch failed");
    return new Response("{}", { status: next });
  };
  return { said, ask: awayTold((text) => said.push(text), signal, send) };
}

const away = "no answer from the platform; it is asked again until it gives one";
const back = "the platform is back";

test("each time it goes away and comes back is said once", async () => {
  const { said, ask } = asked([200, "nothing", 503, "nothing", 200, 200, 502, 404]);
  const came: unknown[] = [];
  for (let at = 0; at < 8; at++) came.push(await ask(waiting, {}).then(({ status }) => status, String));
  const lost = "TypeError: fetch failed";
  expect(came).toStrictEqual([200, lost, 503, lost, 200, 200, 502, 404]);
  expect(said).toStrictEqual([away, back, away, back]);
});

test("of what is asked otherwise, and of what was cancelled, nothing is said", async () => {
  const { said, ask } = asked(["nothing", 500, 500]);
  await expect(ask("http://127.0.0.1:7700/api/notes", { method: "POST" })).rejects.toThrow("fetch failed");
  await ask("http://127.0.0.1:7700/api/approvals/appr_00000000", {});
  await ask("http://127.0.0.1:7700/api/approvals/appr_00000000?waitMs=0", {});
  const cancelled = asked(["nothing"], AbortSignal.abort());
  await expect(cancelled.ask(waiting, {})).rejects.toThrow("fetch failed");
  expect([...said, ...cancelled.said]).toStrictEqual([]);
});
