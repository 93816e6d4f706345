import * as fc from "fast-check";
import { garbageEvents, type StreamEnd, type Streaming } from "./model.ts";
import { anyPeople, type People } from "./people.ts";
import { anySaying, type Saying } from "./sayings.ts";
import { seldom } from "./seldom.ts";
import { anyLaw, type LawGiven } from "./terms.ts";

/** A model that means no good, under some law, among people who say anything. */
export type Case = {
  readonly law: LawGiven;
  readonly script: readonly Saying[];
  readonly people: People;
  readonly streaming?: Streaming | undefined;
  /** How it is watched: not, to the end, not at all though it could be, or by somebody who leaves. */
  readonly watched: "no" | "whole" | "unread" | "left";
  /** Whether people are waited for, or the run is taken on again after they have answered. */
  readonly until: "end" | "rest";
  /** After which round it is told to stop. */
  readonly stopAfter?: number | undefined;
  /** How many runs there are, one after the other. */
  readonly runs: number;
};

const anyStreaming: fc.Arbitrary<Streaming> = fc.record({
  events: fc.array(fc.nat({ max: garbageEvents - 1 }), { maxLength: 4 }),
  end: fc.oneof(
    { weight: 6, arbitrary: fc.constant<StreamEnd>("done") },
    { weight: 1, arbitrary: fc.constantFrom<StreamEnd[]>("twice", "broken", "throws", "deaf") },
  ),
});

export const anyCase: fc.Arbitrary<Case> = fc.record({
  law: anyLaw,
  script: fc.array(anySaying, { minLength: 1, maxLength: 7 }),
  people: anyPeople,
  streaming: seldom(anyStreaming, 3),
  watched: fc.constantFrom("no", "whole", "unread", "left"),
  until: fc.constantFrom("end", "rest"),
  stopAfter: seldom(fc.nat({ max: 6 }), 8),
  runs: fc.constantFrom(1, 1, 1, 2),
});
