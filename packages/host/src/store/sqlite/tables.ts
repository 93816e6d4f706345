import type { DatabaseSync } from "node:sqlite";
import { ClaimsTable } from "./claims-table.ts";
import { DocumentsTable } from "./documents-table.ts";
import { RecordsTable } from "./records-table.ts";
import { StreamsTable } from "./streams-table.ts";
import type { FindConflict, KeptUnit, Undo } from "./unit-steps.ts";

/** Everything that is kept, with its statements prepared once. */
export class Tables {
  readonly records: RecordsTable;
  readonly streams: StreamsTable;
  readonly documents: DocumentsTable;
  readonly claims: ClaimsTable;

  constructor(database: DatabaseSync) {
    this.records = new RecordsTable(database);
    this.streams = new StreamsTable(database, this.records);
    this.documents = new DocumentsTable(database);
    this.claims = new ClaimsTable(database);
  }

  /**
   * Takes a unit's steps until one conflicts; the steps before that one are then the caller's to roll back. A unit whose
   * records are all there already was committed before: nothing of it is applied again.
   */
  apply({ now, appends, documents, claims, erasures }: KeptUnit, undo: Undo[]): FindConflict | undefined {
    const conflict = firstConflict(appends, (append) => this.streams.append(append, undo));
    const repeated = undo.length === 0 && appends.some(({ records }) => records.length > 0);
    if (conflict !== undefined || repeated) return conflict;
    return (
      firstConflict(documents, (write) => this.documents.write(write)) ??
      firstConflict(claims, (write) => this.claims.write(write, now)) ??
      firstConflict(erasures, (erasure) => this.records.erase(erasure))
    );
  }
}

function firstConflict<Step>(
  steps: readonly Step[],
  take: (step: Step) => FindConflict | undefined,
): FindConflict | undefined {
  for (const step of steps) {
    const conflict = take(step);
    if (conflict !== undefined) return conflict;
  }
  return undefined;
}
