import {
  type AgentPolicy,
  parsePolicy,
  policyDigest,
  type PolicyLevel,
  SecretRegistry,
} from "@spfunctions/contracts";
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { levelsOf, openPolicy, order, somebody } from "../../test-data/judge-samples.ts";
import { orderSpec, reachableFrom } from "../../test-data/tool-samples.ts";
import { openInstallation } from "../installation/installation.ts";
import { Seat, type SeatOptions } from "../seat/seat.ts";
import { defineTool } from "../tool/define-tool.ts";
import { confirmMatcher, keptLevels, type KeyHash } from "./kept-policy.ts";

const word = "open sesame 42";
const hashWith =
  (key: string): KeyHash =>
  (text) =>
    createHmac("sha256", key).update(text).digest("hex");
const keyHash = hashWith("one key");
const confirming = (confirmToken?: string): AgentPolicy => ({
  ...openPolicy,
  trade: { ...openPolicy.trade, ...(confirmToken === undefined ? {} : { confirmToken }) },
});
const kept = (policy: AgentPolicy, hash = keyHash, held = new SecretRegistry()): PolicyLevel[] =>
  keptLevels(levelsOf(policy), hash, held);
const keptForm = (given: string) => `hmac-sha256:${keyHash(`simplefunctions confirm v1\n${given}`)}`;
const tokenOf = (levels: readonly PolicyLevel[]) => levels[0]?.policy.trade?.confirmToken;

describe("the word that confirms an order is kept as its keyed hash alone (S1)", () => {
  test("everything else is kept as it was", () => {
    const [level] = kept(confirming(word));
    expect(level).toStrictEqual({
      level: "agent",
      policy: {
        ...parsePolicy(confirming(word)),
        trade: {
          ...parsePolicy(confirming()).trade,
          confirmToken: keptForm(word),
        },
      },
    });
  });

  test("A1: it is hashed as nothing else is: no word gives what an approval, a grant or a key is proven by", () => {
    const { keyHash: hash } = openInstallation(new Uint8Array(32).fill(7));
    const text = 'simplefunctions approval v1\n{"approvalId":"appr_1"}';
    expect(tokenOf(kept(confirming(text), hash))).not.toBe(`hmac-sha256:${hash(text)}`);
  });

  test("it is nowhere in what is kept, which is frozen", () => {
    const levels = kept(confirming(word));
    expect(JSON.stringify(levels)).not.toContain(word);
    for (const part of reachableFrom(levels[0])) expect(Object.isFrozen(part)).toBe(true);
  });

  test("it is held from then on, so that no record and no error shows it", () => {
    const held = new SecretRegistry();
    kept(confirming(word), keyHash, held);
    expect(held.find(`the word is ${word}.`)).toHaveLength(1);
  });

  test("a policy without one, or one that was kept before, is taken as it is", () => {
    const held = new SecretRegistry();
    expect(kept(confirming(), keyHash, held)).toStrictEqual(levelsOf(confirming()));
    expect(kept({}, keyHash, held)).toStrictEqual(levelsOf({}));
    const once = kept(confirming(word));
    expect(keptLevels(once, keyHash, held)).toStrictEqual(once);
    expect(held.size).toBe(0);
  });

  test.each([
    "hmac-sha256:0123",
    `hmac-sha256:${"A".repeat(64)}`,
    `x hmac-sha256:${"a".repeat(64)}`,
    `hmac-sha256:${"a".repeat(64)}\n`,
    "a".repeat(64),
  ])("%j only looks kept", (almost) => {
    expect(tokenOf(kept(confirming(almost)))).toBe(keptForm(almost));
  });
});

const digest = (policy: AgentPolicy, hash = keyHash) => policyDigest(kept(policy, hash));

