import type { JsonObject } from "@spfunctions/contracts";

type Problem = {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
};
type Validation<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Problem[] };

type SayOptions = {
  readonly target: "draft-2020-12";
  /** What one library alone understands. */
  readonly libraryOptions?: Record<string, unknown> | undefined;
};

/** A schema of any library that follows Standard Schema and can say itself as JSON Schema (zod 4, and others). */
export type StandardSchema<Input = unknown, Output = Input> = {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validation<Output> | Promise<Validation<Output>>;
    readonly jsonSchema: {
      readonly input: (options: SayOptions) => Record<string, unknown>;
      readonly output: (options: SayOptions) => Record<string, unknown>;
    };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
};

/** How a tool says what goes in and what comes out. */
export type ToolSchema = StandardSchema | JsonObject;

type TypesOf<Schema> = Schema extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types>
  : { readonly input: unknown; readonly output: unknown };

/** What a caller passes: defaults may be left out. */
export type InputOf<Schema> = TypesOf<Schema> extends { readonly input: infer Input } ? Input : unknown;

/** What the tool's function gets: defaults are filled in. */
export type OutputOf<Schema> = TypesOf<Schema> extends { readonly output: infer Output } ? Output : unknown;

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  const standard = (schema as { "~standard"?: { version?: unknown } } | null)?.["~standard"];
  return standard?.version === 1;
}
