import { code, page, plain, table } from "../markdown.ts";
import { membersOfType } from "./source/documented-type.ts";

type Taken = {
  readonly by: string;
  readonly file: string;
  readonly type: string;
  readonly says: string;
  /** Where the limits page has those that `limits` sets. */
  readonly limits: string;
};

const taken: readonly Taken[] = [
  {
    by: "govern",
    file: "packages/agent/src/govern.ts",
    type: "GovernOptions",
    says: "`govern({ … })` of `@spfunctions/agent` puts functions under law: [governed-call.md](../governed-call.md).",
    limits: "calls",
  },
  {
    by: "openPlatform",
    file: "packages/server/src/platform-options.ts",
    type: "PlatformOptions",
    says: "`await openPlatform({ … })` of `@spfunctions/server` puts tools behind HTTP: [platform.md](../platform.md), [embedding.md](../embedding.md).",
    limits: "the-platform-openplatform-sf-up",
  },
  {
    by: "Spectator",
    file: "packages/agent/src/spectator/spectator-options.ts",
    type: "SpectatorOptions",
    says: "`new Spectator({ … })` of `@spfunctions/agent/spectator` is an agent that lives on: [long-lived-agent.md](../long-lived-agent.md).",
    limits: "long-lived-agents",
  },
];

export function optionsPage(): string {
  return page(
    "# Options",
    "What you give to each. What may be left out says what then holds; types are those of the packages. What a `policy` can have is in [policy.md](policy.md). What a run of the model-backed runtime takes is in [runtime.md](../runtime.md), how the client is used in the [README of its package](../../packages/sdk/README.md); all that either takes is in its types.",
    ...taken.flatMap(section),
  );
}

/** What the same option is wherever it is taken, where its type says nothing else. */
const everywhere: Readonly<Record<string, string>> = {
  installation:
    "Signs and proves what is kept: `loadInstallation()` of `@spfunctions/host/installation` has the same one in every process.",
  limits: "What is bounded, as far as it is to be another than usual.",
  clock: "The time; the machine's unless given.",
  ids: "Makes ids; random ones unless given.",
};

function section({ by, file, type, says, limits }: Taken): string[] {
  return [
    `## ${by}`,
    says,
    table(
      ["option", "type", "needed", "meaning"],
      membersOfType(file, type).map((member) => {
        const { name, isOptional, doc } = member;
        const values = name === "limits" ? `Each is in [limits.md](limits.md#${limits}).` : "";
        const meaning = `${plain(doc || (everywhere[name] ?? ""))} ${values}`.trim();
        if (meaning === "") throw new Error(`${file}: nothing is said of ${name}`);
        return [code(name), code(member.type), isOptional ? "" : "yes", meaning];
      }),
    ),
  ];
}
