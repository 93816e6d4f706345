import { expect, test } from "vitest";
import { connectEmbedded } from "./connect-embedded.ts";

test.each([[undefined], [Promise.resolve()]])("what is no platform is refused at once: %s", (given) => {
  expect(() => connectEmbedded(given as never)).toThrow("connectEmbedded(await openPlatform(");
});
