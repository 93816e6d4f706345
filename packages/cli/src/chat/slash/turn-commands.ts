import { parseJsonStrict, type TurnEvent, turnEventSchema } from "@spfunctions/contracts";
import { writeNewFile } from "../../policy/write-new-file.ts";
import { columnsOf, fitLine } from "../../trace/fit-line.ts";
import { BadWords, type SlashCommand } from "./slash-command.ts";

const trace: SlashCommand = {
  name: "trace",
  about: "the log of the last turn: what was asked, said, noted and called, in its order",
  run: async (_, { chat: { session, logs }, print, io }) => {
    if (logs === undefined)
      return print.out(
        "turns are not logged beside a database; sf trace show has what was journaled of each",
      );
    const name = (await logs.list(session.id)).at(-1);
    const text = name === undefined ? undefined : await logs.read(session.id, name);
    if (text === undefined) return print.out("no turn of this session is logged yet");
    print.out({ text: name ?? "", style: "bold" });
    const events = text
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [turnEventSchema.parse(parseJsonStrict(line))]));
    for (const event of events) print.out(fitLine(eventText(event, events[0]?.ts ?? 0), columnsOf(io)));
  },
};

function eventText({ ts, kind, data }: TurnEvent, first: number): string {
  return `${`+${(ts - first).toFixed(3)} s`.padStart(10)}  ${kind.padEnd(14)}  ${JSON.stringify(data)}`;
}

const resume: SlashCommand = {
  name: "resume",
  about: "go on with a turn that waits, or that was left",
  run: async (_, { resume: goOn }) => await goOn(),
};

const cancel: SlashCommand = {
  name: "cancel",
  about: "give up a turn that waits, or that was left",
  run: async (_, { chat: { session }, print }) => {
    const result = await session.cancel();
    print.out(
      result === undefined
        ? "there is no turn to give up"
        : `${result.runId} is ${result.status}, as revision ${result.revision}`,
    );
  },
};

const exporting: SlashCommand = {
  name: "export",
  takes: "[file]",
  about: "all its revisions as JSON, for another store; grants are not part of it",
  run: async (rest, { chat: { session }, print, io }) => {
    const text = await session.export({ all: true });
    if (rest === "") return print.json(parseJsonStrict(text));
    if (/[\r\n]/.test(rest)) throw new BadWords("/export <file>");
    writeNewFile(rest, `${text}\n`, io, 0o600);
    print.out(`written to ${rest}`);
  },
};

export const turnCommands: readonly SlashCommand[] = [trace, resume, cancel, exporting];
