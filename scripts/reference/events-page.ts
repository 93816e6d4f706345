import {
  journalRecordSchema,
  outputFrameSchema,
  type RunStatus,
  runStatusSchema,
  runtimeEventSchema,
  turnEventSchema,
} from "@spfunctions/contracts";
import { code, page, table } from "../markdown.ts";
import { printedSchema } from "./named-schemas.ts";
import { partsSection } from "./parts-section.ts";
import { docsOfList } from "./source/documented-list.ts";
import { docsOfSchema, docsOfVariants } from "./source/documented-members.ts";
import { memberTable, variantSections, variantsIn } from "./variants.ts";

const folder = "packages/contracts/src";
const eventFile = `${folder}/event/agent-event.ts`;
const turnFile = `${folder}/spectator/turn-event.ts`;
const recordFiles = ["journal-record", "run-record", "subagent-record"].map(
  (name) => `${folder}/record/${name}.ts`,
);

const noEnd = "none yet: it has not ended";
const lastEvents: { readonly [Status in RunStatus]: string } = {
  completed: code("runtime.completed"),
  failed: code("runtime.failed"),
  blocked: `${code("runtime.failed")}, with the code of what stopped it`,
  cancelled: code("runtime.cancelled"),
  requires_approval: `${noEnd}, and ${code("approval.required")} has told what is asked`,
  recovery_needed: noEnd,
};

export function eventsPage(): string {
  const events = printedSchema(runtimeEventSchema);
  const frames = printedSchema(outputFrameSchema);
  const turns = printedSchema(turnEventSchema);
  const records = printedSchema(journalRecordSchema);
  const eventDocs = docsOfVariants(eventFile, "type");
  const recordDocs = new Map(recordFiles.flatMap((file) => [...docsOfVariants(file, "kind")]));
  const ofEvents = variantsIn(events.schema, "type", eventDocs);
  const ofRecords = variantsIn(records.schema, "kind", recordDocs);
  const journaled = ofEvents.find(({ word }) => word === "run.completed");
  const live = ofEvents.find(({ word }) => word === "model.delta");
  const woken = ofRecords.find(({ word }) => word === "subagent.woken");
  if (journaled === undefined || live === undefined || woken === undefined) throw new Error("no such event");
  const inEvents = ["type", "runId", "ts", "seq", "index", "live"];
  const inRecords = ["kind", "v", "seq", "prev", "ts", "passedMs"];
  return page(
    "# Events and records",
    "What a caller sees happen (events) is projected from what is kept (records), but for what is `live`. [platform.md](../platform.md) and [runs.md](../runs.md) say how to follow events, [journal.md](../journal.md) which records every way of a call leaves, [run-records.md](../run-records.md) which those of a run. An unknown member is an error everywhere.",
    "## Events",
    "Events of one governed call begin with `run.`, `tool.`, `policy.` or `approval.`; a run that a model drives has all of them. Every one has these:",
    memberTable(journaled.schema, journaled.docs, (path) => path !== "type"),
    `Those that are only live (${ofEvents
      .filter(({ schema }) => isLive(schema))
      .map(({ word }) => code(word))
      .join(", ")}) have, instead of ${code("seq")} and ${code("index")}:`,
    memberTable(live.schema, live.docs, (path) => path === "live"),
    "How a run that a model drives has ended its last event says:",
    table(
      ["status of the run", "its last event"],
      runStatusSchema.options.map((status) => [code(status), lastEvents[status]]),
    ),
    ...variantSections(ofEvents, inEvents),
    "## Lines of `--ndjson`",
    "What `sf` prints around events, one JSON object a line.",
    ...variantSections(variantsIn(frames.schema, "type", eventDocs), ["type"]),
    "## Lines of a turn's log",
    docsOfSchema(turnFile, "turnEventSchema").doc,
    memberTable(turns.schema, docsOfSchema(turnFile, "turnEventSchema")),
    table(
      ["kind", "what it tells, and its data"],
      [...docsOfList(turnFile, "turnEventKinds")].map(([kind, says]) => [code(kind), says]),
    ),
    "## Records",
    "Each record of a journal is chained to the one before. Payloads lie beside it as content rows: a [contentDigest](#contentdigest) stands for one. Every record has these:",
    memberTable(woken.schema, woken.docs, (path) => inRecords.includes(path) && path !== "kind"),
    ...variantSections(ofRecords, inRecords),
    "## Parts",
    "What events and records are made of.",
    ...partsSection([events, frames, records, turns]),
  );
}

function isLive(schema: object): boolean {
  return JSON.stringify(schema).includes('"live":{');
}
