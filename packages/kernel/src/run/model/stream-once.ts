// What a model says while it says it is for whoever watches, and for nobody else: nothing acts on it before it is on record whole.
import { createTextRedactor } from "@spfunctions/contracts";
import type { ModelAdapter, ModelCompleteInput } from "../../model/model-adapter.ts";

/** Gives back the model's last word, which is its answer. A stream without one has broken off. */
export async function streamOnce(
  stream: NonNullable<ModelAdapter["stream"]>,
  request: ModelCompleteInput,
  tell: (text: string) => void,
): Promise<unknown> {
  // S1: a secret is hidden also where it comes in pieces.
  const hiding = createTextRedactor();
  const say = (text: string) => {
    if (text !== "" && !request.signal.aborted) tell(text);
  };
  for await (const event of stream(request)) {
    // Whoever is waited for no more is listened to no more, also if it does not hear of that.
    if (request.signal.aborted) break;
    if (event.type === "text.delta" && typeof event.text === "string") say(hiding.push(event.text));
    if (event.type !== "done") continue;
    say(hiding.end());
    return event.result;
  }
  throw new Error("its stream broke off before its last word");
}
