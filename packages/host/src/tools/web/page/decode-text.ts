import type { Body } from "../http/read-body.ts";

export type Decoded = { readonly text: string; readonly charset: string };

/** How far a page is searched for what it says about itself, as browsers do. */
const prescanned = 1024;
const declared = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'>;/]+)/i;
const declaredXml = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)/i;

/**
 * A text by its byte-order mark, else by what the server says, else by what the page says, else as UTF-8. What no decoder knows is read
 * as UTF-8, and bytes that mean nothing become U+FFFD.
 */
export function decodeText({ bytes, truncated }: Body, said: string | undefined, isMarkup: boolean): Decoded {
  const decoder =
    decoderFor(charsetOfMark(bytes)) ??
    decoderFor(said) ??
    (isMarkup ? decoderFor(charsetInPage(bytes)) : undefined) ??
    new TextDecoder();
  // Half a character at the end of what was cut off is left out.
  return { text: decoder.decode(bytes, { stream: truncated }), charset: decoder.encoding };
}

export function charsetOfMark(bytes: Buffer): string | undefined {
  const mark = bytes.subarray(0, 3).toString("latin1");
  if (mark === "\xef\xbb\xbf") return "utf-8";
  if (mark.startsWith("\xff\xfe")) return "utf-16le";
  return mark.startsWith("\xfe\xff") ? "utf-16be" : undefined;
}

function charsetInPage(bytes: Buffer): string | undefined {
  const start = bytes
    .subarray(0, prescanned)
    .toString("latin1")
    .replaceAll(/<!--[^]*?(?:-->|$)/g, "");
  const label = (declaredXml.exec(start) ?? declared.exec(start))?.[1]?.toLowerCase();
  // The words could be read, so it is not what they say.
  return label?.startsWith("utf-16") === true ? "utf-8" : label;
}

function decoderFor(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
