import { expect, test } from "vitest";
import { unseenOf } from "./unseen-of.ts";

test.each([
  ["I add.\n\nAdded.", "I add.Added.", ""],
  ["I add.\n\nAdded.", "Added.", ""],
  ["I add.\n\nAdded.", "I add.", "Added."],
  ["I add.\n\nAdded.", "", "I add.\n\nAdded."],
  ["I add.\n\nAdded.", "I ask.", "I add.\n\nAdded."],
  ["I add.", "I add. And more.", "I add."],
  ["", "anything", ""],
  ["🦊 a 🦊", "🦊a", "🦊"],
  ["", "", ""],
])("of %j, where %j was seen, %j was not", (text, seen, unseen) => {
  expect(unseenOf(text, seen)).toBe(unseen);
});
