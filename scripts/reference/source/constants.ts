import { dirname, join } from "node:path";
import type {
  BindingIdentifier,
  Expression,
  ObjectProperty,
  Statement,
  TSSignature,
  TSType,
  TSTypeAliasDeclaration,
} from "oxc-parser";
import { docBefore, inOneLine, type ParsedSource, parsedSource } from "./parsed-source.ts";

/** A constant of a module, with what is said of it. */
export type Constant = {
  readonly source: ParsedSource;
  readonly name: string;
  readonly init: Expression;
  readonly doc: string | undefined;
  /** Of the type that it is declared with. */
  readonly typeName: string | undefined;
};

/** Every constant at the top of a module. */
export function constantsOf(source: ParsedSource): Constant[] {
  return source.program.body.flatMap((statement) => {
    const declaration = declared(statement);
    if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "const") return [];
    const doc = docBefore(source, statement);
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === "Identifier" && init !== null
        ? [{ source, name: id.name, init, doc, typeName: typeNameOf(id) }]
        : [],
    );
  });
}

function typeNameOf({ typeAnnotation }: BindingIdentifier): string | undefined {
  const type = typeAnnotation?.typeAnnotation;
  return type?.type === "TSTypeReference" && type.typeName.type === "Identifier"
    ? type.typeName.name
    : undefined;
}

function declared(statement: Statement) {
  return statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
}

/** A constant by its name in a module: its own, or one that it imports from a module beside it. */
export function findConstant(source: ParsedSource, name: string): Constant | undefined {
  const own = constantsOf(source).find((one) => one.name === name);
  if (own !== undefined) return own;
  for (const statement of source.program.body) {
    if (statement.type !== "ImportDeclaration" || !statement.source.value.startsWith(".")) continue;
    const specifier = statement.specifiers.find(({ local }) => local.name === name);
    if (specifier?.type !== "ImportSpecifier" || specifier.imported.type !== "Identifier") continue;
    const file = join(dirname(source.file), statement.source.value);
    return findConstant(parsedSource(file), specifier.imported.name);
  }
  return undefined;
}

/** The object literal that an expression is, or is made with: `strictObject({ … })`, `Object.freeze({ … })`. */
export function objectIn(
  expression: Expression,
): Extract<Expression, { type: "ObjectExpression" }> | undefined {
  switch (expression.type) {
    case "ObjectExpression":
      return expression;
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return objectIn(expression.expression);
    case "CallExpression": {
      const [first] = expression.arguments;
      const inArgument = first === undefined || first.type === "SpreadElement" ? undefined : objectIn(first);
      if (inArgument !== undefined) return inArgument;
      // strictObject({ … }).optional()
      return expression.callee.type === "MemberExpression" ? objectIn(expression.callee.object) : undefined;
    }
    default:
      return undefined;
  }
}

export function keyOf({ key, computed }: ObjectProperty): string | undefined {
  if (computed) return undefined;
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" && typeof key.value === "string" ? key.value : undefined;
}

/** What is said of each member by the type that a constant is declared with, in the same module. */
export function typeDocsOf({ source, typeName }: Constant): ReadonlyMap<string, string> {
  const found = typeIn(source, typeName);
  if (found === undefined) return new Map();
  return new Map(literalsIn(found.typeAnnotation).flatMap((member) => memberDoc(source, member)));
}

/** A type of a module, by its name. */
export function typeIn(source: ParsedSource, name: string | undefined): TSTypeAliasDeclaration | undefined {
  return source.program.body
    .map(declared)
    .find(
      (one): one is TSTypeAliasDeclaration => one?.type === "TSTypeAliasDeclaration" && one.id.name === name,
    );
}

/** The members that a type is written with. */
export function literalsIn(type: TSType): TSSignature[] {
  if (type.type === "TSTypeLiteral") return type.members;
  return type.type === "TSIntersectionType" ? type.types.flatMap(literalsIn) : [];
}

function memberDoc(source: ParsedSource, member: TSSignature): [string, string][] {
  if (member.type !== "TSPropertySignature" || member.key.type !== "Identifier") return [];
  const doc = docBefore(source, member);
  return doc === undefined ? [] : [[member.key.name, inOneLine(doc)]];
}
