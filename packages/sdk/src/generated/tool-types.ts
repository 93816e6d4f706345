// Made by scripts/generate-sdk.ts from the contracts of the tools: change those, and run "npm run generate".
import type { ContractManifest, ContractTool } from "@spfunctions/contracts";
import type { Answering } from "../call/answering.ts";
import type { Listing } from "../call/listing.ts";
import type { CallOptions } from "../options/call-options.ts";

type KeysCreateInput = {
  readonly allowTools?: readonly string[] | undefined;
  readonly expiresAt?: string | undefined;
  readonly name?: string | undefined;
  readonly quotas?:
    | {
        readonly api_cost?: number | undefined;
        readonly llm_cost?: number | undefined;
        readonly search_cost?: number | undefined;
        readonly venue_request_cost?: number | undefined;
      }
    | undefined;
  readonly rateLimit?:
    | {
        readonly burst: number;
        readonly perSecond: number;
      }
    | undefined;
  readonly scopes?: readonly ("read" | "write" | "trade" | "admin")[] | undefined;
  readonly trade?:
    | {
        readonly allowAutoExecute?: boolean | undefined;
        readonly allowRuntimeStart?: boolean | undefined;
        readonly allowedVenues: readonly string[];
        readonly blockedJurisdictions?: readonly string[] | undefined;
        readonly confirmToken?: string | undefined;
        readonly dryRunOnly?: boolean | undefined;
        readonly jurisdiction?: string | undefined;
        readonly maxOrderCostCents: number;
        readonly maxQuantity: number;
        readonly requireJurisdiction?: boolean | undefined;
        readonly requireLimitPrice?: boolean | undefined;
      }
    | undefined;
};

type KeysCreateOutput = {
  readonly key: {
    readonly allowTools?: readonly string[];
    readonly createdAt: string;
    readonly createdBy: string;
    readonly expiresAt?: string;
    readonly keyId: string;
    readonly lastUsedAt?: string;
    readonly name: string;
    readonly quotas?: {
      readonly api_cost?: number;
      readonly llm_cost?: number;
      readonly search_cost?: number;
      readonly venue_request_cost?: number;
    };
    readonly rateLimit?: {
      readonly burst: number;
      readonly perSecond: number;
    };
    readonly revokedAt?: string;
    readonly rotatedAt?: string;
    readonly scopes: readonly ("read" | "write" | "trade" | "admin")[];
    readonly status: "active" | "expired" | "revoked";
    readonly trade?: {
      readonly allowAutoExecute: boolean;
      readonly allowRuntimeStart: boolean;
      readonly allowedVenues: readonly string[];
      readonly blockedJurisdictions?: readonly string[];
      readonly dryRunOnly: boolean;
      readonly jurisdiction?: string;
      readonly maxOrderCostCents: number;
      readonly maxQuantity: number;
      readonly requireJurisdiction?: boolean;
      readonly requireLimitPrice: boolean;
    };
  };
  /** Shown once and kept nowhere. */
  readonly secret: string;
};

type KeysListInput = {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
};

type KeysListOutput = {
  readonly items: readonly {
    readonly allowTools?: readonly string[];
    readonly createdAt: string;
    readonly createdBy: string;
    readonly expiresAt?: string;
    readonly keyId: string;
    readonly lastUsedAt?: string;
    readonly name: string;
    readonly quotas?: {
      readonly api_cost?: number;
      readonly llm_cost?: number;
      readonly search_cost?: number;
      readonly venue_request_cost?: number;
    };
    readonly rateLimit?: {
      readonly burst: number;
      readonly perSecond: number;
    };
    readonly revokedAt?: string;
    readonly rotatedAt?: string;
    readonly scopes: readonly ("read" | "write" | "trade" | "admin")[];
    readonly status: "active" | "expired" | "revoked";
    readonly trade?: {
      readonly allowAutoExecute: boolean;
      readonly allowRuntimeStart: boolean;
      readonly allowedVenues: readonly string[];
      readonly blockedJurisdictions?: readonly string[];
      readonly dryRunOnly: boolean;
      readonly jurisdiction?: string;
      readonly maxOrderCostCents: number;
      readonly maxQuantity: number;
      readonly requireJurisdiction?: boolean;
      readonly requireLimitPrice: boolean;
    };
  }[];
  readonly next?: string;
};

type KeysRevokeInput = {
  readonly keyId: string;
};

