/** What whoever waits for the end of a call that waits for a person listens to. */
export function callWake(callId: string): string {
  return `call ${callId}`;
}
