// What an element's style says about being seen. It is judged by the element alone: a page can always hide text in a way that only a
// whole browser would notice. Where hiding and a usual way of laying out look the same, what is usual stays.
import type { Declarations } from "./css-declarations.ts";

export type Seen = {
  /** Nothing in it can be seen, whatever it says. */
  readonly isGone: boolean;
  /** What its text is, unless what is in it says otherwise: hidden or shown, and by which of the two ways. */
  readonly isInvisible?: boolean | undefined;
  readonly isTiny?: boolean | undefined;
};

type Read = (property: string) => string;

export function hidingStyle(declarations: Declarations): Seen {
  if (declarations.size === 0) return { isGone: false };
  const read: Read = (property) => declarations.get(property)?.value ?? "";
  const visibility = read("visibility");
  return {
    isGone: isGone(read),
    isInvisible: inherited.has(visibility) ? undefined : visibility === "hidden" || visibility === "collapse",
    isTiny: tinySize(read("font-size")),
  };
}

const inherited = new Set(["", "inherit", "unset", "revert", "revert-layer"]);
const relativeSizes = new Set(["smaller", "larger", ...inherited]);
const relativeUnits = new Set(["%", "em", "ex", "ch", "lh", "cap", "ic"]);

function isGone(read: Read): boolean {
  return (
    read("display") === "none" ||
    read("content-visibility") === "hidden" ||
    isFaint(read("opacity")) ||
    isFaint(/(?:^|\s)opacity\(([^)]{0,99})\)/.exec(read("filter"))?.[1] ?? "") ||
    isNothing(read("zoom")) ||
    isNothing(read("scale").split(" ")[0] ?? "") ||
    isFolded(read) ||
    isAway(read) ||
    isClipped(read) ||
    isMasked(read("mask")) ||
    isOfOneColour(read)
  );
}

/** At most one in twenty. */
function isFaint(value: string): boolean {
  const { number, unit } = measured(value);
  return unit === "%" ? number <= 5 : unit === "" && number <= 0.05;
}

function isNothing(value: string): boolean {
  return measured(value).number === 0;
}

/** Nothing where it goes by the size around it. */
function tinySize(value: string): boolean | undefined {
  const { number, unit } = measured(value);
  const isRelative = relativeSizes.has(value) || relativeUnits.has(unit);
  const least = unit === "%" ? 10 : unit.endsWith("em") ? 0.1 : 1;
  return number <= least || (isRelative ? undefined : false);
}

/** No room, and nothing sticks out of it. */
function isFolded(read: Read): boolean {
  const cuts = ["overflow", "overflow-x", "overflow-y"].some((name) =>
    /hidden|clip|scroll|auto/.test(read(name)),
  );
  return cuts && ["width", "height", "max-width", "max-height"].some((name) => isFlat(read(name)));
}

function isFlat(value: string): boolean {
  const { number, unit } = measured(value);
  return number === 0 || ((unit === "px" || unit === "pt") && number <= 1);
}

/** Where no window reaches. */
function isAway(read: Read): boolean {
  const position = read("position");
  const isMoved = position !== "" && position !== "static";
  if (isMoved && ["left", "right", "top", "bottom"].some((side) => isFar(read(side)))) return true;
  if (["margin-left", "margin-top", "text-indent"].some((side) => isFar(read(side)))) return true;
  if (read("translate").split(" ").some(isFar)) return true;
  const transform = read("transform");
  if (/scale(?:3d|x|y)?\(\s{0,9}0{0,99}\.?0{0,99}\s{0,9}[,)]/.test(transform)) return true;
  const moved = /translate(?:3d|x|y)?\(([^)]{0,999})\)/.exec(transform)?.[1] ?? "";
  return moved.split(",").some((part) => isFar(part.trim()));
}

