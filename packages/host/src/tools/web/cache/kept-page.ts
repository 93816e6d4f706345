import { pageKinds } from "../page/page-kind.ts";
import type { Hop, Page } from "../page.ts";

/** A page as it was written down; nothing where a document is something else, whoever wrote it. */
export function readKeptPage(body: string): Page | undefined {
  let kept: unknown;
  try {
    kept = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { v, page } = membersOf(kept);
  return v === version && isPage(page) ? page : undefined;
}

export function keptText(page: Page): string {
  return JSON.stringify({ v: version, page });
}

const version = 1;

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown) => typeof value === "string" && value.isWellFormed();
const isTextOrNone = (value: unknown) => value === undefined || isText(value);

const members: { readonly [Key in keyof Required<Page>]: (value: unknown) => boolean } = {
  status: (value) => isCount(value) && (value as number) >= 200 && (value as number) < 300,
  hops: (value) => Array.isArray(value) && value.length > 0 && value.every(isHop),
  fetchedAt: isCount,
  kind: (value) => (pageKinds as readonly unknown[]).includes(value),
  bytes: isCount,
  truncated: (value) => typeof value === "boolean",
  contentType: isTextOrNone,
  charset: isTextOrNone,
  title: isTextOrNone,
  text: isTextOrNone,
};

function isPage(value: unknown): value is Page {
  const given = membersOf(value);
  return (
    Object.keys(given).every((key) => Object.hasOwn(members, key)) &&
    Object.entries(members).every(([key, fits]) => fits(given[key]))
  );
}

function isHop(value: unknown): value is Hop {
  const { url, isLocal, ...others } = membersOf(value);
  return (
    typeof url === "string" &&
    URL.canParse(url) &&
    typeof isLocal === "boolean" &&
    Object.keys(others).length === 0
  );
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
