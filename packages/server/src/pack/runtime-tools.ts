// B22: whether runs go on is kept with a proof. A row without a valid one says nothing: runs count as stopped until an admin decides.
import { canonicalJson, strictObject, timestampSchema } from "@spfunctions/contracts";
import {
  type Clock,
  defineTool,
  type Installation,
  provenRow,
  provenValue,
  readKept,
  type Store,
  type ToolContext,
} from "@spfunctions/kernel";
import { z } from "zod";
import { shownKeyIdSchema } from "../keys/key-view.ts";
import { sdk } from "./sdk-method.ts";

const runtimeKind = "runtime";

const stateSchema = strictObject({
  state: z.enum(["running", "stopped"]),
  /** Absent where nobody has ever changed it, or nobody can prove who has. */
  changedAt: timestampSchema.optional(),
  changedBy: shownKeyIdSchema.optional(),
});
export type RuntimeState = z.infer<typeof stateSchema>;

export type RuntimeHost = {
  readonly store: Store;
  readonly clock: Clock;
  readonly installation: Pick<Installation, "keyHash">;
  /** Told of an account whose row has no valid proof. */
  readonly onUnprovenRuntime: (accountId: string) => void;
};

type KeptState = { readonly state: RuntimeState; readonly revision: number; readonly isProven: boolean };

/** Whether waiting runs of an account go on. They do unless somebody has stopped them, or what is kept of that has no valid proof. */
export async function runtimeState(
  { store, installation, onUnprovenRuntime }: Omit<RuntimeHost, "clock">,
  accountId: string,
): Promise<KeptState> {
  const document = await store.document({ kind: runtimeKind, accountId, id: runtimeKind });
  if (document === undefined) return { state: { state: "running" }, revision: 0, isProven: true };
  const { revision } = document;
  const value = provenValue(document, installation.keyHash);
  if (value === undefined) {
    onUnprovenRuntime(accountId);
    return { state: { state: "stopped" }, revision, isProven: false };
  }
  const state = readKept(stateSchema, canonicalJson(value), "whether runs go on");
  return { state, revision, isProven: true };
}

async function change(
  host: RuntimeHost,
  { principal: { accountId, keyId }, commit }: ToolContext,
  wanted: RuntimeState["state"],
): Promise<RuntimeState> {
  const { state, revision: expects, isProven } = await runtimeState(host, accountId);
  if (isProven && state.state === wanted) return state;
  const next: RuntimeState = {
    state: wanted,
    changedAt: new Date(host.clock.now()).toISOString(),
    changedBy: keyId,
  };
  const key = { kind: runtimeKind, accountId, id: runtimeKind };
  const body = provenRow(key, next, host.installation.keyHash);
  commit([{ type: "put", ...key, expects, status: wanted, body }]);
  return next;
}

const changing = {
  permissions: ["runtime:manage"],
  sideEffect: "runtime",
  costEffect: "none",
  risk: ["runtime_control", "account_context", "state_mutation"],
  idempotency: { type: "natural" },
  stability: "beta",
  input: strictObject({}),
  output: stateSchema,
} as const;

export function runtimeTools(host: RuntimeHost) {
  return [
    defineTool({
      name: "runtime.status",
      title: "Ask whether runs go on",
      description: "Whether waiting runs of this account go on, and who changed that last.",
      permissions: ["runtime:read"],
      sideEffect: "none",
      costEffect: "api_cost",
      risk: ["account_context"],
      stability: "beta",
      input: strictObject({}),
      output: stateSchema,
      http: { method: "GET", path: "/api/runtime" },
      sdk: sdk("runtime.status"),
      run: async (_, { principal: { accountId } }) => (await runtimeState(host, accountId)).state,
    }),
    defineTool({
      ...changing,
      name: "runtime.ensure",
      title: "Let runs go on",
      description: "Lets waiting runs of this account go on. Where they do already, nothing changes.",
      http: { method: "POST", path: "/api/runtime/ensure" },
      sdk: sdk("runtime.ensure"),
      run: async (_, context) => await change(host, context, "running"),
    }),
    defineTool({
      ...changing,
      name: "runtime.stop",
      title: "Stop runs from going on",
      description:
        "From now on no waiting run of this account goes on, until runtime.ensure. Direct calls are not touched.",
      http: { method: "POST", path: "/api/runtime/stop" },
      sdk: sdk("runtime.stop"),
      run: async (_, context) => await change(host, context, "stopped"),
    }),
  ];
}
