// What every job does, in the same way in whichever process: one run with children that work at once, one of which has a child itself.
import type { Operation } from "../killed-runtime/plan.ts";

/** `root` starts the others, but for the mason: that one is started below the planner by the host. */
export type Role = "root" | "planner" | "helper" | "clerk" | "asker" | "mason";

export const roles: readonly Role[] = ["root", "planner", "helper", "clerk", "asker", "mason"];
const children: readonly Role[] = ["planner", "helper", "clerk", "asker"];

/** An operation of the kind `subagent` or `reply` is one on a child. */
export function stepsOf(role: Role, job: number): readonly (readonly Operation[])[] {
  const own = (name: string) => `${name}-${role}-${job}`;
  switch (role) {
    case "root":
      return [
        ["subagent-planner", "subagent-helper", "subagent-clerk"],
        ["subagent-asker"],
        ["reply-asker"],
        [own("wait")],
      ];
    case "planner":
      return [[own("keyed-a"), own("keyed-asked-b")], [own("plain-c")], [own("wait")]];
    case "helper":
      return [[own("natural-a"), own("plain-b")], [own(job % 2 === 0 ? "plain-asked-c" : "keyed-c")]];
    case "clerk":
      return [[own("keyed-asked-a")], [own("plain-b")]];
    case "asker":
      return [[own("keyed-a")], [own("plain-b")]];
    default:
      return [[own("keyed-asked-a"), ...(job % 3 === 0 ? [own("keyed-denied-b")] : [])], [own("plain-c")]];
  }
}

/** What whoever looks at the world from outside knows of. */
export function operationsOf(job: number): readonly Operation[] {
  return roles
    .flatMap((role) => stepsOf(role, job).flat())
    .filter((operation) => !/^(?:subagent|reply|wait)-/.test(operation));
}

/** With whose notes a run that has no call waiting for them goes on. */
export const toldBy: Readonly<Partial<Record<Role, Role>>> = { root: "clerk", planner: "mason" };

export const toolOfRole = (role: Role): string => `subagent.${role}`;
export const runsOfJob: number = children.length + 2;

export const sessionOf = (job: number): string => `job-${job}`;
export const jobOf = (sessionId: string | undefined): number => Number(sessionId?.slice("job-".length));
export const objectiveOf = (job: number): string => `do job ${job}`;
export const taskOf = (role: Role, job: number): string => `do the ${role}'s part of job ${job}`;
