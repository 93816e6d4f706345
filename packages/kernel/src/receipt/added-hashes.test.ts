// A receipt has the hash of an input that was looked at and of an output that was given, and of nothing else: one that claims
// more, or less, than its trace is caught.
import { hashText, type Receipt } from "@spfunctions/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { type Desk, openDesk, traceOf, receiptOf } from "../../test-data/call-desk.ts";
import { type Fate, fates, meet, openBook } from "../../test-data/call-journal.ts";
import { readTrace, type Trace } from "../trace/read-trace.ts";
import { verifyReceipt } from "./verify-receipt.ts";

const hashes = ["inputHash", "outputHash"] as const;
const anything = hashText("anything");

/** What a trace says about a receipt. */
function traceCheck(receipt: Receipt, trace: Trace): string {
  const { checks } = verifyReceipt(receipt, { trace });
  const { result, detail } = checks.find(({ check }) => check === "trace") ?? {};
  return result === "failed" ? `failed: ${detail}` : `${result}`;
}

function without(receipt: Receipt, field: keyof Receipt): Receipt {
  const { [field]: _, ...rest } = receipt;
  return rest as Receipt;
}

async function sealed({ seat }: Desk): Promise<Trace> {
  await seat.close();
  return await readTrace(await traceOf(seat));
}

/** Which of the two hashes the receipt of a call has that came to this. */
const has: Readonly<Record<Fate, readonly (typeof hashes)[number][]>> = {
  done: ["inputHash", "outputHash"],
  read: ["inputHash", "outputHash"],
  "paid read": ["inputHash", "outputHash"],
  refused: ["inputHash"],
  "unknown tool": [],
  "bad input": ["inputHash"],
  failed: ["inputHash"],
  "failed read": ["inputHash"],
  late: ["inputHash"],
  "timed out": ["inputHash"],
  cancelled: ["inputHash"],
  unknown: ["inputHash"],
  resolved: ["inputHash"],
  withheld: ["inputHash"],
  "invalid output": ["inputHash"],
  secret: ["inputHash", "outputHash"],
  repeated: ["inputHash", "outputHash"],
  approved: ["inputHash", "outputHash"],
  denied: ["inputHash"],
  asked: ["inputHash"],
};

describe("what a receipt claims of its payloads is held against its trace, of a call that was", () => {
  const receipts = new Map<Fate, Receipt>();
  let trace: Trace;
  beforeAll(async () => {
    const book = openBook();
    for (const [n, fate] of fates.entries()) {
      const keeping: Desk = {
        ...book,
        call: async (request) => {
          const outcome = await book.call(request);
          receipts.set(fate, receiptOf(outcome));
          return outcome;
        },
      };
      await meet(keeping, fate, n);
    }
    trace = await sealed(book);
  });

  test.each(fates)("%s", (fate) => {
    const receipt = receipts.get(fate) as Receipt;
    expect(hashes.filter((field) => field in receipt)).toStrictEqual(has[fate]);
    expect(traceCheck(receipt, trace)).toBe("passed");
    for (const field of hashes) {
      const otherwise = `failed: the trace says otherwise about ${field}`;
      expect(traceCheck({ ...receipt, [field]: anything }, trace)).toBe(otherwise);
      const less = traceCheck(without(receipt, field), trace);
      expect([field, less]).toStrictEqual([field, has[fate].includes(field) ? otherwise : "passed"]);
    }
  });
});

/** A desk whose host withholds what says so, one call on it, and its trace once the call's payloads are erased. */
async function erased(fate: Fate): Promise<{ readonly receipt: Receipt; readonly trace: Trace }> {
  const book = openBook();
  let receipt: Receipt | undefined;
  const keeping: Desk = {
    ...book,
    call: async (request) => {
      const outcome = await book.call(request);
      receipt ??= receiptOf(outcome);
      return outcome;
    },
  };
  await meet(keeping, fate, 1);
  if (receipt === undefined) throw new Error("there is no receipt");
  await book.seat.erase(receipt.callId);
  return { receipt, trace: await sealed(book) };
}

describe("hashes of erased payloads are the receipt's word alone,", () => {
  test.each(["done", "read", "paid read", "secret"] as const)(
    "of an answer that was given: %s",
    async (fate) => {
      const { receipt, trace } = await erased(fate);
      for (const field of hashes) {
        for (const one of [receipt, { ...receipt, [field]: anything }, without(receipt, field)])
          expect(traceCheck(one, trace)).toBe("not_checked");
      }
    },
  );

  test.each(["failed", "failed read", "late", "timed out", "withheld", "invalid output", "unknown"] as const)(
    "but an output that was given to nobody has none, erased or not: %s",
    async (fate) => {
      const { receipt, trace } = await erased(fate);
      expect(traceCheck(receipt, trace)).toBe("not_checked");
      expect(traceCheck({ ...receipt, inputHash: anything }, trace)).toBe("not_checked");
      expect(traceCheck({ ...receipt, outputHash: anything }, trace)).toBe(
        "failed: the trace says otherwise about outputHash",
      );
    },
  );

  test("which ones is said, and that they were not compared", async () => {
    const { receipt, trace } = await erased("done");
    const { status, checks } = verifyReceipt(receipt, { trace });
    expect([status, checks.find(({ check }) => check === "trace")?.detail]).toStrictEqual([
      "consistent",
      `record ${receipt.seq} of the trace says the same, but inputHash and outputHash cannot be compared: the payloads are not in it`,
    ]);
    const failed = await erased("failed");
    expect(verifyReceipt(failed.receipt, failed).checks[2]?.detail).toBe(
      `record ${failed.receipt.seq} of the trace says the same, but inputHash cannot be compared: the payload is not in it`,
    );
  });

  test("and nothing else about the call is", async () => {
    const { receipt, trace } = await erased("done");
    const lies = {
      tool: "notes.read",
      seq: receipt.seq - 1,
      hash: anything,
      spent: {},
      traceId: "f".repeat(32),
    };
    for (const [field, lie] of Object.entries(lies)) {
      expect(traceCheck({ ...receipt, [field]: lie }, trace)).toBe(
        `failed: the trace says otherwise about ${field}`,
      );
    }
  });
});

test("a key that comes again to a policy that now withholds gets a receipt that its trace bears out", async () => {
  let outcome: "allow" | "deny" = "allow";
  const desk = openDesk({ evaluatePostTool: () => ({ outcome }) });
  const request = { tool: "notes.write", input: { n: 1 }, idempotencyKey: "k" };
  const first = receiptOf(await desk.call(request));
  outcome = "deny";
  const again = await desk.call(request);
  expect(again).toMatchObject({ type: "failed", error: { code: "policy_denied" } });
  const trace = await sealed(desk);
  expect(traceCheck(first, trace)).toBe("passed");
  expect(traceCheck(receiptOf(again), trace)).toBe("passed");
});
