import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptedModel } from "@spfunctions/host/models";
import { openSqliteStore } from "@spfunctions/host/store";
import { sandboxState } from "@spfunctions/host/tools";

// A journal on disk: one process drives the folder, others read it as guests. `govern`, `openPlatform` and the runtimes take it.
const folder = await mkdtemp(join(tmpdir(), "host-example-"));
const store = await openSqliteStore({ folder });
const guest = await openSqliteStore({ folder, role: "guest" });
await guest.close();
await store.close();
await rm(folder, { recursive: true });

// A model that needs no network, and whether commands of an agent can be shut in on this machine: tried, not guessed.
console.log(scriptedModel([{ text: "hello" }]).name, (await sandboxState()).state);
