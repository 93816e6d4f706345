import {
  exitCodes,
  hashInput,
  isSimpleFunctionsError,
  type JsonObject,
  type JsonValue,
  type Signature,
} from "@spfunctions/contracts";
import { configFolderOf, type KnownSigner, knownSigners, pinSigner } from "@spfunctions/host/installation";
import {
  readTrace,
  type ReceiptCheck,
  type ReceiptVerification,
  signingKeyId,
  verifyReceipt,
} from "@spfunctions/kernel";
import { badUsage, isBadUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { CliIo } from "../io/cli-io.ts";
import type { Part, Printer } from "../io/printer.ts";
import { readJson } from "../io/read-json.ts";
import { traceText } from "../trace/open-trace.ts";

/** As they were given. */
export type ReceiptVerifyOptions = {
  readonly trace?: string;
  readonly key?: readonly string[];
  readonly pin?: true;
  readonly json?: true;
};

export async function verify(
  file: string,
  options: ReceiptVerifyOptions,
  context: CommandContext,
): Promise<number> {
  const { io, print } = context;
  const { key: given = [], pin, json } = options;
  if (pin === true && given.length === 0)
    throw badUsage("--pin needs the key that is to be trusted: give --key");
  const configFolder = configFolderOf(io.env);
  const known = given.length > 0 ? given : knownSigners(configFolder).map(({ publicKey }) => publicKey);
  const receipt = await readReceipt(file, io);
  const trace =
    options.trace === undefined
      ? undefined
      : await readTrace((await traceText(options.trace, {}, context)).text);
  const verification = isReceipt(receipt)
    ? withAnswer(receipt, verifyReceipt(receipt.value, { trace, publicKeys: known }))
    : receipt;
  const isAuthentic = verification.status === "authentic";
  const pinned = pin === true && isAuthentic ? pinOf(configFolder, receipt, given) : undefined;
  const ok = given.length > 0 ? isAuthentic : verification.status !== "invalid";
  if (json === true) print.json({ ok, ...verification, ...(pinned && { pinned }) }, 2);
  else printChecks(print, verification, pinned);
  return ok ? exitCodes.done : exitCodes.verificationFailed;
}

/** What a call's answer says besides its receipt must be what the receipt is of. */
function withAnswer({ value, beside }: Found, verification: ReceiptVerification): ReceiptVerification {
  const check = beside === undefined ? undefined : checkAnswer(beside, value as JsonObject);
  if (check === undefined) return verification;
  const status = check.result === "failed" ? "invalid" : verification.status;
  return { status, checks: [...verification.checks, check] };
}

function checkAnswer(answer: JsonObject, receipt: JsonObject): ReceiptCheck {
  const hidden = Array.isArray(answer["redacted"]) && answer["redacted"].length > 0;
  if (hidden) return { check: "answer", result: "not_checked", detail: "its record hides some of it" };
  const { output, error } = answer;
  const isSame =
    output === undefined
      ? error !== undefined && receipt["outputHash"] === undefined
      : hashInput(output) === receipt["outputHash"];
  return isSame
    ? { check: "answer", result: "passed", detail: "the answer beside it is the one it is of" }
    : { check: "answer", result: "failed", detail: "the answer beside it is not the one it is of" };
}

type Found = { readonly value: JsonValue; readonly beside?: JsonObject };

/** What is no JSON can be no receipt either. */
async function readReceipt(file: string, io: CliIo): Promise<Found | ReceiptVerification> {
  try {
    return receiptIn(await readJson(file, io, file));
  } catch (error) {
    if (!isSimpleFunctionsError(error) || error.code !== "invalid_input" || isBadUsage(error)) throw error;
    return { status: "invalid", checks: [{ check: "shape", result: "failed", detail: error.message }] };
  }
}

function isReceipt(found: Found | ReceiptVerification): found is Found {
  return "value" in found;
}

/** The receipt itself, or the one in a call's answer. */
function receiptIn(value: JsonValue): Found {
  if (typeof value !== "object" || value === null || Object.hasOwn(value, "v")) return { value };
  const { receipt, ...beside } = value as JsonObject;
  return receipt === undefined ? { value } : { value: receipt, beside };
}

/** The one key that has signed, of those that were given. */
function pinOf(
  configFolder: string,
  found: Found | ReceiptVerification,
  given: readonly string[],
): KnownSigner | undefined {
  const { keyId } = ((found as Found).value as { signature: Signature }).signature;
  const key = given.find((one) => signingKeyId(one) === keyId);
  return key === undefined ? undefined : pinSigner(configFolder, key);
}

const words: { readonly [Status in ReceiptVerification["status"]]: Part } = {
  authentic: { text: "authentic", style: ["bold", "green"] },
  consistent: { text: "consistent, signer unknown", style: ["bold", "yellow"] },
  invalid: { text: "invalid", style: ["bold", "red"] },
};
const marks: { readonly [Result in "passed" | "failed" | "not_checked"]: Part } = {
  passed: { text: "✓", style: "green" },
  failed: { text: "✗", style: "red" },
  not_checked: { text: "·", style: "dim" },
};

function printChecks(
  print: Printer,
  { status, checks }: ReceiptVerification,
  pinned: KnownSigner | undefined,
): void {
  print.out(words[status]);
  for (const { check, result, detail } of checks)
    print.out("  ", marks[result], ` ${check.padEnd(9)}  ${detail}`);
  if (pinned !== undefined) print.out(`pinned ${pinned.keyId}`);
}