function isFar(value: string): boolean {
  const { number, unit } = measured(value);
  if (unit === "%") return number <= -100;
  if (unit === "vw" || unit === "vh") return Math.abs(number) >= 100;
  return Math.abs(number) >= (unit === "em" || unit === "rem" ? 60 : 900);
}

function isClipped(read: Read): boolean {
  const sides = /^rect\(([^)]*)\)/.exec(read("clip"))?.[1]?.split(/[\s,]+/);
  if (sides?.filter((side) => side !== "").every((side) => measured(side).number <= 1) === true) return true;
  const path = read("clip-path");
  const inset = /^inset\(([^)]*)\)/.exec(path)?.[1]?.split(/\s+/) ?? [];
  if (inset.some((side) => side.endsWith("%") && measured(side).number >= 50)) return true;
  if (/^(?:circle|ellipse)\(\s*0/.test(path)) return true;
  const corners = /^polygon\(([^)]*)\)/.exec(path)?.[1]?.split(",") ?? [];
  return (
    corners.length > 0 && new Set(corners.map((corner) => corner.trim().replaceAll("px", ""))).size === 1
  );
}

/** Nothing is let through anywhere. */
function isMasked(mask: string): boolean {
  const [, parts = ""] = /^[a-z-]*gradient\(([^()]*)\)/.exec(mask) ?? [];
  const colours = parts.split(",").map((part) => part.trim().split(" ")[0] ?? "");
  const isDirected = /^(?:to|from|at|circle|ellipse|closest-.*|farthest-.*|[+-]?[.\d].*)$/.test(
    colours[0] ?? "",
  );
  const stops = isDirected ? colours.slice(1) : colours;
  return stops.length > 0 && stops.every((one) => colourOf(one) === "transparent");
}

/** The text has the colour of what is behind it, or none. */
function isOfOneColour(read: Read): boolean {
  const colours = [colourOf(read("color")), colourOf(read("-webkit-text-fill-color"))];
  if (colours.every((colour) => colour === "")) return false;
  // Text that is cut out of its background is painted by it.
  if (`${read("background-clip")} ${read("-webkit-background-clip")} ${read("background")}`.includes("text"))
    return false;
  if (colours.includes("transparent")) return true;
  const behind = colourOf(read("background-color")) || colourOf(read("background"));
  return behind !== "" && colours.includes(behind);
}

const named = new Map([
  ["black", "#000000"],
  ["white", "#ffffff"],
  ["red", "#ff0000"],
  ["lime", "#00ff00"],
  ["blue", "#0000ff"],
  ["gray", "#808080"],
  ["grey", "#808080"],
]);

/** The same text for the same colour, where that is easily seen. */
function colourOf(value: string): string {
  const known = named.get(value);
  if (known !== undefined) return known;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])([0-9a-f])?$/.exec(value);
  const long =
    short === null
      ? value
      : `#${short
          .slice(1)
          .map((digit) => (digit ?? "").repeat(2))
          .join("")}`;
  if (/^#[0-9a-f]{6}00$/.test(long)) return "transparent";
  if (/^#[0-9a-f]{6}(?:ff)?$/.test(long)) return long.slice(0, 7);
  const parts =
    /^rgba?\(([^)]*)\)$/
      .exec(value)?.[1]
      ?.split(/[\s,/]+/)
      .filter((part) => part !== "") ?? [];
  if (parts.length < 3) return value;
  if (parts[3] !== undefined && measured(parts[3]).number === 0) return "transparent";
  return `#${parts
    .slice(0, 3)
    .map((part) =>
      Math.min(255, Math.max(0, Math.trunc(Number(part)) || 0))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

/** A length or a share; no number at all is no measure, and compares with nothing. */
function measured(value: string): { readonly number: number; readonly unit: string } {
  const found = /^(?:calc\(\s*)?([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)\s*\)?$/.exec(value);
  return { number: found === null ? Number.NaN : Number(found[1]), unit: found?.[2] ?? "" };
}
