import * as fc from "fast-check";
import { inContext, sample, sampleTemplate } from "./generate.ts";
import { metForms } from "./met-forms.ts";
import { ordinaryStrings, placeholderStrings } from "./ordinary.ts";
import { sampleContexts, tokenFormats } from "./token-formats.ts";

const secretInPlace = fc
  .record({ format: fc.constantFrom(...tokenFormats), seed: fc.nat(20), place: fc.nat(5) })
  .map(({ format, seed, place }) => {
    const contexts = ["$", ...(format.contexts ?? [])];
    return inContext(contexts[place % contexts.length] ?? "$", sample(format, seed));
  });

const secretInContext = fc
  .record({
    context: fc.constantFrom(...sampleContexts),
    template: fc.constantFrom(
      "{alnum:32}",
      "{hex:40}",
      "{b64:40}",
      "{password}",
      "{jwtHeader}.{jwtClaims}.{b64url:43}",
    ),
    seed: fc.nat(20),
  })
  .map(({ context, template, seed }) => inContext(context, sampleTemplate(template, seed), "acme"));

/** What finders wait for, without what they wait for behind it. */
const bait = fc.constantFrom(
  ...'password= token: "secret" Bearer Basic :// @ -u -p = : => " \' ` \\" \\n -----BEGIN PRIVATE eyJ ghp_ sk- key'.split(
    " ",
  ),
  " ",
  "\n",
  "\r\n",
  "\t",
  "-----BEGIN RSA PRIVATE KEY-----\n",
  "\n-----END RSA PRIVATE KEY-----",
  '{"kty":"oct","k":"',
  "[redacted:secret]",
  "[redacted:github_token:0123456789ab]",
);

const piece = fc.oneof(
  { weight: 3, arbitrary: secretInPlace },
  { weight: 3, arbitrary: secretInContext },
  { weight: 2, arbitrary: fc.constantFrom(...metForms.map(([, text]) => text)) },
  { weight: 3, arbitrary: fc.constantFrom(...ordinaryStrings, ...placeholderStrings) },
  { weight: 3, arbitrary: bait },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom("😀", "\ud83d", "\ude00", "пароль", "密码", "\u200b", "\u0000") },
);

/** Texts mixed from secrets, ordinary text, near-secrets and any characters. */
export const anyMixedText: fc.Arbitrary<string> = fc
  .array(fc.tuple(piece, fc.constantFrom("", " ", "\n", "\r\n", ", ", ";", "\t", '"')), { maxLength: 8 })
  .map((pieces) => pieces.flat().join(""));
