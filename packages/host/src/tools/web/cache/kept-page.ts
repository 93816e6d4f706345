import { pageKinds } from "../page/page-kind.ts";
import type { Hop, Page } from "../page.ts";

/** A page as it was written down; undefined if the value is something else. */
export function readKeptPage(kept: unknown): Page | undefined {
  const { v, page } = membersOf(kept);
  return v === version && isPage(page) ? page : undefined;
}

/** What is written down of a page: plain JSON, without members that are undefined. */
export function keptPage(page: Page): unknown {
  return JSON.parse(JSON.stringify({ v: version, page }));
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
