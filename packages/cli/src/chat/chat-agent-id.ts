/** Under which name the turns of chats are kept: only a chat goes on with them. */
export const chatAgentId = "sf-chat";