type KeysRevokeOutput = {
  readonly key: {
    readonly allowTools?: readonly string[];
    readonly createdAt: string;
    readonly createdBy: string;
    readonly expiresAt?: string;
    readonly keyId: string;
    readonly lastUsedAt?: string;
    readonly name: string;
    readonly quotas?: {
      readonly api_cost?: number;
      readonly llm_cost?: number;
      readonly search_cost?: number;
      readonly venue_request_cost?: number;
    };
    readonly rateLimit?: {
      readonly burst: number;
      readonly perSecond: number;
    };
    readonly revokedAt?: string;
    readonly rotatedAt?: string;
    readonly scopes: readonly ("read" | "write" | "trade" | "admin")[];
    readonly status: "active" | "expired" | "revoked";
    readonly trade?: {
      readonly allowAutoExecute: boolean;
      readonly allowRuntimeStart: boolean;
      readonly allowedVenues: readonly string[];
      readonly blockedJurisdictions?: readonly string[];
      readonly dryRunOnly: boolean;
      readonly jurisdiction?: string;
      readonly maxOrderCostCents: number;
      readonly maxQuantity: number;
      readonly requireJurisdiction?: boolean;
      readonly requireLimitPrice: boolean;
    };
  };
};

type KeysRotateInput = {
  readonly keyId: string;
};

type KeysRotateOutput = {
  readonly key: {
    readonly allowTools?: readonly string[];
    readonly createdAt: string;
    readonly createdBy: string;
    readonly expiresAt?: string;
    readonly keyId: string;
    readonly lastUsedAt?: string;
    readonly name: string;
    readonly quotas?: {
      readonly api_cost?: number;
      readonly llm_cost?: number;
      readonly search_cost?: number;
      readonly venue_request_cost?: number;
    };
    readonly rateLimit?: {
      readonly burst: number;
      readonly perSecond: number;
    };
    readonly revokedAt?: string;
    readonly rotatedAt?: string;
    readonly scopes: readonly ("read" | "write" | "trade" | "admin")[];
    readonly status: "active" | "expired" | "revoked";
    readonly trade?: {
      readonly allowAutoExecute: boolean;
      readonly allowRuntimeStart: boolean;
      readonly allowedVenues: readonly string[];
      readonly blockedJurisdictions?: readonly string[];
      readonly dryRunOnly: boolean;
      readonly jurisdiction?: string;
      readonly maxOrderCostCents: number;
      readonly maxQuantity: number;
      readonly requireJurisdiction?: boolean;
      readonly requireLimitPrice: boolean;
    };
  };
  /** Shown once and kept nowhere. */
  readonly secret: string;
};

type KeysTouchInput = { readonly [key: string]: never };

type KeysTouchOutput = {
  readonly keyId: string;
  readonly lastUsedAt: string;
};

type ManifestGetInput = {
  readonly name: string;
};

type ManifestListInput = {
  readonly mode?: "implemented" | "review" | undefined;
};

type RuntimeEnsureInput = { readonly [key: string]: never };

type RuntimeEnsureOutput = {
  readonly changedAt?: string;
  readonly changedBy?: string;
  readonly state: "running" | "stopped";
};

type RuntimeStatusInput = { readonly [key: string]: never };

type RuntimeStatusOutput = {
  readonly changedAt?: string;
  readonly changedBy?: string;
  readonly state: "running" | "stopped";
};

type RuntimeStopInput = { readonly [key: string]: never };

type RuntimeStopOutput = {
  readonly changedAt?: string;
  readonly changedBy?: string;
  readonly state: "running" | "stopped";
};

type TokensCreateInput = {
  readonly origin: string;
  readonly scopes?: readonly ("read" | "write")[] | undefined;
  readonly ttlSeconds?: number | undefined;
};

type TokensCreateOutput = {
  readonly expiresAt: string;
  readonly origin: string;
  readonly scopes: readonly ("read" | "write")[];
  /** Shown once and kept nowhere. */
  readonly token: string;
};

