// What a start should be told before it is needed: which of the platform's own administration its law shuts out.
import type { AgentPolicy } from "@spfunctions/contracts";
import { describedTool, Seat } from "@spfunctions/kernel";
import type { FirstKey } from "@spfunctions/server";
import type { CommandContext } from "../command-line/command-context.ts";
import { isAccepted } from "../doctor/key-checks.ts";
import { operatorOf } from "../seat/caller.ts";
import type { LocalPlatform } from "./open-local-platform.ts";

type Terms = { readonly policy: AgentPolicy | undefined; readonly account: string; readonly isJson: boolean };

/** Says, before it is up, what nobody can administer there while it is, and how it is done all the same. */
export async function sayWhatIsClosed(
  { platform, url, keys }: LocalPlatform,
  { policy, account, isJson }: Terms,
  { io, print }: CommandContext,
): Promise<void> {
  const say = isJson ? print.err : print.out;
  const closed = policy === undefined ? undefined : closedKeys(platform, policy, account);
  const ended = await endedKey(url, keys, io);
  for (const text of [closed, ended])
    if (text !== undefined) say({ text: "warning", style: "yellow" }, `: ${text}`);
}

const stopped =
  "with this platform stopped, sf keys revoke <id> --yes in its folder does, under the key's own law alone";

/** One governed path: what the policy says holds for the operator's key like for any other. */
function closedKeys(
  { manifest }: LocalPlatform["platform"],
  policy: AgentPolicy,
  account: string,
): string | undefined {
  const own = manifest.tools.filter(
    ({ name, sideEffect }) => name.startsWith("keys.") && sideEffect === "secret",
  );
  const seat = new Seat({
    packs: [own.map((contract) => describedTool(contract))],
    levels: [{ level: "server", policy }],
    principal: { ...operatorOf(account), kind: "key" },
    origin: "direct",
    surface: "plain",
    inspects: true,
  });
  const denied = own
    .map(({ name }) => ({ name, verdict: seat.explain(name) }))
    .filter(({ verdict }) => verdict.outcome === "deny");
  const [first] = denied;
  if (first !== undefined) {
    const { reason, remedy } = first.verdict;
    const how = remedy === undefined ? "" : `; ${remedy}`;
    const which = denied.map(({ name }) => name).join(", ");
    return `under this policy no key, not even the operator's, can do ${which} while it is up (${reason}${how}). A leaked key can then be revoked only so: ${stopped}`;
  }
  // Whether a person is asked is said of a call alone. Who calls is not asked here, so that its outcome stays unchecked.
  const { code } = seat.explain("keys.revoke", { keyId: "key_00000000" });
  if (code !== "approval_required") return undefined;
  return `under this policy a person must approve what manages keys, and the key that asks does not answer: it takes another key with the scope admin that does not come from it, such as one that sf keys create makes in its folder with this platform stopped. Without one, ${stopped}`;
}

/** A file that was there before may hold a key that is none any more. */
async function endedKey(
  url: string,
  keys: readonly FirstKey[],
  io: CommandContext["io"],
): Promise<string | undefined> {
  const operator = keys.find(({ role, isNew }) => role === "operator" && !isNew);
  if (operator === undefined || (await isAccepted(url, operator.secret, io).catch(() => true)))
    return undefined;
  return `the operator key in ${operator.path} is not accepted any more: it was revoked or has expired. Remove that file, and the next start makes another`;
}
