// A home in which a policy asks a person before a note is added.
import type { Approval } from "@spfunctions/contracts";
import { expect } from "vitest";
import { Home, notesPack, type Ran } from "./run-sf.ts";

export type Shown = Approval & { readonly where: string };

export function askingHome(): Home {
  const home = new Home();
  const approvals = { requireForSideEffectAtOrAbove: "user_write" };
  home.write("policy.json", { maxSideEffect: "user_write", approvals });
  return home;
}

/** A call that a person must approve. */
export function adding(...more: string[]): string[] {
  const law = ["--pack", notesPack, "--policy", "policy.json"];
  return ["call", "notes.add", ...law, "--input", '{"text":"milk"}', ...more];
}

export async function listed(home: Home, ...more: string[]): Promise<Shown[]> {
  const { code, out, err } = await home.run(["approvals", "ls", "--json", ...more]);
  expect({ code, err }).toStrictEqual({ code: 0, err: "" });
  return (JSON.parse(out) as { approvals: Shown[] }).approvals;
}

/** The id of the one question there is, which a call has returned with. */
export async function asked(home: Home, ...more: string[]): Promise<string> {
  expect((await home.run(adding(...more))).code).toBe(4);
  return idIn(
    await listed(home, ...more.filter((_, at) => more[at - 1] === "--data" || more[at] === "--data")),
  );
}

export function idIn(approvals: readonly Shown[]): string {
  expect(approvals).toHaveLength(1);
  return approvals[0]?.approvalId ?? "";
}

/** A call that waits for a person, in this process. */
export async function waiting(home: Home, ...more: string[]): Promise<Waiting> {
  const ending = new AbortController();
  const isAsked = Promise.withResolvers<string>();
  let err = "";
  const stderr = (text: string) => {
    err += text;
    const id = /sf approvals approve (appr_\S+)/.exec(err)?.[1];
    if (id !== undefined) isAsked.resolve(id);
  };
  const ended = home.run(adding("--wait-for-approval", ...more), { stderr, signal: ending.signal });
  const id = await Promise.race([isAsked.promise, ended.then(({ code }) => `it ended with ${code}: ${err}`)]);
  return { id, ended: ended.then((ran) => ({ ...ran, err })), cancel: () => ending.abort("SIGINT") };
}

export type Waiting = { readonly id: string; readonly ended: Promise<Ran>; readonly cancel: () => void };
