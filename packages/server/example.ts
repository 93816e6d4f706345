import { createMemoryStore, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { listen, openPlatform } from "@spfunctions/server";

const platform = await openPlatform({
  store: createMemoryStore(),
  installation: openInstallation(newInstallationSecret()),
  log: (line) => console.error(JSON.stringify(line)),
});
const { secret } = await platform.createKey("me", { name: "desk", scopes: ["read"] });

// One function is the whole platform; a socket is only one way to call it.
const { url, close } = await listen(platform, { port: 0 });
const headers = { authorization: `Bearer ${secret}` };
console.log(
  (await fetch(`${url}/api/runtime`, { headers })).status,
  (await fetch(`${url}/api/runtime`)).status,
);
await close();
await platform.close();
