// The names that parents direct their children by. No child has a tool of one of them, and no subagent can be called so.

export const controlToolNames = [
  "subagent.send_message",
  "subagent.reply_to_clarification",
  "subagent.monitor",
] as const;

/** All that are taken away from children, by their compat names. */
export const parentControlToolIds = [
  "tool.subagent_send_message",
  "tool.subagent_reply_to_clarification",
  "tool.subagent_ask_parent",
  "tool.subagent_read_parent_messages",
  "tool.subagent_monitor",
] as const;

/** Whether a tool of this name would be taken for one of them. */
export function isControlName(name: string): boolean {
  const id = `tool.${name.replaceAll(".", "_")}`;
  return parentControlToolIds.some((one) => one === id);
}
