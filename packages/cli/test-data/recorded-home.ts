// A home in which something was called, recorded and journaled.
import { Home, notesPack, type Ran } from "./run-sf.ts";

export const installationSecret = "5e".repeat(32);

/** With policies, a pack as `./notes.ts`, and an installation's secret. */
export function preparedHome(env: Readonly<Record<string, string>> = {}): Home {
  const home = new Home({ SF_INSTALLATION_KEY: installationSecret, ...env });
  home.write("notes.ts", `export { tools } from ${JSON.stringify(notesPack)};\n`);
  home.write("writer.json", { maxSideEffect: "user_write" });
  home.write("none.json", {});
  return home;
}

export async function callNotes(
  home: Home,
  tool: string,
  input: object,
  argv: readonly string[] = [],
): Promise<Ran> {
  const call = ["call", tool, "--pack", notesPack, "--policy", "writer.json"];
  return await home.run([...call, "--input", JSON.stringify(input), ...argv]);
}

/** Two calls, each in a segment and a trace of its own. */
export async function recordedHome(): Promise<Home> {
  const home = preparedHome();
  await callNotes(home, "notes.add", { text: "x" }, ["--data", "data", "--record-trace", "run.jsonl"]);
  await callNotes(home, "notes.fail", {}, ["--data", "data", "--record-trace", "failed.jsonl"]);
  return home;
}
