// Who hears what, from where on, and how many may look at the same time.
import { createMemoryStore, type Store, startOfEvents } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { turn, until } from "../../../kernel/test-data/call-waiting.ts";
import { ask, generous, testPlatform, type TestPlatform } from "../../test-data/test-platform.ts";

const page = "https://app.example.com";
const nobody = "run_00000000-0000-4000-8000-000000000000";

/** A note that is kept, and the run that kept it. */
async function keepNote(here: TestPlatform, key: string, text = "note"): Promise<string> {
  const { body } = await ask(here, "/api/notes", { key, body: { text } });
  return body.meta.receipt?.runId as string;
}

async function stream(here: TestPlatform, path: string, key: string, after?: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, ...(after !== undefined && { "last-event-id": after }) };
  return await here.fetch(new Request(`${here.baseUrl}${path}`, { headers }));
}

type Heard = { readonly id: string; readonly type: string; readonly runId: string };

/** What a stream says up to the end of a run. */
async function hear({ body }: Response, lastRun: string): Promise<Heard[]> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  const heard = () =>
    [...text.matchAll(/^id: (.+)\nevent: (.+)\ndata: (.+)$/gm)].map(([, id = "", type = "", data = ""]) => ({
      id,
      type,
      runId: (JSON.parse(data) as Heard).runId,
    }));
  const isEnough = () => heard().some(({ type, runId }) => type === "run.completed" && runId === lastRun);
  while (!isEnough()) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return heard();
}

const runsIn = (heard: readonly Heard[]) => [...new Set(heard.map(({ runId }) => runId))];

describe("a token", () => {
  test.each(["/api/events", "/api/events?after=start", "/api/events?nothing=1", "/api/runs/RUN/events"])(
    "I1: hears nothing on %s, not even what it did itself, and is told where to hear that",
    async (path) => {
      const here = await testPlatform("embedded", { allowedOrigins: [page] });
      const key = await here.key("acct_1", { scopes: ["read", "write", "admin"] });
      const made = await ask(here, "/api/tokens", { key, body: { origin: page, scopes: ["read", "write"] } });
      const { token } = (made.body.ok ? made.body.data : {}) as { token: string };
      const headers = { origin: page };
      const own = await ask(here, "/api/notes", { key: token, headers, body: { text: "mine" } });
      const runId = own.body.meta.receipt?.runId as string;
      const answer = await ask(here, path.replace("RUN", runId), { key: token, headers });
      expect([answer.status, answer.body]).toStrictEqual([
        403,
        {
          ok: false,
          error: {
            code: "forbidden",
            status: 403,
            message:
              "event streams are for keys; a page or a run gets a call's own events with Accept: text/event-stream on the tool's route",
            details: { reason: "token_stream" },
          },
          meta: { requestId: expect.stringMatching(/^req_/) },
        },
      ]);
      expect(here.platform.refused()).toMatchObject({ token_stream: 1 });
      const live = await here.fetch(
        new Request("http://localhost/api/notes", {
          method: "POST",
          headers: {
            ...headers,
            authorization: `Bearer ${token}`,
            accept: "text/event-stream",
            "content-type": "application/json",
          },
          body: "{}",
        }),
      );
      expect(await live.text()).toMatch(/event: run\.completed\n[\s\S]*event: answer\n/);
    },
  );
});

describe("an admin", () => {
  test("hears the whole account; one that is bounded to some tools, and any other key, only itself", async () => {
    const here = await testPlatform();
    const writer = await here.key("acct_1");
    const scopes = ["read", "write", "admin"] as const;
    const admin = await here.key("acct_1", { scopes: [...scopes] });
    const bounded = await here.key("acct_1", { scopes: [...scopes], allowTools: ["notes.*"] });
    const wider = await here.key("acct_1", { scopes: [...scopes], allowTools: ["notes.*", "keys.*"] });
    const runs: string[] = [];
    for (const key of [writer, admin, bounded, wider]) {
      runs.push(await keepNote(here, key));
    }
    const heard: string[][] = [];
    for (const [at, key] of [writer, admin, bounded, wider].entries()) {
      const last = key === admin ? runs[3] : runs[at];
      heard.push(runsIn(await hear(await stream(here, "/api/events", key, startOfEvents), last ?? "")));
    }
    expect(heard).toStrictEqual([[runs[0]], expect.arrayContaining(runs), [runs[2]], [runs[3]]]);
    const statuses: number[] = [];
    for (const key of [writer, admin, bounded, wider]) {
      const answer = await stream(here, `/api/runs/${runs[0]}/events`, key);
      statuses.push(answer.status);
      await answer.body?.cancel();
    }
    expect(statuses).toStrictEqual([200, 200, 404, 404]);
  });
});

