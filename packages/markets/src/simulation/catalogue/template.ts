/** How often a question is asked anew. */
export type Cadence = "daily" | "weekly" | "monthly" | "quarterly";

/** Who or what a question is about. `code` is made of A to Z. */
export type Subject = {
  readonly code: string;
  readonly name: string;
  readonly region: string;
  /** The middle of its thresholds and their step, for the templates that leave them to the subject. */
  readonly base?: number;
  readonly step?: number;
};

/** The subjects of one kind, and what tells a second one of the same name from the first ("Lisbon (station 2)"). */
export type SubjectKind = { readonly subjects: readonly Subject[]; readonly another: string };

/** A question that is asked of many subjects, again and again: `Will {what} {verb} {threshold} {when} {date}?` */
export type Template = {
  readonly code: string;
  readonly cadence: Cadence;
  readonly kind: SubjectKind;
  readonly what: (name: string) => string;
  readonly verb: string;
  readonly when: string;
  /** Around which threshold, in steps of what, counted in units of the last decimal; where absent, the subject says it. */
  readonly base?: number;
  readonly step?: number;
  readonly decimals?: number;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly tags: readonly string[];
};

export type Category = { readonly name: string; readonly templates: readonly Template[] };
