// A process that is stopped between the moment at which it knows that an intent is written and the start of the tool:
// node stopped-process.ts <database> <file> <run or call>. It says what it knows on stdout, and ends when its stdin ends.
import { writeSync } from "node:fs";
import { finished } from "node:stream/promises";
import { govern } from "@spfunctions/agent";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { openPostgresStore } from "@spfunctions/host/store";
import { Runs } from "@spfunctions/kernel";
import { lease, mailOf, policy, principal, runsOf } from "./stopped-mail.ts";

const [url = "", file = "", kind = ""] = process.argv.slice(2);
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);

const store = await openPostgresStore({ url, ...lease });
const commit = store.commit.bind(store);
store.commit = async (unit) => {
  const result = await commit(unit);
  const isIntent = unit.appends?.some(({ records }) =>
    records.some(({ text }) => text.includes('"kind":"call.intended"')),
  );
  if (isIntent === true) {
    say({ stopping: true });
    process.kill(process.pid, "SIGSTOP");
  }
  return result;
};

if (kind === "run") {
  const runs = new Runs({ ...runsOf("stopped", file), store });
  const { runId } = await runs.start({ objective: "write" });
  say({ runId });
  await finished(process.stdin.resume());
  await runs.close();
} else {
  const office = govern({ packs: [mailOf("stopped", file)], policy, principal, store });
  const told = await office.call("mail.send", { to: "anna" }, { idempotencyKey: "once" }).then(
    () => "it went well",
    (error: unknown) => (isSimpleFunctionsError(error) ? error.code : String(error)),
  );
  say({ told });
  await finished(process.stdin.resume());
  await office.close();
}
await store.close();
say({ ended: true });
