// Opens a store on PostgreSQL, uses it, closes it or not, and ends when nothing keeps it any more: nobody tells it to.
import { openPostgresStore } from "@spfunctions/host/store";
import { chainWriter } from "./chain-writer.ts";

const [url = "", end] = process.argv.slice(2);
const store = await openPostgresStore({ url, renewMs: 50 });
store.listen(() => undefined);
const writer = await chainWriter(store, "run-1");
await Promise.all([
  store.commit(writer.next("1")),
  store.accountsWith("k", "s"),
  store.accountsWith("k", "s"),
]);
if (end === "close") await store.close();
console.log(end);
