import type { EventStream, CallOptions } from "@spfunctions/agent";
import type { Approval, ContractManifest, ToolCallResult } from "@spfunctions/contracts";
import type { Signer } from "@spfunctions/kernel";
import type { Recovery } from "./call-view.ts";

/** What a call is made with, wherever its tool runs. */
export type Runner = {
  readonly manifest: ContractManifest;
  /** What a crash had left, and what still waits for a person. */
  readonly recovery: Recovery;
  readonly stream: (tool: string, input: unknown, options: CallOptions) => EventStream<ToolCallResult>;
  /** What is known of a question that was asked about a call, where somebody can be asked. */
  readonly question?: (approvalId: string) => Promise<Approval | undefined>;
  /** Seals what was written: journal and trace. */
  readonly close: () => Promise<void>;
  /** Who signs here, where anybody does. */
  readonly signer?: Signer;
  /** Gives up what it stands on, once it is closed. */
  readonly leave: () => Promise<void>;
};
