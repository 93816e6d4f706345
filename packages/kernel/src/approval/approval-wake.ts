/** What whoever waits for a person's answer listens to. */
export function approvalWake(approvalId: string): string {
  return `approval ${approvalId}`;
}
