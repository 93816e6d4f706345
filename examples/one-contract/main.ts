// The language in four sentences: a contract has an identity, a contradiction is refused, a policy is never taken in
// part, and what is recorded of a call names it without its secrets. Exits non-zero when one of them does not hold.
import { strict as assert } from "node:assert";
import { createHmac } from "node:crypto";
import {
  buildManifest,
  hashInput,
  isSimpleFunctionsError,
  parsePolicy,
  redact,
  requiresIdentity,
} from "@spfunctions/contracts";
import { placeOrder } from "./place-order.ts";

function refusalOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    if (isSimpleFunctionsError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new assert.AssertionError({ message: "this should have been refused" });
}

const [tool] = buildManifest([placeOrder]).tools;
assert.ok(tool);
console.log("1. A tool is its name and the digest of its contract.");
console.log(`   ${tool.name}  ${tool.digest}`);
console.log(
  `   side effect ${tool.sideEffect}, cost ${tool.costEffect}, needs a key: ${requiresIdentity(tool)}`,
);
assert.equal(requiresIdentity(tool), true);

console.log("\n2. A contract that contradicts itself does not exist.");
const anonymousTrade = { ...placeOrder, authRequired: false, access: { anonymousAllowed: true } };
const contradiction = refusalOf(() => buildManifest([anonymousTrade]));
console.log(`   ${contradiction}`);
assert.match(contradiction, /anonymousAllowed needs sideEffect none/);

console.log("\n3. A policy is never taken in part.");
const typo = refusalOf(() => parsePolicy({ maxSideEfect: "user_write" }));
console.log(`   ${typo}`);
assert.match(typo, /did you mean "maxSideEffect"/);

console.log("\n4. The record of a call names it, whatever the order of its keys, and holds no secret.");
const installationKey = "an example; a real one is 32 random bytes";
const keyedHash = (secret: string) => createHmac("sha256", installationKey).update(secret).digest("hex");
const apiKey = `sf_live_${"k3Y".repeat(10)}ab`;
const recorded = redact({ ticker: "KXFED-26DEC-T4.00", quantity: 5, note: `use ${apiKey}` }, { keyedHash });
const reordered = redact({ note: `use ${apiKey}`, quantity: 5, ticker: "KXFED-26DEC-T4.00" }, { keyedHash });
console.log(`   ${JSON.stringify(recorded)}`);
console.log(`   ${hashInput(recorded)}`);
assert.equal(hashInput(recorded), hashInput(reordered));
assert.ok(!JSON.stringify(recorded).includes(apiKey));
