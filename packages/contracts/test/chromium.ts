import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executablePath = "/usr/bin/chromium";
const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const isMissing = !existsSync(executablePath);
const reason = `${executablePath} is missing: install the Debian package chromium`;

/** In CI a missing browser is a failure: it would hide the promises that only a browser can prove. */
export const isChromiumSkipped: boolean = isMissing && process.env["CI"] !== "true";
if (isChromiumSkipped) console.warn(`skipped: ${reason}`);

export async function launchChromium(): Promise<Browser> {
  if (isMissing) throw new Error(reason);
  return await chromium.launch({ executablePath, args });
}
