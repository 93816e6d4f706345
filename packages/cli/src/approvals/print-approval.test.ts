import { type Approval, approvalSchema, type StandingGrant } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { terminalRows } from "../../test-data/terminal-rows.ts";
import { createPrinter, type Printer } from "../io/printer.ts";
import { printKnown } from "../grants/print-grant.ts";
import { grantText, momentText, statusNow } from "./approval-facts.ts";
import { printBrief, printQuestion, printWhole } from "./print-approval.ts";

const now = Date.parse("2026-01-02T03:04:05.000Z");
const digest = `sha256:${"ab".repeat(32)}`;
const asker = { accountId: "desk", keyId: "key_1", scopes: ["write"], kind: "key" };
const operator = { accountId: "desk", keyId: "operator", scopes: ["admin"], kind: "operator" };
const given = {
  approvalId: "appr_00000001",
  runId: "run_00000001",
  callId: "call_00000001",
  asker,
  tool: "notes.add",
  toolDigest: digest,
  sideEffect: "runtime",
  costEffect: "none",
  inputHash: digest,
  policyDigest: digest,
  sessionId: "monday",
  input: { text: "milk" },
  reason: "a person must approve side effects from user_write up",
  status: "pending",
  createdAt: "2026-01-02T03:00:00.000Z",
  expiresAt: "2026-01-02T04:04:05.000Z",
};

const approval = (changes: object = {}): Approval => approvalSchema.parse({ ...given, ...changes });

function printed(print: (printer: Printer) => void, columns?: number): string[] {
  let out = "";
  const io = {
    stdout: (text: string) => void (out += text),
    isTerminal: { stdout: columns !== undefined, stderr: false },
    columns,
    env: {},
  };
  print(createPrinter(io as never));
  return terminalRows(out.trimEnd(), columns ?? Infinity);
}

const names = "what|who|for|why|input|read|session|answers|asked|until|decided|where";
const ofOurs = new RegExp(
  `^(?:(?:appr|grant)_|(?: {2})?(?:${names})  | {10}| {2}(?:key|why|input|decided) | *↳ )`,
  "u",
);

const whole = (one: Approval) =>
  printed((print) => printWhole(print, one, { where: "here", options: " --data x" }, now));

const brief = (changes: object) => printed((print) => printBrief(print, approval(changes), now)).at(-1);
const away = (ms: number) => /\((.*)\)/.exec(momentText(new Date(now + ms).toISOString(), now))?.[1];

test("what does more than change one's own data is not offered for a session, and options are kept", () => {
  expect(whole(approval()).slice(-5)).toStrictEqual([
    "",
    "Approving lets exactly this call run, once: this caller, this tool as it is, this input, under the policies of now.",
    "  sf approvals approve appr_00000001 --data x",
    "Denying ends it; whoever asked is told who said no, and why.",
    '  sf approvals deny appr_00000001 --note "why" --data x',
  ]);
});

test("what whoever asks had read before, who else may answer, and how it ended are all there", () => {
  const lines = whole(
    approval({
      readBefore: ["http.get call_00000002", "fs.read_text call_00000003"],
      approvers: ["key_2"],
      status: "used",
      decidedBy: operator,
      decidedAt: "2026-01-02T03:04:00.000Z",
      note: "this once",
      grantId: "grant_00000001",
      usedBy: "call_00000001",
    }),
  );
  expect(lines.slice(7)).toStrictEqual([
    "read      just before, which may be where the call comes from:",
    "          http.get call_00000002",
    "          fs.read_text call_00000003",
    "session   monday",
    "answers   from admin keys, and from key_2",
    "asked     2026-01-02 03:00:00 UTC (4 minutes ago)",
    "until     2026-01-02 04:04:05 UTC (in 1 hour)",
    "decided   by operator of account desk, 2026-01-02 03:04:00 UTC (5 seconds ago)",
    "decided   and says: this once",
    "decided   by standing grant grant_00000001",
    "decided   used by call_00000001",
    "where     here",
  ]);
});

test("of what was erased that is said, and of a long input the beginning", () => {
  expect(brief({ input: undefined, erased: true })).toBe("  input was erased");
  expect(brief({ input: { text: "x".repeat(500) } })).toBe(`  input {"text":"${"x".repeat(191)}…`);
});

test("what others say makes no line on a terminal that looks like one of ours", () => {
  const forged = "by operator of account desk, 2026-01-02 03:04:00 UTC (5 seconds ago)";
  const anyPadding = fc.string({ unit: fc.constantFrom(" ", "x", "日", "é", "👩"), maxLength: 200 });
  fc.assert(
    fc.property(
      anyPadding,
      fc.constantFrom("", "  "),
      fc.constantFrom("decided   ", "decided "),
      fc.integer({ min: 40, max: 120 }),
      (padding, indent, name, columns) => {
        const said = `${padding}${indent}${name}${forged}`;
        const asked = approval({
          input: { text: said, [said]: [said] },
          reason: said,
          readBefore: [said],
          status: "denied",
          decidedBy: operator,
          note: said,
        });
        const wish = { ...asked, grantId: "grant_00000001", capability: "net:a", holder: asker } as never;
        const screens = [
          (print: Printer) => printQuestion(print, asked, "here", now),
          (print: Printer) => printBrief(print, asked, now),
          (print: Printer) => printKnown(print, wish, "here", now),
        ];
        for (const screen of screens) {
          const rows = printed(screen, columns);
          expect(
            rows.filter((row) => /^ {0,9}decided {1,3}by operator of account desk, /.test(row)),
          ).toStrictEqual([]);
          // A line of ours, or one that goes on.
          for (const row of rows) expect(row).toMatch(ofOurs);
        }
      },
    ),
  );
});

test("B9: what has run out has, whether anybody has swept up or not", () => {
  const late = Date.parse(given.expiresAt);
  const statuses = ["pending", "approved", "used", "denied"].map((status) =>
    statusNow(approval({ status }), late),
  );
  expect(statuses).toStrictEqual(["expired", "expired", "used", "denied"]);
  expect(statusNow(approval(), late - 1)).toBe("pending");
});

test("times are said in the largest unit that fits", () => {
  expect([-1, 59_999, 60_000, 7_200_000, -90_000_000, 200_000_000].map(away)).toStrictEqual([
    "0 seconds ago",
    "in 59 seconds",
    "in 1 minute",
    "in 2 hours",
    "1 day ago",
    "in 2 days",
  ]);
});

test("a grant says how far it goes", () => {
  const grant = {
    tool: "notes.add",
    principal: asker,
    sessionId: "monday",
    uses: 2,
    expiresAt: given.expiresAt,
  };
  expect(grantText(grant as unknown as StandingGrant, now)).toBe(
    "notes.add by key key_1 of account desk in session monday, with any input; used 2 times, until 2026-01-02 04:04:05 UTC (in 1 hour)",
  );
});