describe("the digest of a policy", () => {
  test("is the same whether the word or its kept form is given", () => {
    expect(digest(confirming(keptForm(word)))).toBe(digest(confirming(word)));
  });

  test("is another for another word, another key, and none", () => {
    const digests = [
      digest(confirming(word)),
      digest(confirming("close sesame 42")),
      digest(confirming(word), hashWith("another key")),
      digest(confirming()),
    ];
    expect(new Set(digests).size).toBe(4);
  });

  test("says nothing that a list of words could be tried against without the key", () => {
    expect(digest(confirming(word))).not.toBe(policyDigest(levelsOf(confirming(word))));
  });
});

describe("a given word is compared with the kept one", () => {
  const matches = confirmMatcher(keyHash);

  test("and matches when it is that word, under that key", () => {
    expect(matches(word, keptForm(word))).toBe(true);
    expect(confirmMatcher(hashWith("another key"))(word, keptForm(word))).toBe(false);
  });

  test.each([
    ["another word", "open sesame 43"],
    ["its beginning", "open sesame"],
    ["more than it", `${word} `],
    ["other letters", word.toUpperCase()],
    ["nothing", ""],
    ["the kept form itself", `hmac-sha256:${createHmac("sha256", "one key").update(word).digest("hex")}`],
    ["the hash alone", createHmac("sha256", "one key").update(word).digest("hex")],
  ])("%s does not match", (_, given) => {
    expect(matches(given, keptForm(word))).toBe(false);
  });

  test.each([
    "",
    "x",
    word,
    keptForm(word).slice(0, -1),
    `${keptForm(word)}0`,
    keptForm(word).toUpperCase(),
    "é".repeat(76),
  ])("a kept form of another length or letters is no match and no fault: %.12s", (other) => {
    expect(matches(word, other)).toBe(false);
  });
});

describe("at a seat", () => {
  const tool = defineTool(orderSpec({ run: () => ({}), agent: { callable: true } }));
  const installation = openInstallation(new Uint8Array(32).fill(7));
  const seatWith = (policy: AgentPolicy, more: Partial<SeatOptions> = {}) =>
    new Seat({
      packs: [tool],
      levels: [{ level: "agent", policy }],
      principal: somebody,
      origin: "direct",
      surface: "agent",
      installation,
      ...more,
    });
  const confirmed = { ...order, confirm: word };

  test("explain and call ask for it, and neither verdict, digest, error nor trace shows it", async () => {
    const seat = seatWith(confirming(word));
    const refused = seat.explain("orders.place", { ...order, confirm: "a wrong word" });
    expect(refused).toMatchObject({ outcome: "deny", gate: "trade", code: "trade_guardrail" });
    expect(seat.explain("orders.place", confirmed).outcome).toBe("allow");
    const denied = await seat.call({ tool: "orders.place", input: { ...order, confirm: `${word}!` } });
    const placed = await seat.call({ tool: "orders.place", input: confirmed });
    expect([denied.type, placed.type]).toStrictEqual(["refused", "completed"]);
    await seat.close();
    const lines: string[] = [];
    for await (const line of seat.trace()) lines.push(line);
    const shown = [refused, denied, placed, seat.policyDigest, seat.manifest, lines, JSON.stringify(seat)];
    expect(JSON.stringify(shown)).not.toContain(word);
    expect(lines.join("\n")).not.toContain("a wrong word");
  });

  test("the same policy under the same installation has the same digest, under another another", () => {
    const other = openInstallation(new Uint8Array(32).fill(8));
    const first = seatWith(confirming(word)).policyDigest;
    expect(seatWith(confirming(word)).policyDigest).toBe(first);
    expect(seatWith(confirming("close sesame 42")).policyDigest).not.toBe(first);
    expect(seatWith(confirming(word), { installation: other }).policyDigest).not.toBe(first);
  });

  test("a kept policy works where it was kept, and nowhere else", () => {
    const keptPolicy = keptLevels(levelsOf(confirming(word)), installation.keyHash)[0]?.policy ?? {};
    expect(seatWith(keptPolicy).explain("orders.place", confirmed).outcome).toBe("allow");
    const other = openInstallation(new Uint8Array(32).fill(8));
    expect(seatWith(keptPolicy, { installation: other }).explain("orders.place", confirmed).outcome).toBe(
      "deny",
    );
  });
});
