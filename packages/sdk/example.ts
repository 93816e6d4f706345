import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { createMemoryStore, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";

// Over a socket it is `new SimpleFunctions({ apiKey: process.env.SF_API_KEY, baseUrl })`; here the platform is in this process.
const installation = openInstallation(newInstallationSecret());
const platform = await openPlatform({ store: createMemoryStore(), installation });
const { secret } = await platform.createKey("me", { name: "desk", scopes: ["read"] });
const sf = connectEmbedded(platform, { apiKey: secret });

const { data, receipt } = await sf.runtime.status().withReceipt();
console.log(data.state, receipt?.verdict.outcome);

// A refusal is one error class for each code, with the gate that stopped it.
try {
  await sf.runtime.stop();
} catch (error) {
  if (isSimpleFunctionsError(error)) console.log(error.code, error.details?.verdict?.gate);
}
await platform.close();
