// Every text with a secret in it that recall is measured on.
import { missedForms, otherForms, placedSecrets } from "./forms.ts";
import { inContext, sample, sampleTemplate } from "./generate.ts";
import { othersOf } from "./surviving.ts";
import { identifierNames, sampleContexts, tokenFormats } from "./token-formats.ts";

/** A text, the secret in it, and what the secret shares with others of its format: that is no leak. */
export type CorpusText = {
  readonly text: string;
  readonly secret: string;
  readonly fixed: readonly string[];
};

/** Values that nothing but their place gives away. */
const templates = ["{alnum:32}", "{hex:40}", "{hex:32}", "{b64:40}", "{b64url:43}", "{lowernum:24}"];

/** The corpus in its parts, with values of these seeds. */
export function corpusOf(seeds: readonly number[]): Readonly<Record<string, readonly CorpusText[]>> {
  const values = templates.flatMap((template) => seeds.map((seed) => sampleTemplate(template, seed)));
  const plain = (text: string, secret: string): CorpusText => ({ text, secret, fixed: [] });
  return {
    "documented formats": tokenFormats.flatMap((format) => {
      const fixed = othersOf(format);
      const contexts = [...(format.standsAlone ? ["$"] : []), ...(format.contexts ?? [])];
      return seeds.flatMap((seed) => {
        const secret = sample(format, seed);
        return contexts.map((context) => ({ text: inContext(context, secret), secret, fixed }));
      });
    }),
    "ways of writing an assignment": sampleContexts.flatMap((context) =>
      values.map((secret) => plain(inContext(context, secret, "acme"), secret)),
    ),
    "names that people give to secrets": identifierNames.flatMap((name) =>
      values
        .slice(0, 2 * seeds.length)
        .flatMap((secret) => [
          plain(`${name}=${secret}`, secret),
          plain(`${name.toUpperCase()}: "${secret}"`, secret),
        ]),
    ),
    "files, commands, requests and logs": [
      ...placedSecrets(otherForms, seeds),
      ...placedSecrets(missedForms, seeds),
    ].map(({ text, secret }) => plain(text, secret)),
  };
}
