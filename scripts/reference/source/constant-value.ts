import type { Expression } from "oxc-parser";
import { findConstant, keyOf, objectIn } from "./constants.ts";
import type { ParsedSource } from "./parsed-source.ts";

/** A number, or numbers by their names. */
export type ConstantValue = number | { readonly [name: string]: ConstantValue };

/** What a constant expression comes to, where that is numbers alone. Nothing for what only a run would tell. */
export function constantValue(source: ParsedSource, expression: Expression): ConstantValue | undefined {
  switch (expression.type) {
    case "Literal":
      return typeof expression.value === "number" ? expression.value : undefined;
    case "Identifier": {
      const constant = findConstant(source, expression.name);
      return constant && constantValue(constant.source, constant.init);
    }
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "ParenthesizedExpression":
      return constantValue(source, expression.expression);
    case "UnaryExpression":
      return expression.operator === "-"
        ? calculated("*", -1, constantValue(source, expression.argument))
        : undefined;
    case "BinaryExpression": {
      const { left, operator, right } = expression;
      if (left.type === "PrivateIdentifier") return undefined;
      return calculated(operator, constantValue(source, left), constantValue(source, right));
    }
    case "MemberExpression":
      return memberValue(source, expression);
    case "CallExpression":
      return isFreeze(expression) ? numbersIn(source, expression) : undefined;
    case "ObjectExpression":
      return numbersIn(source, expression);
    default:
      return undefined;
  }
}

function isFreeze({ callee }: Extract<Expression, { type: "CallExpression" }>): boolean {
  return (
    callee.type === "MemberExpression" &&
    callee.property.type === "Identifier" &&
    callee.property.name === "freeze"
  );
}

/** Members that are no numbers are left out; of an object without any nothing is left. */
function numbersIn(source: ParsedSource, expression: Expression): ConstantValue | undefined {
  const members = (objectIn(expression)?.properties ?? []).flatMap((member) => {
    if (member.type === "SpreadElement") {
      const value = constantValue(source, member.argument);
      return typeof value === "object" ? Object.entries(value) : [];
    }
    const key = keyOf(member);
    const value = key === undefined ? undefined : constantValue(source, member.value);
    return key === undefined || value === undefined ? [] : [[key, value] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function memberValue(
  source: ParsedSource,
  { object, property }: Extract<Expression, { type: "MemberExpression" }>,
): ConstantValue | undefined {
  const whole = object.type === "Super" ? undefined : constantValue(source, object);
  const name =
    property.type === "Identifier" ? property.name : property.type === "Literal" ? property.value : "";
  return typeof whole === "object" && typeof name === "string" ? whole[name] : undefined;
}

function calculated(
  operator: string,
  left: ConstantValue | undefined,
  right: ConstantValue | undefined,
): number | undefined {
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  switch (operator) {
    case "*":
      return left * right;
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "/":
      return left / right;
    case "**":
      return left ** right;
    case "<<":
      return left << right;
    default:
      return undefined;
  }
}
