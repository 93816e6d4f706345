// B22: a trace from outside is looked at whole before anything in it is used.
import {
  type CallId,
  canonicalJson,
  type ContentDigest,
  type ContentRow,
  type ContractTool,
  hashText,
  InvalidInputError,
  isSimpleFunctionsError,
  type JournalRecord,
  parseAtDoor,
  parseJsonStrict,
  toolDigest,
  type TraceHeader,
  traceHeaderSchema,
  type TraceLine,
  traceLineSchema,
  type TraceSeal,
  traceSealSchema,
} from "@spfunctions/contracts";
import type { CallsState } from "../journal/fold-calls.ts";
import { verifyCalls } from "../journal/verify-calls.ts";
import type { Broken, FoundRecord, StreamVerification } from "../journal/verify-stream.ts";

/**
 * One line of a trace.
 * @limit trace.lineBytes | `journal_corrupt`: the trace is broken there | fixed: room for two payloads of the longest kind, escaped
 */
const maxLineBytes = 256 * 1024 * 1024;

type ModelRecord = Extract<JournalRecord, { kind: "model.intended" | "model.settled" }>;

export type Trace = {
  readonly verification: StreamVerification;
  /** What could be read of a broken trace is not given. */
  readonly header?: TraceHeader;
  readonly seal?: TraceSeal["seal"];
  readonly calls: CallsState;
  /** What models were asked and have said, apart from calls. */
  readonly models: readonly ModelRecord[];
  /** What calls were proposed with, before hooks have put something else in its place. */
  readonly proposed: ReadonlyMap<CallId, ContentDigest>;
  readonly content: ReadonlyMap<string, ContentRow>;
};

/** Reads a trace's text and says whether it is what was written. It never throws for what a trace contains. */
export async function readTrace(text: string): Promise<Trace> {
  const lines = text.split("\n");
  // The last line ends, too.
  if (lines.at(-1) === "") lines.pop();
  const content = new Map<string, ContentRow>();
  const models: ModelRecord[] = [];
  const proposed = new Map<CallId, ContentDigest>();
  const nothing = { calls: new Map(), models: [], proposed: new Map(), content: new Map() } as const;
  const header = readHeader(lines[0]);
  if ("reason" in header) return { verification: broken(0, header), ...nothing };
  const seal = sealOf(lines.at(-1));
  const records = lines.slice(1, seal === undefined ? undefined : -1);
  const named = new Set(header.tools.map(({ digest }) => digest));
  let nameless: Broken | undefined;
  const { verification, calls } = await verifyCalls(found(records), { seal }, ({ record, content: rows }) => {
    for (const row of rows) content.set(row.ref, row);
    if (record.kind === "model.intended" || record.kind === "model.settled") models.push(record);
    if (record.kind === "call.revised") proposed.set(record.callId, record.input);
    if ("toolDigest" in record && record.toolDigest !== undefined && !named.has(record.toolDigest))
      nameless ??= {
        seq: record.seq,
        reason: "contract",
        message: "is of a tool that the first line does not have",
      };
  });
  const problem = verification.status === "broken" ? undefined : (headerProblem(lines[0], seal) ?? nameless);
  const whole = problem === undefined ? verification : broken(verification.count, problem);
  if (whole.status === "broken") return { verification: whole, ...nothing };
  return { verification: whole, header, ...(seal && { seal }), calls, models, proposed, content };
}

function* found(lines: readonly string[]): Generator<FoundRecord> {
  for (const line of lines) yield toFound(readLine(traceLineSchema, line));
}

function toFound(line: TraceLine | undefined): FoundRecord {
  // What is no line is a record that nothing can be read from.
  return line === undefined ? { text: "", content: [] } : { text: line.record, content: line.content ?? [] };
}

function readHeader(line: string | undefined): TraceHeader | Broken {
  const header = readLine(traceHeaderSchema, line);
  if (header === undefined) {
    const isEmpty = line === undefined || line === "";
    const message = isEmpty
      ? "(the first line) is not there: nothing was written"
      : "(the first line) is not a trace's header";
    return { seq: 0, reason: "header", message };
  }
  const changed = header.tools.find(
    ({ digest, ...definition }: ContractTool) => toolDigest(definition) !== digest,
  );
  if (changed === undefined) return header;
  return {
    seq: 0,
    reason: "header",
    message: `(the first line) has a contract of ${changed.name} that was changed`,
  };
}

function headerProblem(line: string | undefined, seal: TraceSeal["seal"] | undefined): Broken | undefined {
  if (seal === undefined || hashText(line ?? "") === seal.headerDigest) return undefined;
  return { seq: 0, reason: "header", message: "(the first line) is not the one that was sealed" };
}

function sealOf(line: string | undefined): TraceSeal["seal"] | undefined {
  return readLine(traceSealSchema, line)?.seal;
}

/** A line that fits its shape and is spelled as we spell it; another spelling is not the line that was written. */
function readLine<Schema extends Parameters<typeof parseAtDoor>[0]>(
  schema: Schema,
  line: string | undefined,
): ReturnType<typeof parseAtDoor<Schema>> | undefined {
  if (line === undefined) return undefined;
  try {
    const value = parseJsonStrict(line, { maxBytes: maxLineBytes });
    if (canonicalJson(value) !== line) return undefined;
    return parseAtDoor(schema, value, "line", InvalidInputError);
  } catch (error) {
    if (isSimpleFunctionsError(error)) return undefined;
    throw error;
  }
}

function broken(count: number, what: Broken): StreamVerification {
  return { status: "broken", count, broken: what };
}
