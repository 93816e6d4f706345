import type { CondensedSession } from "@spfunctions/agent/spectator";

export function condensedText({ how, fellBack, before, after, revision }: CondensedSession): string {
  const by = how === "smart" ? "by a summary of the model's" : "without asking the model";
  const why = fellBack === undefined ? "" : `; no summary, as ${fellBack}`;
  return `condensed ${by}: ${before.messages} messages are ${after.messages} now, as revision ${revision.checkpoint.revision}${why}`;
}

/** For programs. */
export function condensedJson({ how, fellBack, before, after, revision }: CondensedSession): object {
  return {
    how,
    ...(fellBack !== undefined && { fellBack }),
    before,
    after,
    revision: revision.checkpoint.revision,
  };
}
