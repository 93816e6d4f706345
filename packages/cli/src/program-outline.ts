// What `sf --help` says, and all that it takes to say it: a command is loaded when it is asked for.
import type { Command } from "commander";
import type { CommandContext } from "./command-line/command-context.ts";

/** Adds a command, whole, to the program. */
export type AddCommand = (program: Command, context: CommandContext) => void;

export type CommandOutline = {
  readonly name: string;
  /** In the words of the command itself. */
  readonly description: string;
  readonly load: () => Promise<AddCommand>;
  /** It tells about the other commands, and needs them whole. */
  readonly isAboutAll?: true;
};

const receipts = "check the receipt of a call";

/** In the order in which they are listed. */
export const outlines: readonly CommandOutline[] = [
  {
    name: "up",
    description: "run the platform: tools behind HTTP, with keys, on this machine",
    load: async () => (await import("./commands/up.ts")).addUp,
  },
  {
    name: "manifest",
    description: "list the tools of a platform, or show the contract of one",
    load: async () => (await import("./commands/manifest.ts")).addManifest,
  },
  {
    name: "keys",
    description: "the keys of a platform",
    load: async () => (await import("./commands/keys.ts")).addKeys,
  },
  {
    name: "explain",
    description: "show what would be decided about a call, gate by gate; nothing runs",
    load: async () => (await import("./commands/explain.ts")).addExplain,
  },
  {
    name: "agent",
    description: "call a tool of a platform under a policy of your own: judged and journaled on both sides",
    load: async () => (await import("./commands/agent.ts")).addAgent,
  },
  {
    name: "call",
    description: "call a tool: judged, journaled, with a receipt",
    load: async () => (await import("./commands/call.ts")).addCall,
  },
  {
    name: "run",
    description: "give a model something to do: every call it makes is judged, journaled and paid for",
    load: async () => (await import("./commands/run.ts")).addRun,
  },
  {
    name: "chat",
    description: "talk to an agent that keeps notes and memory from turn to turn, every call of it governed",
    load: async () => (await import("./commands/chat.ts")).addChat,
  },
  {
    name: "runs",
    description: "runs of agents: what they do, what they wait for, and taking them on",
    load: async () => (await import("./commands/runs.ts")).addRuns,
  },
  {
    name: "approvals",
    description: "what waits for a person, and answering it",
    load: async () => (await import("./commands/approvals.ts")).addApprovals,
  },
  {
    name: "grants",
    description: "what calls may reach on the network: what is asked for, granting it, ending it",
    load: async () => (await import("./commands/grants.ts")).addGrants,
  },
  {
    name: "policy",
    description: "make a policy, read it, and try it on what was recorded",
    load: async () => (await import("./commands/policy.ts")).addPolicy,
  },
  {
    name: "trace",
    description: "look at what was recorded, export, verify, compare and erase it",
    load: async () => (await import("./commands/trace.ts")).addTrace,
  },
  {
    name: "receipt",
    description: receipts,
    load: async () => {
      const { addReceiptVerify } = await import("./commands/receipt-verify.ts");
      return (program, context) =>
        addReceiptVerify(program.command("receipt").description(receipts), context);
    },
  },
  {
    name: "effects",
    description: "effects of which nobody knows what became",
    load: async () => (await import("./commands/effects.ts")).addEffects,
  },
  {
    name: "backup",
    description: "copy a data folder as it is at this moment, also while it is used",
    load: async () => (await import("./commands/backup.ts")).addBackup,
  },
  {
    name: "doctor",
    description:
      "look whether everything is in order, and say what to do where it is not; nothing is changed",
    load: async () => (await import("./commands/doctor.ts")).addDoctor,
  },
  {
    name: "completion",
    description: "print a script that lets a shell complete commands and options",
    load: async () => (await import("./commands/completion.ts")).addCompletion,
    isAboutAll: true,
  },
];