/** What each tool takes and gives, by its canonical name. */
export type ToolTypes = {
  readonly "keys.create": { readonly input: KeysCreateInput; readonly answer: Answering<KeysCreateOutput> };
  readonly "keys.list": {
    readonly input: KeysListInput;
    readonly answer: Listing<KeysListOutput, KeysListOutput["items"][number]>;
  };
  readonly "keys.revoke": {
    readonly input: KeysRevokeInput | string;
    readonly answer: Answering<KeysRevokeOutput>;
  };
  readonly "keys.rotate": {
    readonly input: KeysRotateInput | string;
    readonly answer: Answering<KeysRotateOutput>;
  };
  readonly "keys.touch": { readonly input: KeysTouchInput; readonly answer: Answering<KeysTouchOutput> };
  readonly "manifest.get": {
    readonly input: ManifestGetInput | string;
    readonly answer: Answering<ContractTool>;
  };
  readonly "manifest.list": {
    readonly input: ManifestListInput;
    readonly answer: Answering<ContractManifest>;
  };
  readonly "runtime.ensure": {
    readonly input: RuntimeEnsureInput;
    readonly answer: Answering<RuntimeEnsureOutput>;
  };
  readonly "runtime.status": {
    readonly input: RuntimeStatusInput;
    readonly answer: Answering<RuntimeStatusOutput>;
  };
  readonly "runtime.stop": {
    readonly input: RuntimeStopInput;
    readonly answer: Answering<RuntimeStopOutput>;
  };
  readonly "tokens.create": {
    readonly input: TokensCreateInput;
    readonly answer: Answering<TokensCreateOutput>;
  };
};

/** The methods of a client: one for each tool. */
export type Resources = {
  readonly keys: {
    /**
     * Makes a key for this account. Its secret is in this answer and nowhere else: keep it where only its user can read it.
     * Tool `keys.create`; side effect secret, cost none.
     */
    readonly create: (input?: KeysCreateInput, options?: CallOptions) => Answering<KeysCreateOutput>;
    /**
     * The keys of this account, without their secrets.
     * Tool `keys.list`; side effect none, cost api_cost.
     */
    readonly list: (
      input?: KeysListInput,
      options?: CallOptions,
    ) => Listing<KeysListOutput, KeysListOutput["items"][number]>;
    /**
     * Ends a key at once, with every secret and token of it. It cannot be undone.
     * Tool `keys.revoke`; side effect secret, cost none.
     */
    readonly revoke: (input: KeysRevokeInput | string, options?: CallOptions) => Answering<KeysRevokeOutput>;
    /**
     * A new secret for a key, in this answer and nowhere else. The one before stays good for 24 hours; revoke the key to end it at once.
     * Tool `keys.rotate`; side effect secret, cost none.
     */
    readonly rotate: (input: KeysRotateInput | string, options?: CallOptions) => Answering<KeysRotateOutput>;
    /**
     * Writes down now that the calling key is in use, instead of with the next bookkeeping.
     * Tool `keys.touch`; side effect auth_telemetry_write, cost none.
     */
    readonly touch: (input?: KeysTouchInput, options?: CallOptions) => Answering<KeysTouchOutput>;
  };
  readonly manifest: {
    /**
     * The contract of one tool, by its canonical name.
     * Tool `manifest.get`; side effect none, cost none.
     */
    readonly get: (input: ManifestGetInput | string, options?: CallOptions) => Answering<ContractTool>;
    /**
     * Every active tool with its contract: what it changes, costs, needs, takes and gives.
     * Tool `manifest.list`; side effect none, cost none.
     */
    readonly list: (input?: ManifestListInput, options?: CallOptions) => Answering<ContractManifest>;
  };
  readonly runtime: {
    /**
     * Lets waiting runs of this account go on. Where they do already, nothing changes.
     * Tool `runtime.ensure`; side effect runtime, cost none.
     */
    readonly ensure: (input?: RuntimeEnsureInput, options?: CallOptions) => Answering<RuntimeEnsureOutput>;
    /**
     * Whether waiting runs of this account go on, and who changed that last.
     * Tool `runtime.status`; side effect none, cost api_cost.
     */
    readonly status: (input?: RuntimeStatusInput, options?: CallOptions) => Answering<RuntimeStatusOutput>;
    /**
     * From now on no waiting run of this account goes on, until runtime.ensure. Direct calls are not touched.
     * Tool `runtime.stop`; side effect runtime, cost none.
     */
    readonly stop: (input?: RuntimeStopInput, options?: CallOptions) => Answering<RuntimeStopOutput>;
  };
  readonly tokens: {
    /**
     * A token for one browser page: read-only unless asked otherwise, good for minutes, and only from the origin it is made for.
     * Tool `tokens.create`; side effect auth_telemetry_write, cost none.
     */
    readonly create: (input: TokensCreateInput, options?: CallOptions) => Answering<TokensCreateOutput>;
  };
};
