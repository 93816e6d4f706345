// A home in which somebody talks to an agent whose model says what it was told to say, blocks and all.
import type { ScriptStep } from "@spfunctions/host/models";
import type { CliIo } from "../src/index.ts";
import { type Home, notesPack } from "./run-sf.ts";

export type SaidParts = {
  readonly notes?: object;
  readonly calls?: readonly (readonly [tool: string, args: object])[];
};

/** An answer of the model's. */
export function says(text: string, { notes, calls }: SaidParts = {}): ScriptStep {
  const blocks = [
    ...(notes === undefined ? [] : [`<<<NOTES_JSON>>>\n${JSON.stringify(notes)}\n<<<END_NOTES_JSON>>>`]),
    ...(calls === undefined
      ? []
      : [
          `<<<TOOL_CALLS_JSON>>>\n${JSON.stringify(
            calls.map(([tool, args], at) => ({ id: `t${at + 1}`, tool, args })),
          )}\n<<<END_TOOL_CALLS_JSON>>>`,
        ]),
  ];
  return { text: [text, ...blocks].join("\n"), usage: { inputTokens: 10, outputTokens: 5 } };
}

export const adds = (note: string): SaidParts => ({ calls: [["notes.add", { text: note }]] });
export const asksFor = (capability: string): SaidParts => ({
  notes: { actions: [`request_permission:${capability}`] },
});

/** The words of a chat over the notes, in which these are the answers. `policy.json` lets notes be added where a person approves it. */
export function chatting(home: Home, steps: readonly ScriptStep[], ...more: readonly string[]): string[] {
  home.write("script.json", steps);
  home.write("policy.json", { maxSideEffect: "user_write" });
  return ["chat", "--pack", notesPack, "--model", "scripted:script.json", ...more];
}

export const withPolicy = ["--policy", "policy.json"] as const;

export type TypedChat = Pick<CliIo, "stdin" | "stdout" | "stderr" | "isTerminal"> & {
  /** All that the screen has shown, without colours. */
  readonly screen: () => string;
};

/** Where the next line is typed. */
const prompt = /(?:> |later\? )$/;

/** Somebody at a terminal in this process: each line is typed when the next prompt or question was shown; after the last they leave. */
export function typedChat(lines: readonly string[], before = ""): TypedChat {
  let screen = "";
  let asked = Promise.withResolvers<void>();
  const plain = (text: string) => text.replaceAll(/\u001b\[\d+m/g, "");
  async function* typed(): AsyncGenerator<Uint8Array> {
    if (before !== "") yield Buffer.from(before);
    for (const line of lines) {
      await asked.promise;
      asked = Promise.withResolvers();
      screen += `${line}\n`;
      yield Buffer.from(`${line}\n`);
    }
    await asked.promise;
  }
  const shows = (text: string) => void (screen += plain(text));
  return {
    stdin: Object.assign(typed(), { isTTY: true }),
    stdout: shows,
    stderr: (text) => {
      shows(text);
      if (prompt.test(plain(text))) asked.resolve();
    },
    isTerminal: { stdout: true, stderr: true },
    screen: () => screen,
  };
}
