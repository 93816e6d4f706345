/** A bug that users of other systems have reported. */
export type Bug = {
  readonly letter: string;
  readonly what: string;
  /** Where it was reported: threads of public trackers, and numbers of advisories. */
  readonly seen: string;
};

export type BugGroup = { readonly title: string; readonly bugs: readonly Bug[] };

const group = (
  title: string,
  bugs: readonly (readonly [letter: string, what: string, seen?: string])[],
): BugGroup => ({ title, bugs: bugs.map(([letter, what, seen = ""]) => ({ letter, what, seen })) });

/** Bugs of systems that people use today. Each is the name of tests that would fail with it. */
export const bugGroups: readonly BugGroup[] = [
  group("Approvals and authority", [
    [
      "B1",
      "Whoever calls makes up an approval, and a guarded tool runs with what they like",
      "vercel/ai#15947, #16068",
    ],
    [
      "B2",
      "Between the yes and the deed the arguments change, by a check that writes into them",
      "ai 7.0.173",
    ],
    ["B3", "A no runs the tool: the policy was lost on the way to storage", "mastra#20487"],
    [
      "B4",
      "After a restart a run cannot be gone on with, though the store has it",
      "mastra#19301, #10389, #18939",
    ],
    ["B5", "A yes inside a subagent starts that anew, and the tool never runs", "mastra#23626"],
    [
      "B6",
      "Questions from below are lost, taken for somebody else's, or asked in a circle",
      "openai-agents-js#243, #680, #996; deepagents#554",
    ],
    [
      "B7",
      "What is kept of a run lacks fields; an agent with a new name never finds its own questions; where it is unclear who may, everybody may",
      "openai-agents-python#4264",
    ],
    ["B8", "One id answered twice runs a tool twice, or both ways", "OpenRouter typescript-sdk#518"],
    [
      "B9",
      "A yes counts after its time until somebody sweeps up, and who gave it is what the request says",
      "edictum-console#19",
    ],
    ["B10", "The record has the call, and not the person who let it run", "autogen#5891"],
    ["B11", "A button that says yes writes a result, and no tool has run", "assistant-ui#5901"],
    [
      "B12",
      "An “always” is kept for more than was shown, or holds for other agents and sessions",
      "pi#6450, opencode#9554",
    ],
    ["B13", "A model never hears why it was refused, and asks for the same for ever", "agent-framework#8503"],
  ]),
  group("Policy", [
    [
      "B14",
      "What is denied is not denied to subagents, and some mode skips the hooks",
      "claude-code#78797, #73380, #43772",
    ],
    [
      "B15",
      "A file of settings, or an answer of a policy, that cannot be read lets everything pass",
      "claude-code#84863, policy-opa",
    ],
    ["B16", "What is guarded is a tool's name, and another tool does the same thing", "claude-code#93510"],
    [
      "B17",
      "An agent changes its own permissions or settings, or has a capability by saying so",
      "claude-code#11815, #92034, #49122",
    ],
    [
      "B18",
      "Tools that come built in are judged by nobody, or leave no trace",
      "pydantic-ai#4376, openai-agents-js#972",
    ],
    ["B19", "A list of what may be called never reaches whoever calls", "PwrAgent#2070"],
  ]),
  group("Durability and replay", [
    [
      "B20",
      "What was done before a question is done again when the run goes on",
      "langgraph#6792, langgraphjs#1552",
    ],
    ["B21", "Of several questions nobody knows which one an answer is for", "langgraph#6108"],
    [
      "B22",
      "A run goes on from rows that somebody has changed, removed, swapped or made up; the name of a field is run as a query; what is read back makes objects of its own choice",
      "langgraph#8938, CVE-2025-8709, CVE-2026-28277",
    ],
    ["B23", "An evaluation runs live tools again", "mastra#17466"],
    [
      "B24",
      "A stream never ends because a hook has thrown, a cancelled run completes, a provider's error leaves a run without an end",
      "pi-mono",
    ],
    ["B25", "Several processes destroy one SQLite file", "claude-mem#3179, hermes-agent#100313"],
  ]),
  group("Money", [
    [
      "B26",
      "A loop that does not stop costs thousands of calls, and what it cost is known afterwards",
      "openai-agents-python#3353",
    ],
  ]),
  group("Sandbox and web", [
    [
      "B27",
      "Of a line of commands the first is checked; what stands in substitutions, line breaks or quotes is read otherwise by the shell; an argument runs a program",
      "gemini-cli#11510, #11766; amd/gaia#2947",
    ],
    [
      "B28",
      "Only the end of a path is looked at for links, or how its text begins, or a folder on the way is swapped after the look",
      "librefang PR 6299",
    ],
    [
      "B29",
      "A guard of addresses knows only numbers or only names, resolves twice, or follows redirects without looking",
      "gemini-cli#24230, ihub#1693",
    ],
    [
      "B30",
      "A server on one's own machine asks nobody who they are, and any web page calls it",
      "opencode CVE-2026-22812",
    ],
  ]),
  group("Memory and prompts", [
    [
      "B31",
      "Goals and constraints are lost when a conversation is shortened, and nobody is told; the operator's are pushed out by new ones",
      "claude-code#9796, opencode#41358",
    ],
    [
      "B32",
      "What is remembered stands in the system prompt as it is, and whoever planted it is trusted for ever",
      "crewAI#5057",
    ],
    [
      "B33",
      "A call that a model only thinks of, or shows as code, is made; any JSON becomes a call",
      "flama#262",
    ],
    [
      "B34",
      "A secret that is given to a tool stands in the model's context and in the trace",
      "MCP servers that take keys as arguments",
    ],
  ]),
];
