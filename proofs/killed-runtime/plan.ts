// What every job does, in the same way in whichever process: two runs in one session, each with its steps, and each step with
// operations that are done at once.

export const accountId = "prover";

export type Part = 1 | 2;

/** An operation's name says what becomes of it: by which tool it is done, and whether a person is asked, or says no. */
export type Operation = string;

/** The operations of a part of a job, step by step. */
export function stepsOf(job: number, part: Part): readonly (readonly Operation[])[] {
  const own = (name: string) => `${name}-${job}-${part}`;
  if (part === 2)
    return [
      [own("keyed-a"), own("read-b")],
      [own(job % 4 === 0 ? "plain-asked-c" : "plain-c"), own("natural-d"), own("read-e")],
    ];
  return [
    [own("search-a"), own("read-b"), own("keyed-c")],
    [
      own("find-d"),
      own("natural-e"),
      own("keyed-asked-f"),
      ...(job % 3 === 0 ? [own("plain-g")] : []),
      ...(job % 5 === 0 ? [own("keyed-denied-h")] : []),
    ],
    [own("paper-i"), own("read-j"), own("plain-k")],
  ];
}

export function operationsOf(job: number): readonly Operation[] {
  return [...stepsOf(job, 1), ...stepsOf(job, 2)].flat();
}

export const kindOf = (operation: Operation): string => operation.split("-")[0] ?? "";
export const isAskedAbout = (operation: Operation): boolean => /-(?:asked|denied)-/.test(operation);
export const isDenied = (operation: Operation): boolean => operation.includes("-denied-");

/** Whether anybody could see from outside that it was done. */
export function isSeenOutside(operation: Operation): boolean {
  return ["keyed", "natural", "plain", "paper"].includes(kindOf(operation)) && !isDenied(operation);
}

export const sessionOf = (job: number): string => `job-${job}`;
export const objectiveOf = (job: number, part: Part): string => `do part ${part} of job ${job}`;

/** What a part answers with: the first in a text, the second in what its schema says. */
export const answerSchema = {
  type: "object",
  properties: { job: { type: "integer" }, sum: { type: "integer" } },
  required: ["job", "sum"],
  additionalProperties: false,
} as const;
