// The five forms in which text with a secret in it comes to redaction, and whether the secret survives there.
import { redact } from "../../src/redact/redact.ts";
import { redactText } from "../../src/redact/redact-text.ts";
import { SecretRegistry } from "../../src/redact/held-secrets.ts";
import { survivingPart } from "./surviving.ts";

const secrets = new SecretRegistry();
const options = { secrets };

/** What is left of a text after redaction, in the form that it comes in, read as it was before it was put into that form. */
export const fiveForms: Readonly<Record<string, (text: string) => string>> = {
  "as text": (text) => redactText(text, options),
  "nested in JSON": (text) => {
    const result = {
      content: [{ type: "text", text: JSON.stringify({ found: [{ note: text }] }) }],
      ok: true,
    };
    const [item] = (redact(result, options) as typeof result).content;
    return textIn(item?.text ?? "");
  },
  "in errors": (text) => {
    const error = redact(
      new Error(`The request failed: ${text}`, { cause: new TypeError(text) }),
      options,
    ) as Error;
    return `${error.message}\n${(error.cause as Error).message}\n${error.stack ?? ""}`;
  },
  "in log lines": (text) =>
    redactText(
      `2026-11-19T01:50:55.123Z ERROR [worker-3] request 8f14e45f: ${text} (status=500, took=12ms)`,
      options,
    ),
  "percent-encoded": (text) => {
    const query = redactText(
      `GET /v1/notes?page=2&note=${encodeURIComponent(text)}&sort=name HTTP/1.1`,
      options,
    );
    return query.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
      Buffer.from(run.replaceAll("%", ""), "hex").toString(),
    );
  },
};

/** What a JSON text says, also where a placeholder broke its end. */
function textIn(json: string): string {
  try {
    const { found } = JSON.parse(json) as { found: { note: string }[] };
    return found.map(({ note }) => note).join("\n");
  } catch {
    return json.replaceAll(/\\n/g, "\n").replaceAll(/\\(["\\/])/g, "$1");
  }
}

/** Whether so much of a secret is left in what redaction gives that it leaks. */
export function survives(form: string, text: string, secret: string, fixed: readonly string[] = []): boolean {
  return survivingPart(fiveForms[form]?.(text) ?? text, secret, fixed) !== null;
}
