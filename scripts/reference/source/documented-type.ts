import type { TSPropertySignature } from "oxc-parser";
import { literalsIn, typeIn } from "./constants.ts";
import { docBefore, inOneLine, type ParsedSource, parsedSource } from "./parsed-source.ts";

/** A member of a type, as it is written. */
export type TypeMember = {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly doc: string;
};

/** The members of a type that is written out in a module, in their order. A parameter stands for what it has to be. */
export function membersOfType(file: string, name: string): TypeMember[] {
  const source = parsedSource(file);
  const found = typeIn(source, name);
  if (found === undefined) throw new Error(`${file} has no type ${name}`);
  const bounds = new Map(
    (found.typeParameters?.params ?? []).flatMap(({ name: { name: parameter }, constraint }) =>
      constraint === null ? [] : [[parameter, textOf(source, constraint)] as const],
    ),
  );
  return literalsIn(found.typeAnnotation).map((member) => {
    if (member.type !== "TSPropertySignature" || member.key.type !== "Identifier")
      throw new Error(`${file}: ${name} has a member without a plain name`);
    const type = typeOf(source, member);
    return {
      name: member.key.name,
      type: bounds.get(type) ?? type,
      isOptional: member.optional,
      doc: inOneLine(docBefore(source, member)),
    };
  });
}

/** That it may be left out is said by its mark. */
function typeOf(source: ParsedSource, { typeAnnotation }: TSPropertySignature): string {
  const type = typeAnnotation && textOf(source, typeAnnotation.typeAnnotation);
  return inOneLine(type?.replace(/ \| undefined$/, "").replace(/^\((.*)\)$/s, "$1"));
}

function textOf(
  { text }: ParsedSource,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  return text.slice(start, end);
}
