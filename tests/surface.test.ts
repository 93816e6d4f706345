// The public surface of each package is listed by hand: a change here is a decision, not an accident. (That of contracts is
// long, and lies in the package.)
import { describe, expect, test } from "vitest";

const surfaces: Record<string, readonly string[]> = {
  "@spfunctions/kernel": [
    "AccountJournals",
    "Openings",
    "Seat",
    "bestHits",
    "bm25",
    "countWords",
    "createMemorySearchIndex",
    "createMemoryStore",
    "defaultCallLimits",
    "defineTool",
    "endOfEvents",
    "exportTrace",
    "findDocuments",
    "findRun",
    "hasRunEnded",
    "installationAccount",
    "isSignedBy",
    "keptLevels",
    "newInstallationSecret",
    "openInstallation",
    "openReplay",
    "problemsOf",
    "randomIds",
    "readAccountEvents",
    "readKept",
    "readTrace",
    "registerPacks",
    "segmentsOf",
    "signingKeyId",
    "startOfEvents",
    "systemClock",
    "traceEntries",
    "traceSealText",
    "unknownEffects",
    "verifyAccount",
    "verifyReceipt",
    "wordsOf",
  ],
  "@spfunctions/kernel/conformance": ["searchConformance", "storeConformance"],
  "@spfunctions/markets": ["fixedAnswerModel", "openMarkets", "realVenues"],
  "@spfunctions/host/store": ["openSqliteSearchIndex", "openSqliteStore"],
  "@spfunctions/host/installation": [
    "configFolderOf",
    "isPublicKey",
    "knownSigners",
    "loadInstallation",
    "makeKeyFile",
    "pinSigner",
    "readKeyFile",
  ],
  "@spfunctions/agent": ["defineTool", "govern"],
  "@spfunctions/sdk": ["SimpleFunctions", "connectEmbedded"],
  "@spfunctions/server": ["defaultPlatformLimits", "firstKeys", "listen", "openPlatform"],
  "@spfunctions/cli": ["runCli"],
};

describe("exports these values, and no others:", () => {
  test.each(Object.entries(surfaces))("%s", async (entry, values) => {
    expect(Object.keys((await import(entry)) as object).toSorted()).toStrictEqual(values);
  });
});
