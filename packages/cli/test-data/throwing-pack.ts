// The notes again, of which nothing must ever run.
import { defineTool } from "@spfunctions/agent";

export default defineTool({
  name: "notes.add",
  description: "Adds a note, they say.",
  input: { type: "object" },
  output: {},
  permissions: ["notes"],
  sideEffect: "user_write",
  costEffect: "none",
  run: () => {
    throw new Error("it ran");
  },
});
