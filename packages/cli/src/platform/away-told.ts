import type { Fetch } from "@spfunctions/sdk";

/** Sends requests, and says once when the platform that a call waits for gives no answer, and once when it is back. */
export function awayTold(
  say: (text: string) => void,
  signal: AbortSignal,
  send: Fetch = (url, init) => fetch(url, init),
): Fetch {
  let isAway = false;
  const found = (isAwayNow: boolean) => {
    if (isAwayNow !== isAway)
      say(
        isAwayNow
          ? "no answer from the platform; it is asked again until it gives one"
          : "the platform is back",
      );
    isAway = isAwayNow;
  };
  return async (url, init) => {
    if (!isWaiting(url)) return await send(url, init);
    try {
      const response = await send(url, init);
      found(response.status >= 500);
      return response;
    } catch (error) {
      if (!signal.aborted) found(true);
      throw error;
    }
  };
}

/** Not who only looks: nobody asks again for them. */
function isWaiting(url: string): boolean {
  return /\/api\/approvals\/[^/?]+\?waitMs=[1-9]/.test(url);
}
