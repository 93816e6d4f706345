import { readMarkup } from "./read-markup.ts";
import { StyleRules } from "./style-rules.ts";

/** The rules of all style sheets in a page: one at its end counts for what stands before it. */
export async function readStyles(markup: string, signal: AbortSignal): Promise<StyleRules> {
  const rules = new StyleRules();
  if (!/<style/i.test(markup)) return rules;
  let sheet: string | undefined;
  /** What stands in these does not count where scripts run. */
  let aside = 0;
  await readMarkup(
    markup,
    {
      open: (name, attributes) => {
        if (name === "noscript" || name === "template") aside += 1;
        const media = attributes.get("media")?.trim() ?? "";
        if (name === "style" && aside === 0 && /^(?:|all|screen)$/i.test(media)) sheet = "";
      },
      close: (name) => {
        if (name === "noscript" || name === "template") aside = Math.max(0, aside - 1);
        if (name !== "style" || sheet === undefined) return;
        rules.add(sheet);
        sheet = undefined;
      },
      text: (text) => {
        if (sheet !== undefined) sheet += text;
      },
      isDone: () => rules.isExhausted,
    },
    signal,
  );
  if (sheet !== undefined) rules.add(sheet);
  return rules;
}
