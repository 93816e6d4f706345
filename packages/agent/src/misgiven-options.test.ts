// G1: an option that would be misread is refused where it is given, and not at the first call.
import { describe, expect, test } from "vitest";
import { govern, type GovernOptions } from "./index.ts";

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read"], kind: "local" } as const;
const given = { packs: [], policy: {}, principal };
const open = (more: object) => () => govern({ ...given, ...more } as unknown as GovernOptions<[]>);

describe("what governs is not ignored where it is misspelt:", () => {
  test.each<[string, object, string]>([
    [
      "a policy of one's own",
      { evaluatePretool: () => ({ type: "deny" }) },
      "unknown option evaluatePretool; did you mean evaluatePreTool?",
    ],
    ["a limit", { limits: { callMS: 5 } }, "unknown limit callMS; did you mean callMs?"],
    ["limits in no object", { limits: 5 }, "each limit stands in an object"],
  ])("%s", (_, more, message) => {
    expect(open(more)).toThrow(message);
  });
});
