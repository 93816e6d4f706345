// The page: it asks its own backend for a token, and the platform with that. It never sees a key.
import { SimpleFunctions } from "@spfunctions/sdk";

const client = fetch("/token", { method: "POST" }).then(async (answer) => {
  const { token } = (await answer.json()) as { token: string };
  return new SimpleFunctions({ baseUrl: `${location.origin}/governed`, apiKey: token });
});
const show = (text: string) => document.querySelector("output")?.replaceChildren(text);

/** Shows what becomes of a call when its button is pressed. */
function onPress(button: string, call: (sf: SimpleFunctions) => Promise<string>) {
  const press = () => void client.then(call).then(show, ({ code }: { code: string }) => show(code));
  document.querySelector(button)?.addEventListener("click", press);
}

onPress("#read", async (sf) => `${(await sf.world.read()).counts.markets} markets`);
onPress("#write", async (sf) => (await sf.watchlists.add({ name: "mine", tickers: [] })).watchlist.name);
