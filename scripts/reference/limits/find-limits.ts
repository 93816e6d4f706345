// A limit is declared where it stands, in the doc comment of its constant:
//
//   @limit <name> | <what happens at it> | <how it is set, or "fixed: why">     for a number
//   @limits <group> | <how each is set>                                         for an object of them, whose members say
//   @at <what happens at it>
//
// What it bounds is said by the rest of the comment; of a member also by the type of the object.
import { globSync } from "node:fs";
import { type Constant, constantsOf, keyOf, objectIn, typeDocsOf } from "../source/constants.ts";
import { type ConstantValue, constantValue } from "../source/constant-value.ts";
import { docBefore, inOneLine, parsedSource, root } from "../source/parsed-source.ts";

export type Limit = {
  readonly name: string;
  readonly value: ConstantValue;
  readonly bounds: string;
  readonly atIt: string;
  readonly isSet: string;
};

/** What is said in a doc comment besides its tag, and what the tag says, part by part. */
type Told = { readonly text: string; readonly parts: readonly string[] };

function sourceFiles(): string[] {
  return globSync("packages/*/src/**/*.ts", { cwd: root })
    .filter((file) => !/\.test(?:-d)?\.ts$|\/conformance\//.test(file))
    .toSorted();
}

/** Every constant of the packages that is numbers alone. */
export function numbersOfPackages(): { readonly constant: Constant; readonly value: ConstantValue }[] {
  return sourceFiles()
    .flatMap((file) => constantsOf(parsedSource(file)))
    .flatMap((constant) => {
      const value = constantValue(constant.source, constant.init);
      return value === undefined ? [] : [{ constant, value }];
    });
}

/** Every limit that is declared, in the order of their names. A name stands for one. */
export function findLimits(): Limit[] {
  const limits = numbersOfPackages().flatMap(({ constant, value }) => limitsOf(constant, value));
  const twice = limits.find(({ name }, index) => limits.findIndex((one) => one.name === name) !== index);
  if (twice !== undefined) throw new Error(`two limits are called ${twice.name}`);
  return limits.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function isDeclared({ doc }: Constant): boolean {
  return told(doc, "limit") !== undefined || told(doc, "limits") !== undefined;
}

function limitsOf(constant: Constant, value: ConstantValue): Limit[] {
  const one = told(constant.doc, "limit");
  if (one !== undefined) {
    const [name = "", atIt = "", isSet = ""] = one.parts;
    return [complete({ name, value, bounds: one.text, atIt, isSet }, constant)];
  }
  const group = told(constant.doc, "limits");
  return group === undefined || typeof value === "number" ? [] : membersOf(constant, value, group);
}

function membersOf(
  constant: Constant,
  values: Exclude<ConstantValue, number>,
  { parts: [group = "", isSet = ""] }: Told,
): Limit[] {
  const types = typeDocsOf(constant);
  return (objectIn(constant.init)?.properties ?? []).flatMap((member) => {
    const key = member.type === "Property" ? keyOf(member) : undefined;
    const value = key === undefined ? undefined : values[key];
    if (key === undefined || value === undefined) return [];
    const said = told(docBefore(constant.source, member), "at");
    const bounds = said?.text || (types.get(key) ?? "");
    const limit = { name: `${group}.${key}`, value, bounds, atIt: said?.parts[0] ?? "", isSet };
    return [complete(limit, constant)];
  });
}

function told(doc: string | undefined, tag: string): Told | undefined {
  const found = new RegExp(`(?:^|\\s)@${tag} `).exec(doc ?? "");
  if (doc === undefined || found === null) return undefined;
  const parts = doc.slice(found.index + found[0].length).split(" | ");
  return {
    text: inOneLine(doc.slice(0, found.index)).trim(),
    parts: parts.map((part) => inOneLine(part).trim()),
  };
}

function complete(limit: Limit, { source, name }: Constant): Limit {
  const missing = Object.entries(limit).find(([, said]) => said === "");
  if (missing !== undefined || !/^[a-z][A-Za-z]*\.[a-z][A-Za-z_]*$/.test(limit.name))
    throw new Error(
      `${source.file}: of the limit ${limit.name || name} it is not said ${missing?.[0] ?? "how it is called"}`,
    );
  return limit;
}
