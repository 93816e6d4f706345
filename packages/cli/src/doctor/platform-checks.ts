import { resolve } from "node:path";
import { configFolderOf, knownSigners, platformFolderOf } from "@spfunctions/host/installation";
import { signingKeyId } from "@spfunctions/kernel";
import { SimpleFunctions } from "@spfunctions/sdk";
import type { CommandContext } from "../command-line/command-context.ts";
import type { CliIo } from "../io/cli-io.ts";
import { addressIn, soundAddressIn } from "../platform/reach-remote.ts";
import { installationIfAny } from "../seat/installation-if-any.ts";
import { isNotAsked, type LivingEndpoint, livingEndpoint } from "../up/living-endpoint.ts";
import { type Answered, askPlatform } from "./ask-platform.ts";
import { type Check, fail, failed, ok, warn } from "./check.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import { keyChecks, keysFor } from "./key-checks.ts";
import { orNothing } from "./or-nothing.ts";

/** The platform that commands would talk to, asked from outside, as anybody could. */
export async function* platformChecks(options: DoctorOptions, { io }: CommandContext): AsyncGenerator<Check> {
  const given = addressIn(options, io);
  const endpoint = given === undefined ? endpointOf(options, io) : undefined;
  if (endpoint instanceof Error) {
    yield failed({ check: "platform" }, endpoint);
    return;
  }
  const address = given ?? endpoint?.url;
  if (address === undefined) {
    yield ok({ check: "platform" }, "none is up in this folder, and no address was given; sf up starts one");
    return;
  }
  try {
    soundAddressIn(options, io);
    const client = new SimpleFunctions({ baseUrl: address, userAgent: "sf", retries: 0, timeoutMs: 10_000 });
    const { baseUrl } = client.toJSON();
    const answered = await askPlatform(baseUrl, io.signal);
    yield await reachableCheck(client, baseUrl, answered, io);
    yield clockCheck(baseUrl, answered);
    yield signingCheck(baseUrl, answered, io);
    yield* keyChecks(baseUrl, keysFor(options, endpoint, io), io);
  } catch (error) {
    if (io.signal.aborted) throw error;
    yield failed(
      { check: "platform" },
      error,
      endpoint === undefined
        ? "see that it is up, and that this is its address"
        : "start it again with sf up",
    );
  }
}

/** Or why what the folder says of it is not believed. What else is wrong with the folder is said elsewhere. */
function endpointOf({ data }: DoctorOptions, io: CliIo): LivingEndpoint | Error | undefined {
  try {
    return livingEndpoint(data ? resolve(io.cwd, data) : platformFolderOf(io), io);
  } catch (error) {
    return isNotAsked(error) ? error : undefined;
  }
}

async function reachableCheck(
  client: SimpleFunctions,
  baseUrl: string,
  { version }: Answered,
  { signal }: CliIo,
): Promise<Check> {
  const { digest, tools } = await client.manifest.list({}, { signal });
  const about = { check: "platform", where: baseUrl, facts: { version, digest, tools: tools.length } };
  return ok(about, `answers: version ${version}, ${tools.length} tools, ${digest}`);
}

/** Its header counts whole seconds. */
const mostDifferenceMs = 5000;

function clockCheck(baseUrl: string, { differenceMs }: Answered): Check {
  const check = "clock";
  if (differenceMs === undefined)
    return ok({ check, where: baseUrl }, "it does not say what time it is there");
  const about = { check, where: baseUrl, facts: { differenceMs } };
  const seconds = Math.round(Math.abs(differenceMs) / 1000);
  if (Math.abs(differenceMs) <= mostDifferenceMs)
    return ok(about, `within ${Math.max(1, seconds)} s of this machine's`);
  const way = differenceMs > 0 ? "ahead of" : "behind";
  return warn(
    about,
    `its clock is ${seconds} s ${way} this machine's`,
    "set the clocks: expiries and approvals go by them",
  );
}

function signingCheck(baseUrl: string, { publicKey, keyId }: Answered, io: CliIo): Check {
  const about = { check: "platform's signing key", where: baseUrl, facts: { keyId, publicKey } };
  if (signingKeyId(publicKey) !== keyId)
    return fail(
      about,
      `it says that its key ${publicKey} is ${keyId}, and it is not`,
      "do not trust what it signs",
    );
  const isOwn = orNothing(() => installationIfAny(io)?.signer.publicKey) === publicKey;
  const pinned = orNothing(() => knownSigners(configFolderOf(io.env))) ?? [];
  const whose = isOwn
    ? "your own"
    : pinned.some((one) => one.publicKey === publicKey)
      ? "pinned"
      : "not pinned";
  return ok(about, `${keyId}, public key ${publicKey} (${whose})`);
}
