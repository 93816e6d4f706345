import { Help } from "commander";

/** What stands below the options, as wide as they are: lines that are set in, such as examples, stay as they are. */
export function wrappedHelp(text: string, width: number): string {
  const help = new Help();
  return paragraphsIn(text)
    .map((line) => (/^\s/.test(line) ? line : help.boxWrap(line, width)))
    .join("\n");
}

/** A line that does not end a sentence goes on in the next one: it was broken where it is written down. */
function paragraphsIn(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const before = lines.at(-1) ?? "";
    const goesOn = /^\S.*[^.:]$/.test(before) && /^\S/.test(line);
    if (goesOn) lines[lines.length - 1] = `${before} ${line}`;
    else lines.push(line);
  }
  return lines;
}
