// The kinds of documents that the kernel keeps. No tool writes one, whatever it is about (G4): it would forge what others believe.

export const segmentKind = "segment";
export const journalKind = "journal";
/** Effects of which nobody knows what became. */
export const effectKind = "effect";
export const contractKind = "contract";
export const installationKind = "installation";
/** The list of runs: one document each, which changes in the commit of the record that changes the run's state. */
export const runKind = "run";
export const packageKind = "package";
export const sessionKind = "session";
export const approvalKind = "approval";
export const grantKind = "grant";
/** Which approval was asked for about a call, by what an approval must fit. */
export const askedKind = "asked";
export const capabilityKind = "capability";
/** The one kind of document that a process may write beside the one that drives the store. */
export const inboxKind = "inbox";
export const traceKind = "trace";

export const kernelKinds: ReadonlySet<string> = new Set([
  segmentKind,
  journalKind,
  effectKind,
  contractKind,
  installationKind,
  runKind,
  packageKind,
  sessionKind,
  approvalKind,
  grantKind,
  askedKind,
  capabilityKind,
  inboxKind,
  traceKind,
]);
