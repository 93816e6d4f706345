/** `WXHIGH-LIS-26NOV17-T24` is called `LIS-WXHIGH-26NOV17-OVER24` at the mirror. */
export function mirroredTicker(ticker: string): string {
  const [question = "", subject = "", date = "", strike = ""] = ticker.split("-");
  return `${subject}-${question}-${date}-OVER${strike.slice(1)}`;
}

/** What a market of the mirror is called at the embedded venue; for what is none, something that is no ticker there either. */
export function originalTicker(ticker: string): string {
  const [, subject = "", question = "", date = "", strike = ""] =
    /^([A-Z0-9]{1,12})-([A-Z0-9]{1,12})-([A-Z0-9]{7})-OVER([A-Z0-9]{1,12})$/.exec(ticker) ?? [];
  return `${question}-${subject}-${date}-T${strike}`;
}

/** The same question in another order: `On 17 Nov 2026, will the high in Lisbon be over 24 °C?` */
export function mirroredTitle(title: string): string {
  const [, claim = title, when = ""] =
    /^Will (.*) ((?:on|in the [a-z]+ (?:to|of)) \d{1,2} [A-Z][a-z]{2} \d{4})\?$/.exec(title) ?? [];
  const reworded = claim.replace("be above", "be over");
  return `${when.slice(0, 1).toUpperCase()}${when.slice(1)}, will ${reworded}?`;
}
