import { type Expression, parseSync } from "oxc-parser";

/** How many arguments a function can see. Where its text does not say so for certain, any number. */
export function parameterCount(given: (...given: never[]) => unknown): number {
  const text = Function.prototype.toString.call(given);
  if (/\barguments\b/.test(text)) return Number.POSITIVE_INFINITY;
  const parameters = parametersOf(expressionOf(`(${text})`) ?? expressionOf(`({${text}})`));
  if (parameters === undefined || parameters.some(({ type }) => type === "RestElement"))
    return Number.POSITIVE_INFINITY;
  return parameters.length;
}

function expressionOf(text: string): Expression | undefined {
  const { program, errors } = parseSync("given.ts", text);
  const [statement] = program.body;
  if (errors.length > 0 || statement?.type !== "ExpressionStatement") return undefined;
  const { expression } = statement;
  return expression.type === "ParenthesizedExpression" ? expression.expression : expression;
}

type Parameters = readonly { readonly type: string }[];

function parametersOf(expression: Expression | undefined): Parameters | undefined {
  switch (expression?.type) {
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return expression.params;
    case "ObjectExpression": {
      const [method] = expression.properties;
      return method?.type === "Property" ? parametersOf(method.value) : undefined;
    }
    case "ClassExpression": {
      const made = expression.body.body.find(
        (member) => member.type === "MethodDefinition" && member.kind === "constructor",
      );
      if (made?.type === "MethodDefinition") return parametersOf(made.value);
      return expression.superClass === null ? [] : undefined;
    }
    default:
      return undefined;
  }
}
