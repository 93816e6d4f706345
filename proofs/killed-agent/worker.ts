// One life of the program that is killed: <data folder> <server> <open|resume> <kind> <before|after> <nth>, and how many turns there are in the
// environment. It goes on with the turn that was left, and takes the next ones until there is no more.
import { openSqliteStore } from "@spfunctions/host/store";
import { dyingAt } from "../killed-runtime/live.ts";
import { openAgent } from "./agent.ts";
import { said, sessionId } from "./plan.ts";

const [folder = "", server = "", , kind = ""] = process.argv.slice(2);
const turns = Number(process.env["TURNS"] ?? 1);
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const store = await openSqliteStore({ folder });
const agent = openAgent(kind === "" ? store : dyingAt(store), server);
const session = await agent.open(sessionId);
say({ ready: true });
/* oxlint-disable no-await-in-loop -- one turn after the other */
for (;;) {
  const left = await session.left();
  const { decisions } = (await session.checkpoint()).state;
  if (left === undefined && decisions.length >= turns) break;
  const turn =
    left === undefined
      ? await session.turn(said(decisions.length + 1), { until: "end" })
      : await session.resume({ until: "end" });
  if (turn.status !== "completed") say({ failed: `${turn.runId} came to ${turn.status}` });
}
/* oxlint-enable no-await-in-loop */
await agent.close();
await store.close();
say({ ended: true });
