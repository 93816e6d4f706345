// What no page may say, and no example show. Each gives the sentences of a text that say it.

/** The sentences of a page, without where its links lead: of paragraphs, list items and cells of tables; of code, its lines. */
function sentencesOf(text: string): string[] {
  return text.split(/^(```[\s\S]*?^```)/m).flatMap((part) => {
    if (part.startsWith("```")) return part.split("\n");
    return part
      .replaceAll(/\]\([^)]*\)/g, "]")
      .split(/\n\s*\n|\n(?=\s*[-*|#>] ?)|(?<=\S) \| |<br>/)
      .flatMap((block) => block.replaceAll(/\s+/g, " ").split(/(?<=[.!?]) /));
  });
}

const denies =
  /\b(?:no|not|cannot|none|never|nothing|nobody|neither|nor|without|refuse[sd]?|reject(?:s|ed)?|unpublished)\b/i;

const breath = /[,;:()]| and | but | so /;

/** Sentences that say something; one that denies it in the same breath does not. */
const saying =
  (...patterns: readonly RegExp[]) =>
  (text: string): string[] =>
    sentencesOf(text).filter((one) =>
      patterns.some((pattern) =>
        [...one.matchAll(new RegExp(pattern, `${pattern.flags}g`))].some(({ 0: match, index }) => {
          const end = index + match.length;
          const [before = ""] = one.slice(0, end).split(breath).toReversed();
          const [after = ""] = one.slice(end).split(breath);
          return !denies.test(before + after);
        }),
      ),
    );

const agent = /Agent SDK|@spfunctions\/agent|SimpleFunctions(?:Agent|Runtime)|[Dd]irect runner/.source;
const cli = /(?:the |our )?(?:CLI|command line|`?sf`?(?: agent`?)?)(?!\w|\.\w)/.source;
const being =
  /(?:is|are|wraps|spawns|starts|runs|means|shells out to|stands for)(?: (?:just|only|simply|a|an|another name (?:of|for)|wrapper (?:of|for|around)))* /
    .source;

/** How a page gets hold of what is for a browser. */
const browserCode = /<script|\bdocument\.|\bwindow\.|"use client"|\bReact\b|import\.meta\.env|NEXT_PUBLIC_/;
const longLived = /\bSF_API_KEY\b|sf_live_|(?:NEXT_PUBLIC|VITE)_\w*KEY/;

/** That a package of ours can be had from a registry. */
export function saysPublished(text: string): string[] {
  return [
    ...saying(
      /\bpublish(?:es|ed|ing)?\b/i,
      /\b(?:on|in|to|via|through) (?:the )?(?:public )?npm\b/i,
      /\bnpm(?:js|'s)? registry\b|\bnpmjs\b/i,
      /@spfunctions.*\bfrom npm\b/i,
    )(text),
    // Who is told how to install it is told that it is there, whatever else the sentence says.
    ...sentencesOf(text).filter((one) =>
      /\b(?:npm|pnpm|yarn|bun|deno) (?:i|install|add|exec|dlx|x)\b.*@spfunctions|\b(?:npx|bunx)\b.*@spfunctions|(?:npm|jsr):@spfunctions|(?:npmjs\.com|unpkg\.com|jsdelivr\.net|esm\.sh)\S*@spfunctions/.test(
        one,
      ),
    ),
  ];
}

/** That the Agent SDK is the command line, or runs it. */
export const saysAgentIsCommandLine = saying(
  new RegExp(`(?:${agent}).*\\b${being}${cli}`),
  new RegExp(`${cli} ${being}.*(?:${agent})`),
);

/** That SDK or agent go by the broad list of tools, which is not the manifest. */
export function goesByBroadList(text: string): string[] {
  return [
    ...saying(/\bbroad (?:\w+ )?(?:tools?|lists?|catalog(?:ue)?|names)\b/i)(text),
    // Its address is named in one way only: as what it is not.
    ...sentencesOf(text).filter((one) => /(?<!\bnot `?)\/api\/tools\b/.test(one)),
  ];
}

/** Whether a key is one that a platform has made in the same text, or a token that was lent there. */
function isMadeHere(key: string, text: string): boolean {
  return (
    (/^(?:\w+\.)?secret$/.test(key) && /\.createKey\(/.test(text)) ||
    (/^(?:\w+\.)?token$/.test(key) && /\.tokens\.create\(|fetch\("\/token"/.test(text))
  );
}

/** Clients over HTTP that are made with another key than that of the environment, or one that was made there. */
export function takesOtherKey(text: string): string[] {
  return [...text.matchAll(/\bnew SimpleFunctions\((?:\s*\{(?:\$\{[^}]*\}|[^}])*\})?/g)]
    .map(([made]) => made)
    .filter((made) => {
      const [, key = ""] = /\bapiKey: ([^,}]*[^,}\s])/.exec(made) ?? [];
      return !/^process\.env(?:\.SF_API_KEY|\["SF_API_KEY"\])$/.test(key) && !isMadeHere(key, text);
    });
}

/** Clients of a platform in the same process that are made with a key which that platform has not made there. */
export function takesForeignKey(text: string): string[] {
  return [...text.matchAll(/\bconnectEmbedded\([^)]*\bapiKey: ([\w.]+|["'`])/g)]
    .filter(([, key = ""]) => !isMadeHere(key, text))
    .map(([made]) => made);
}

const page = /\b(?:browsers?|pages?|front-?end|web app)\b/.source;
const key = /(?:\blong-lived\b(?! agent)|\bSF_API_KEY\b|sf_live_)/.source;

/** The blocks of a page; of anything else, all of it. */
function codeIn(text: string): readonly string[] {
  return text.match(/^```[\s\S]*?^```/gm) ?? (/^(?:# |<!-- )/.test(text) ? [] : [text]);
}

/** A long-lived key in what is for a browser, or advice to put one there. */
export function showsBrowserKey(text: string): string[] {
  return [
    ...codeIn(text).filter((code) => browserCode.test(code) && longLived.test(code)),
    ...saying(new RegExp(`${page}.*${key}|${key}.*${page}`, "i"))(text),
  ];
}

/** A key in full. */
export function showsWholeKey(text: string): string[] {
  return text.match(/sf_live_[\w-]{32}/g) ?? [];
}
