// One governed call, and its five answers. Exits non-zero when one of them does not hold.
import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { govern } from "@spfunctions/agent";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import {
  newInstallationSecret,
  openInstallation,
  openReplay,
  readTrace,
  verifyReceipt,
} from "@spfunctions/kernel";
import pack from "./orders-pack.ts";

const folder = mkdtempSync(join(tmpdir(), "simplefunctions-example-"));
const store = await openSqliteStore({ folder });
const installation = openInstallation(newInstallationSecret());
const principal = {
  accountId: "corner-shop",
  keyId: "till-1",
  scopes: ["read", "write"],
  kind: "local",
} as const;
const lines: string[] = [];
const shop = govern({
  packs: [pack],
  policy: { maxSideEffect: "user_write", maxCostEffect: "api_cost" },
  principal,
  store,
  installation,
  trace: (line) => void lines.push(line),
});

const input = { article: "apples", count: 24, login: "sf_live_c0rnerSh0pc0rnerSh0pc0rnerSh0p" };
const { output, receipt } = await shop.call("stock.order", input, {
  idempotencyKey: "monday",
  signReceipt: true,
});
console.log("stock.order answered", output, "\n");

console.log(
  "1. Who?         ",
  `${receipt.principal.accountId}, as ${receipt.principal.keyId}, ${receipt.origin}`,
);
console.log("2. What exactly?", `${receipt.tool} ${receipt.toolDigest?.slice(0, 23)}…`);
console.log(
  "3. May it?      ",
  `${receipt.verdict.outcome}: ${receipt.verdict.gates.filter(({ result }) => result === "passed").length} gates passed, none stopped it`,
);
console.log("4. Price, risk? ", `${receipt.costEffect}, ${receipt.sideEffect}`);
console.log(
  "5. Proof?       ",
  `record ${receipt.seq}, ${receipt.hash.slice(0, 23)}…, signed by ${receipt.signature?.keyId}\n`,
);

// Again with the same key: the recorded answer, and nothing is ordered twice.
const again = await shop.call("stock.order", input, { idempotencyKey: "monday" });
assert.equal(again.replayed, true);
assert.equal((await shop.tools.stock.read({ article: "apples" })).output.count, 12 + 24);
console.log("The same key again answers from the journal; the shelf has 36, not 60.");

// What the policy does not allow does not run, and says what would have allowed it.
const careful = govern({ packs: [pack], policy: {}, principal });
const refusal = await careful.call("stock.order", input).catch((error: unknown) => error);
assert.ok(isSimpleFunctionsError(refusal) && refusal.code === "policy_denied");
console.log(refusal.message, "\n");

await shop.close();
await store.close();
rmSync(folder, { recursive: true });

// The trace proves itself, without the login, and replays with nothing behind it.
const text = lines.join("\n");
const trace = await readTrace(text);
assert.equal(trace.verification.status, "ok");
assert.ok(!text.includes("sf_live_"));
assert.equal(
  verifyReceipt(receipt, { trace, publicKeys: [installation.signer.publicKey] }).status,
  "authentic",
);
const recorded = govern({
  packs: [pack],
  policy: { maxSideEffect: "user_write" },
  principal,
  installation,
  replay: await openReplay([text]),
});
assert.deepEqual((await recorded.call("stock.order", input)).output, output);
console.log(
  `The trace of ${trace.verification.count} records verifies, holds no secret, and replays to the same answer.`,
);
