/** Under which name the runs of the demo are kept: they go on with what it has, and nothing has to be named. */
export const demoAgentId = "sf-demo";
