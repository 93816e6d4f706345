import { findConstant } from "./constants.ts";
import { docBefore, inOneLine, parsedSource } from "./parsed-source.ts";

/** What is said of each word of a list that is a constant of a module, in its order. */
export function docsOfList(file: string, name: string): ReadonlyMap<string, string> {
  const constant = findConstant(parsedSource(file), name);
  const init = constant?.init.type === "TSAsExpression" ? constant.init.expression : constant?.init;
  if (constant === undefined || init?.type !== "ArrayExpression")
    throw new Error(`${file} has no list ${name}`);
  const { source } = constant;
  return new Map(
    init.elements.flatMap((element) =>
      element?.type === "Literal" && typeof element.value === "string"
        ? [[element.value, inOneLine(docBefore(source, element))] as const]
        : [],
    ),
  );
}
