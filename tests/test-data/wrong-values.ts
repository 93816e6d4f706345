// What a JSON Schema does not take: the values that whoever sends a request would get wrong, or would try.

export type Shape = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
};

export const tricks: readonly string[] = [
  "' OR 1=1; --",
  '"; DROP TABLE documents; --',
  "../../../../etc/passwd",
  "..%2f..%2fetc%2fpasswd",
  "%00",
  "\u0000",
  "__proto__",
  "constructor",
  "toString",
  "a/b",
  "a b\r\nX-Injected: 1",
  "\u202e\ud83d\ude00\ufeff",
  "${7*7}{{7*7}}",
  "-1",
  "1e308",
  "NaN",
  "null",
  "[]",
  " ",
  "*",
];

const never = Symbol("a value that has no place in JSON");

/** JSON texts that are no value of a shape, each with what is wrong about it. */
export function wrongTexts(shape: Shape): readonly (readonly [string, string])[] {
  const values: readonly (readonly [string, unknown])[] = [
    ["null", null],
    ["a list", shape.type === "array" ? never : []],
    ["a list of nothing", shape.type === "array" ? [null] : never],
    ["an empty list", (shape.minItems ?? 0) > 0 ? [] : never],
    ["an object", shape.type === "object" ? never : {}],
    ["an object of another kind", shape.type === "object" ? { nothing: 1 } : never],
    ["a word for a number", isNumber(shape) ? "5" : never],
    ["NaN as a word", isNumber(shape) ? "NaN" : never],
    ["a boolean", shape.type === "boolean" ? never : true],
    ["a number", isNumber(shape) ? never : 5],
    ["a boolean as a word", shape.type === "boolean" ? "true" : never],
    ["a fraction", shape.type === "integer" ? 1.5 : never],
    ["a negative number", (shape.minimum ?? -1) >= 0 ? -1 : never],
    ["nearly nothing", shape.type === "integer" ? 5e-324 : never],
    ["a huge number", isNumber(shape) && shape.maximum !== undefined ? 1e308 : never],
    ["a huge negative number", isNumber(shape) && shape.minimum !== undefined ? -1e308 : never],
    ["one too many", shape.maximum === undefined ? never : shape.maximum + 1],
    ["an empty string", (shape.minLength ?? 0) > 0 || shape.pattern !== undefined ? "" : never],
    ["10 kB", shape.maxLength !== undefined || shape.pattern !== undefined ? "x".repeat(10_240) : never],
    ["another word", shape.enum !== undefined || shape.pattern !== undefined ? "nonsense" : never],
  ];
  const written = values
    .filter(([, value]) => value !== never)
    .map(([what, value]) => [what, JSON.stringify(value)] as const);
  const odd = shape.type === "string" ? [["a lone surrogate", String.raw`"\ud800"`] as const] : [];
  const beyond = isNumber(shape) ? [["a number beyond any", "1e999"] as const] : [];
  return [...written, ...odd, ...beyond];
}

/** What stands in an address and is no value of a shape. There everything is text: what is a string cannot be of a wrong type. */
export function wrongWords(shape: Shape): readonly string[] {
  const { minLength = 0, maxLength, pattern } = shape;
  if (isNumber(shape)) {
    const words = ["", "NaN", "Infinity", "1e999", "abc", "true", '"5"', "[]", "null", "0x10", "5;", " "];
    const beyond = shape.maximum === undefined ? [] : ["1e308", String(shape.maximum + 1)];
    const below = (shape.minimum ?? -1) >= 0 ? ["-1", "-1e308"] : [];
    return [...words, ...beyond, ...below, ...(shape.type === "integer" ? ["1.5"] : [])];
  }
  if (shape.enum !== undefined) return ["", "nonsense", "__proto__", `${shape.enum[0]} `];
  return [
    ...(minLength > 0 || pattern !== undefined ? [""] : []),
    ...(maxLength !== undefined || pattern !== undefined ? ["x".repeat(10_240)] : []),
    ...(pattern === undefined ? [] : ["nonsense", "__proto__", "' OR 1=1; --"]),
  ];
}

function isNumber({ type }: Shape): boolean {
  return type === "integer" || type === "number";
}
