// What is typed here is an operator's word.
import { capabilityGrantIdSchema, capabilityReach } from "@spfunctions/contracts";
import type { GrantTerms } from "@spfunctions/kernel";
import { durationIn } from "../../command-line/duration.ts";
import { printKnown } from "../../grants/print-grant.ts";
import { answeredText, grantWords } from "../ask-capability.ts";
import { BadWords, type SlashCommand, wordsOf } from "./slash-command.ts";

const grants: SlashCommand = {
  name: "grants",
  about: "what it may reach on the network, and what it has asked for",
  run: async (_, { chat: { session }, print, where }) => {
    const { granted, pending } = await session.grants();
    if (granted.length + pending.length === 0)
      return print.out("none: nothing is granted, and nothing is asked for");
    for (const grant of [...pending, ...granted]) {
      printKnown(print, grant, where, Date.now());
      print.out(
        grant.status === "pending"
          ? `  to grant it: /grant ${grant.capability} [once|session|1h]; to deny it: /revoke ${grant.grantId}`
          : `  to end it: /revoke ${grant.grantId}`,
      );
    }
  },
};

const grantTakes = "/grant <net:host> [once|session|1h]";

const grant: SlashCommand = {
  name: "grant",
  takes: "<capability> [once|session|1h]",
  about: "let this session reach something: net:<host>, net:*.<host> or net; once unless given",
  run: async (rest, { chat: { session, operator }, print }) => {
    const [named, how = "once"] = wordsOf(rest, 2, grantTakes);
    if (named === undefined) throw new BadWords(grantTakes);
    const { pending } = await session.grants();
    const asked = pending.find(({ grantId, capability }) => grantId === named || capability === named);
    if (asked === undefined && capabilityReach(named) === undefined)
      throw new BadWords(
        "that is no capability: expected net, net:<host> or net:*.<host>, a host by its exact name in lower case",
      );
    const terms = termsOf(how);
    const given =
      asked === undefined
        ? await operator.capabilities.grant(named, { ...terms, sessionId: session.id })
        : await operator.capabilities.grant(asked.grantId, terms);
    print.out(answeredText(given));
    print.out(`  to end it: /revoke ${given.grantId}`);
  },
};

/** Never beyond this session. */
function termsOf(how: string): GrantTerms {
  if (how === "once" || how === "session" || how === "hour") return grantWords[how];
  const forMs = durationIn(how);
  if (forMs === undefined || forMs === 0) throw new BadWords(grantTakes);
  return { scope: "session", forMs };
}

const revoke: SlashCommand = {
  name: "revoke",
  takes: "<id>",
  about: "end a grant, or deny what is asked for",
  run: async (rest, { chat: { session, operator }, print }) => {
    const [id] = wordsOf(rest, 1, "/revoke <id>");
    if (id === undefined || !capabilityGrantIdSchema.safeParse(id).success)
      throw new BadWords("/revoke <id>: cap_ and all that follows, as /grants lists it");
    const { pending } = await session.grants();
    const isAsked = pending.some(({ grantId }) => grantId === id);
    const { capabilities } = operator;
    print.out(answeredText(isAsked ? await capabilities.deny(id) : await capabilities.revoke(id)));
  },
};

export const grantCommands: readonly SlashCommand[] = [grants, grant, revoke];
