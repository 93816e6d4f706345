import type { ContractTool, ToolCallResult } from "@spfunctions/contracts";
import type { TraceStore } from "@spfunctions/kernel";
import type { UnusedCall } from "./fixture.ts";

/** The tools as they are now. */
export type ToolsNow = {
  readonly describe: (tool: string) => ContractTool | Promise<ContractTool>;
  /** Whether the only tools are those of the fixture: then one that nobody knows was not recorded. */
  readonly areRecorded: boolean;
};

/** The one way or the other: a fixture that is recorded, or one that is replayed. */
export type FixtureWay = {
  /** Takes what is called. */
  readonly trace: TraceStore;
  /** What is replayed; nothing where it is recorded. */
  readonly replays?: readonly string[];
  /** Notes how a call ended; what comes out is what its caller gets. */
  readonly watch: (tool: string, answer: Promise<ToolCallResult>, now: ToolsNow) => Promise<ToolCallResult>;
  readonly unused: () => readonly UnusedCall[];
  /** The test has ended well, and everything is sealed. */
  readonly end: () => Promise<void>;
  /** Nothing more comes, however it ended. */
  readonly release: () => void;
};
