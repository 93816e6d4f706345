// Only what the provider itself refuses is a refusal; what it says is passed on without what it was asked with.
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { inTurn } from "../in-turn.ts";
import {
  askBy,
  failureOf,
  type ModelCase,
  plainAnswer,
  refusalOf,
  unheardOf,
  ways,
  wireOf,
} from "./model-case.ts";

const wire = ["wire"] as const;
const body = (value: unknown) => [new TextEncoder().encode(JSON.stringify(value))];
const words = body({ type: "error", error: { type: "some_error", message: "not now, please" } });

/** Everything that a value shows. */
function shown(value: unknown): string {
  return `${inspect(value, { depth: 20, showHidden: true })}${JSON.stringify(value)}${String(value)}`;
}

const retries = [
  { retry: "after_wait", statuses: [408, 409, 429, 500, 502, 503, 504, 529] },
  { retry: "after_user_action", statuses: [401, 403] },
  { retry: "never", statuses: [400, 404, 413, 422] },
] as const;

export const modelRefusalCases: readonly ModelCase[] = [
  {
    name: "a refusal says its status, the provider's words and whether asking again can help",
    needs: wire,
    run: async (opened) => {
      const { reply } = wireOf(opened);
      await inTurn(ways, (way) =>
        inTurn(retries, ({ retry, statuses }) =>
          inTurn(statuses, async (status) => {
            reply({ status, pieces: words });
            const error = await refusalOf(askBy(opened.adapter, way));
            assert.deepEqual([error.retry, error.details?.["status"]], [retry, status]);
            assert.match(error.message, /not now, please/);
          }),
        ),
      );
    },
  },
  {
    name: "how long a provider wants to be left alone is passed on, as seconds or as a date",
    needs: wire,
    run: async (opened) => {
      const { reply } = wireOf(opened);
      const waitIn = async (after: string | undefined) => {
        reply({
          status: 429,
          pieces: words,
          headers: after === undefined ? {} : { "retry-after": after },
        });
        return (await refusalOf(askBy(opened.adapter, "complete"))).details?.["retryAfterMs"];
      };
      assert.equal(await waitIn("7"), 7000);
      assert.equal(await waitIn("0"), 0);
      assert.equal(await waitIn("soon"), undefined);
      assert.equal(await waitIn("-1"), undefined);
      assert.equal(await waitIn(undefined), undefined);
      const ms = await waitIn(new Date(Date.now() + 60_000).toUTCString());
      assert.ok(typeof ms === "number" && ms > 50_000 && ms <= 60_000, `a minute, and not ${String(ms)}`);
      assert.equal(await waitIn(new Date(0).toUTCString()), 0);
    },
  },
  {
    name: "a refusal without words, with a page, without an end or out of bounds is a refusal all the same",
    needs: wire,
    run: async (opened) => {
      const { reply } = wireOf(opened);
      const page = new TextEncoder().encode(`<html>${"x".repeat(100_000)}</html>`);
      const replies = [
        { pieces: [] },
        { pieces: [page.subarray(0, 200)] },
        { pieces: [page] },
        { pieces: [Uint8Array.of(0xff, 0xfe)] },
        { pieces: body(null) },
        { pieces: body({ error: { message: `${"long ".repeat(10_000)}\n\0` } }) },
      ];
      await inTurn(ways, (way) =>
        inTurn(replies, async (one) => {
          reply({ status: 503, ...one });
          const { retry, message, details } = await refusalOf(askBy(opened.adapter, way));
          assert.deepEqual([retry, details?.["status"]], ["after_wait", 503]);
          assert.ok(message.length < 1000 && !message.includes("<html") && !message.includes("\0"), message);
        }),
      );
    },
  },
  {
    name: "a redirect is not followed",
    needs: ["wire", "redirects"],
    run: async (opened) => {
      const { reply, asked, left } = wireOf(opened);
      await inTurn([301, 302, 303, 307, 308], async (status) => {
        reply({ status, headers: { location: "/elsewhere" }, pieces: words, ending: "hang" });
        const before = asked().length;
        assert.equal((await refusalOf(askBy(opened.adapter, "complete"))).retry, "never");
        assert.equal(asked().length, before + 1);
        await left();
      });
    },
  },
  {
    name: "what the adapter proves itself with is in no error, and in nothing that can be printed",
    needs: wire,
    run: async (opened) => {
      const { reply, secret } = wireOf(opened);
      assert.ok(!shown(opened.adapter).includes(secret), "the adapter shows it");
      const echo = `your key ${secret} (${encodeURIComponent(secret)}, ${btoa(secret)}) is wrong`;
      const replies = [
        { status: 401, pieces: body({ error: { message: echo, type: secret, code: secret } }) },
        { status: 500, pieces: [new TextEncoder().encode(echo)] },
        { status: 400, pieces: [new TextEncoder().encode(`${"x".repeat(490)}${secret}`)] },
        { pieces: [new TextEncoder().encode(echo)] },
        { pieces: body({ error: { message: echo, code: 500 } }) },
        {
          pieces: [
            new TextEncoder().encode(
              `event: error\ndata: {"type":"error","error":{"message":"${secret}"}}\n\n`,
            ),
          ],
        },
        { pieces: [], ending: "break" } as const,
      ];
      await inTurn(ways, (way) =>
        inTurn(replies, async (one) => {
          reply(one);
          const error = await failureOf(askBy(opened.adapter, way));
          const text = `${shown(error)}${(error as Error).stack}`;
          assert.ok(!text.includes(secret.slice(0, 12)), `it is in: ${text}`);
          assert.ok(!text.includes(btoa(secret).slice(0, 16)), `it is in: ${text}`);
        }),
      );
    },
  },
  {
    name: "an answer that repeats what the adapter proves itself with is not taken",
    needs: wire,
    run: async (opened) => {
      const { secret } = wireOf(opened);
      opened.says({ ...plainAnswer, text: `it is ${secret}` });
      await inTurn(ways, (way) => unheardOf(askBy(opened.adapter, way)));
      const call = { id: "call_a", name: "mail_send", args: JSON.stringify({ to: secret }) };
      opened.says({ ...plainAnswer, calls: [call] });
      await inTurn(ways, (way) => unheardOf(askBy(opened.adapter, way)));
    },
  },
];
