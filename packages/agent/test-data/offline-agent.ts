// A process without a key and without a network, which replays what it is sent: for each call, what came of it. Whatever reaches for
// the network is told to its parent.
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import dns from "node:dns";
import net from "node:net";
import { SimpleFunctionsAgent } from "@spfunctions/agent";

export type Asked = {
  readonly replay: readonly string[];
  readonly calls: readonly (readonly [string, unknown])[];
};
export type Told = { readonly answers: readonly unknown[]; readonly reached: readonly string[] };

const reached: string[] = [];
const refuse = (what: string) => () => {
  reached.push(what);
  throw new Error(`${what} is blocked`);
};
net.Socket.prototype.connect = refuse("connect");
dns.lookup = refuse("lookup") as unknown as typeof dns.lookup;
globalThis.fetch = refuse("fetch");

process.once("message", (asked) => void replayAll(asked as Asked));

async function replayAll({ replay, calls }: Asked): Promise<void> {
  const agent = new SimpleFunctionsAgent({
    mode: "replayOnly",
    replay,
    policy: { maxSideEffect: "user_write" },
  });
  const answers: unknown[] = [];
  for (const [tool, input] of calls) {
    try {
      const { output, callId, matchedBy } = await agent.call(tool, input);
      answers.push({ output, callId, matchedBy });
    } catch (error) {
      answers.push(isSimpleFunctionsError(error) ? error.code : String(error));
    }
  }
  await agent.close();
  process.send?.({ answers, reached } satisfies Told, () => process.exit());
}
