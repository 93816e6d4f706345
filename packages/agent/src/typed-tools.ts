import type { ToolCallResult } from "@spfunctions/contracts";
import type { Asking, Pack, Tool } from "@spfunctions/kernel";

/** What may come with a call. */
export type CallOptions = {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Milliseconds it may take; never more than the tool and the policy say. */
  readonly timeoutMs?: number;
  /** The same key with the same input runs once: whoever comes again gets the recorded answer. */
  readonly idempotencyKey?: string;
  /** Signs the receipt, where there is an installation's secret to do it with. */
  readonly signReceipt?: boolean;
  /** Whether this call waits where a person must approve it, or is refused with `approval_required`. */
  readonly asking?: Asking;
  /** The approval that it is made with, where its caller knows; it is found by what it is for otherwise. */
  readonly approvalId?: string;
};

/** What may come with the check of a call. */
export type CheckOptions = Pick<CallOptions, "approvalId">;

/** The answer of a call, with the type that its tool declares. */
export type CallResult<Output> = Omit<ToolCallResult, "output"> & { readonly output: Output };

type ToolsIn<Packs extends readonly Pack[]> = Packs[number] extends infer One
  ? One extends Tool
    ? One
    : One extends readonly (infer Inner)[]
      ? Extract<Inner, Tool>
      : never
  : never;

type NameOf<One> = One extends { readonly contract: { readonly name: infer Name extends string } }
  ? Name
  : never;

/** The canonical names of the tools in packs, where the types know them. */
export type ToolNames<Packs extends readonly Pack[]> = NameOf<ToolsIn<Packs>>;

type ToolNamed<Packs extends readonly Pack[], Name extends string> = Extract<
  ToolsIn<Packs>,
  { readonly contract: { readonly name: Name } }
>;

type TypesOf<One> = One extends { readonly types?: infer Types } ? NonNullable<Types> : never;

/** Where nobody knows before a program runs which name it is, as with `string`, or whether there is one. */
type IsOpen<Name extends string> = {} extends Readonly<Record<Name, true>> ? true : false;

/** A name that may be called: where the types know both it and the tools, the name of one of those. */
export type CallableName<Packs extends readonly Pack[], Name extends string> =
  IsOpen<Name> extends true ? Name : IsOpen<ToolNames<Packs>> extends true ? Name : ToolNames<Packs>;

/** What a tool is given, by its name; unknown where the types do not know the tool. */
export type ToolInput<Packs extends readonly Pack[], Name extends string> =
  IsOpen<Name> extends true
    ? unknown
    : TypesOf<ToolNamed<Packs, Name>> extends { readonly input: infer Input }
      ? Input
      : unknown;
/** What it answers with. */
export type ToolOutput<Packs extends readonly Pack[], Name extends string> =
  IsOpen<Name> extends true
    ? unknown
    : TypesOf<ToolNamed<Packs, Name>> extends { readonly output: infer Output }
      ? Output
      : unknown;

type Call<Packs extends readonly Pack[], Name extends string> = (
  input?: ToolInput<Packs, Name>,
  options?: CallOptions,
) => Promise<CallResult<ToolOutput<Packs, Name>>>;

type HeadOf<Name extends string> = Name extends `${infer Head}.${string}` ? Head : Name;
type RestOf<Name extends string, Head extends string> = Name extends `${Head}.${infer Rest}` ? Rest : never;

/** `tools.<ns>.<fn>(input)`: a function for each tool, under the words of its name. */
export type ToolTree<
  Packs extends readonly Pack[],
  Rest extends string = ToolNames<Packs>,
  Path extends string = "",
> = {
  readonly [Head in HeadOf<Rest>]: (Head extends Rest ? Call<Packs, `${Path}${Head}`> : unknown) &
    ([RestOf<Rest, Head>] extends [never] ? unknown : ToolTree<Packs, RestOf<Rest, Head>, `${Path}${Head}.`>);
};
