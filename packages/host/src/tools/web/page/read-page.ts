import { cutText } from "@spfunctions/contracts";
import type { Followed } from "../http/follow.ts";
import { upstreamFault } from "../http/web-faults.ts";
import { readContentType } from "./content-type.ts";
import { decodeText } from "./decode-text.ts";
import { htmlText, type HtmlText } from "./html/html-text.ts";
import { type PageKind, pageKind } from "./page-kind.ts";
import { visibleText } from "./visible-text.ts";

/** What a body comes to for whoever reads it. */
export type ReadPage = {
  readonly contentType?: string;
  readonly kind: PageKind;
  /** How the bytes were read. */
  readonly charset?: string;
  readonly title?: string;
  /** Unless it is binary. */
  readonly text?: string;
  /** Bytes that were read. */
  readonly bytes: number;
  readonly truncated: boolean;
};

type PageTerms = { readonly textChars: number; readonly signal: AbortSignal };

export async function readPage(followed: Followed, terms: PageTerms): Promise<ReadPage> {
  const { bytes, truncated } = followed;
  const type = readContentType(followed.headers["content-type"]?.[0]);
  const kind = pageKind(type, bytes);
  const said = {
    ...(type.essence !== undefined && { contentType: type.essence }),
    kind,
    bytes: bytes.length,
  };
  if (kind === "binary") return { ...said, truncated };
  const { text, charset } = decodeText(followed, type.charset, isMarkup(kind, type.essence));
  const read = kind === "html" ? await readHtml(text, followed, terms) : plain(text, terms.textChars);
  return { ...said, charset, ...read, truncated: truncated || read.truncated };
}

function isMarkup(kind: PageKind, essence: string | undefined): boolean {
  return kind === "html" || (essence ?? "").endsWith("xml");
}

function plain(text: string, most: number): HtmlText {
  const shown = visibleText(text);
  return { text: cutText(shown, most), truncated: shown.length > most };
}

async function readHtml(
  markup: string,
  { hops }: Followed,
  { textChars, signal }: PageTerms,
): Promise<HtmlText> {
  const { url, host } = hops.at(-1) ?? hops[0];
  try {
    return await htmlText(markup, { url, most: textChars, signal });
  } catch (fault) {
    signal.throwIfAborted();
    // Its source would show what it hides.
    throw upstreamFault(`the page of ${host} cannot be read as HTML`, "unreadable_page", fault);
  }
}