describe("a run", () => {
  test("that never was, or is another key's, is not there with a cursor as it is not without one", async () => {
    const here = await testPlatform();
    const [key, other] = [await here.key("acct_1"), await here.key("acct_1")];
    const own = await keepNote(here, key);
    const anothers = await keepNote(here, other);
    const cursors = (await hear(await stream(here, "/api/events", key, startOfEvents), own)).map(
      ({ id }) => id,
    );
    const said = new Set<string>();
    for (const runId of [nobody, anothers, "run_x", "nothing"]) {
      for (const after of [undefined, "", startOfEvents, cursors[0], cursors.at(-1)]) {
        const answer = await stream(here, `/api/runs/${runId}/events`, key, after);
        said.add(`${answer.status} ${(await answer.text()).replace(/req_[\w-]+/, "")}`);
      }
    }
    expect([...said]).toStrictEqual([expect.stringMatching(/^404 .*"not_found".*there is no such run/)]);
  });

  test("that was goes on after its cursor, in the header or the query, and is over after its last", async () => {
    const here = await testPlatform("embedded", {
      limits: { ...generous, runLookbackSegments: 1, calls: { segmentRecords: 3 } },
    });
    const key = await here.key("acct_1");
    const runId = await keepNote(here, key);
    const path = `/api/runs/${runId}/events`;
    const whole = await hear(await stream(here, path, key), runId);
    expect(runsIn(whole)).toStrictEqual([runId]);
    // Others push it out of what is looked through without a cursor.
    for (let n = 0; n < 4; n++) {
      await keepNote(here, key, `${n}`);
    }
    expect((await stream(here, path, key)).status).toBe(404);
    for (const [at, { id }] of whole.slice(0, -1).entries()) {
      expect(await hear(await stream(here, path, key, id), runId)).toStrictEqual(whole.slice(at + 1));
      const byQuery = `${path}?after=${encodeURIComponent(id)}`;
      expect(await hear(await stream(here, byQuery, key), runId)).toStrictEqual(whole.slice(at + 1));
    }
    expect((await stream(here, path, key, whole.at(-1)?.id)).status).toBe(204);
    expect((await stream(here, path, key, "nowhere")).status).toBe(400);
  });
});

/** A store whose segments are read when they are let, and how many reads wait for that. */
function gatedStore() {
  const inner = createMemoryStore();
  const gate = { isShut: false, waiting: [] as (() => void)[], most: 0 };
  const store = new Proxy<Store>(inner, {
    get: (target, name) => {
      const member = target[name as keyof Store] as (...given: unknown[]) => unknown;
      if (name !== "readStream") return member.bind(target);
      return async (...given: unknown[]) => {
        if (gate.isShut) {
          await new Promise<void>((resolve) => {
            gate.most = Math.max(gate.most, gate.waiting.push(resolve));
          });
        }
        return await member.apply(target, given);
      };
    },
  });
  return { store, gate };
}

describe("a key that asks for much at once", () => {
  test.each([`/api/runs/${nobody}/events`, "/api/events?after=start", "/api/runs/OWN/events"])(
    "has a few looked up at a time on %s, and another key need not wait for the rest",
    async (path) => {
      const { store, gate } = gatedStore();
      const here = await testPlatform("embedded", { store });
      const [busy, other] = [await here.key("acct_1"), await here.key("acct_2")];
      const own = await keepNote(here, busy);
      await keepNote(here, other);
      gate.isShut = true;
      const many = Array.from({ length: 12 }, () => stream(here, path.replace("OWN", own), busy));
      await until(() => gate.waiting.length === 2);
      for (let turns = 0; turns < 20; turns++) {
        await turn();
      }
      expect(gate.waiting).toHaveLength(2);
      const beside = stream(here, `/api/runs/${nobody}/events`, other);
      await until(() => gate.waiting.length === 3);
      gate.isShut = false;
      for (const letGo of gate.waiting.splice(0)) letGo();
      const answers = await Promise.all([...many, beside]);
      const status = path.includes(nobody) ? 404 : 200;
      expect(answers.map((answer) => answer.status)).toStrictEqual([
        ...Array.from({ length: 12 }, () => status),
        404,
      ]);
      expect(gate.most).toBe(3);
      await Promise.all(answers.map(async ({ body }) => await body?.cancel()));
    },
  );

  test("and leaves before its turn has nothing read for it", async () => {
    const { store, gate } = gatedStore();
    const here = await testPlatform("embedded", { store });
    const key = await here.key("acct_1");
    await keepNote(here, key);
    gate.isShut = true;
    const leaving = new AbortController();
    const many = Array.from({ length: 12 }, async () => {
      const headers = { authorization: `Bearer ${key}` };
      const { signal } = leaving;
      return await here.fetch(new Request("http://localhost/api/events?after=start", { headers, signal }));
    });
    await until(() => gate.waiting.length === 2);
    leaving.abort();
    let reads = 0;
    while (gate.waiting.length > 0) {
      reads += gate.waiting.length;
      for (const letGo of gate.waiting.splice(0)) letGo();
      for (let turns = 0; turns < 10; turns++) await turn();
    }
    const ends = await Promise.all((await Promise.all(many)).map((answer) => answer.text()));
    expect(ends).toStrictEqual(Array.from({ length: 12 }, () => ""));
    // The two that had begun read on to the end of their page: one segment and where it may go on.
    expect(reads).toBeLessThanOrEqual(4);
  });
});
