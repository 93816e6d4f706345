// S1: what is said to an agent may have a key in it, and what is kept of it may not.
import { type KeyedHash, redactText, SecretRegistry } from "@spfunctions/contracts";
import type { RevisionContent } from "./revision-content.ts";

/** The content without secrets. One that is hidden in one place is hidden in every other, too. */
export function withoutSecrets(content: RevisionContent, keyedHash: KeyedHash): RevisionContent {
  const found = new SecretRegistry();
  const first = mapTexts(content, (text) => redactText(text, { keyedHash, found }));
  if (found.size === 0) return first;
  return mapTexts(first, (text) => redactText(text, { keyedHash, alsoSecrets: found }));
}

function mapTexts(
  { state, recentMessages, importedMessages, traceTail }: RevisionContent,
  map: (text: string) => string,
): RevisionContent {
  const every = (texts: readonly string[]) => texts.map(map);
  return {
    state: {
      goals: every(state.goals),
      openLoops: every(state.openLoops),
      decisions: every(state.decisions),
      constraints: every(state.constraints),
      episodeSummary: map(state.episodeSummary),
      memoryTags: every(state.memoryTags),
      memoryRefs: every(state.memoryRefs),
      capabilitiesGranted: every(state.capabilitiesGranted),
      capabilitiesPending: every(state.capabilitiesPending),
    },
    recentMessages: recentMessages.map(({ role, content }) => ({ role, content: map(content) })),
    importedMessages,
    ...(traceTail !== undefined && { traceTail: every(traceTail) }),
  };
}
