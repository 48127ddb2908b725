// Writes the certificate of each host that is about to become Ready, into the commit that makes it so (docs/adr/0103-certificates.md). A host whose
// certificate cannot be written does not become Ready: it stops, says why, and a person can have its plan made again.
import { createHash, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { LeaseRelease } from "@/server/db/hot/fleet/lease";
import { readCertificateRecords } from "@/server/db/certificates/read-records";
import { brokenHostMs, outageRetryMs } from "@/server/controller/loop/commit-batch";
import { isFake } from "@/server/domain/fake/fake-type";
import { buildStatement, NoCertificate } from "@/server/domain/certificates/build";
import { statementText } from "@/server/domain/certificates/statement";
import type { ReadRecords } from "@/server/db/certificates/read-records";
import type { CertificateRow, Decided } from "@/server/controller/loop/commit-rows";
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/host-record/view";

interface Certifier {
  readonly read: (reclamations: readonly string[]) => Promise<ReadonlyMap<string, ReadRecords>>;
  readonly newId: () => string;
  /** Decides about the host again, when its certificate cannot be written. */
  readonly decide: (view: HostView, fault: string) => Decision;
}

/** The reclamation that ends in Ready by this decision; null: none does. There is no certificate of hardware that is none. */
function endsReady({ view, decision }: Decided): string | null {
  const ended = decision.reclamation;
  return ended?.outcome === "ready" && !isFake(view.host) ? ended.row.id : null;
}

/** What is on record, with what this very decision adds to it. */
function written(item: Decided, found: ReadRecords, id: string): CertificateRow {
  const { decision } = item;
  const row = decision.reclamation?.row;
  if (row === undefined) throw new NoCertificate("there is no reclamation");
  if (typeof found.records === "string")
    throw new NoCertificate(`the records cannot be read: ${found.records}`);
  const { records, issuer } = { ...found, records: found.records };
  const statement = buildStatement(
    {
      ...records,
      gates: decision.gates.map(({ gate, status, reason }) => ({ gate, status, reason })),
      reclamation: { ...records.reclamation, devices: row.devices },
    },
    { id, issuer, atTheEnd: true, outcome: "ready", message: row.message },
  );
  const text = statementText(statement);
  const sha256 = createHash("sha256").update(text, "utf8").digest("hex");
  const { type } = statement.predicate.certificate;
  return { id, reclamationId: row.id, kind: "certificate", type, statement: text, sha256 };
}

/** The batch with the certificates of those that become Ready. Throws when the database cannot be asked. */
export async function certified(
  { read, newId, decide }: Certifier,
  batch: readonly Decided[],
): Promise<readonly Decided[]> {
  const ids = batch.flatMap((item) => endsReady(item) ?? []);
  if (ids.length === 0) return batch;
  const found = await read(ids);
  return batch.map((item): Decided => {
    const id = endsReady(item);
    if (id === null) return item;
    try {
      const records = found.get(id);
      if (records === undefined) throw new NoCertificate("the reclamation is not on record");
      return { ...item, certificate: written(item, records, newId()) };
    } catch (error) {
      // safety: certificate: no Ready without one
      if (!(error instanceof NoCertificate)) throw error;
      return { view: item.view, decision: decide(item.view, error.message) };
    }
  });
}

interface BatchCertifier {
  readonly pool: Pool;
  readonly decide: Certifier["decide"];
  /** Says what went wrong. Returns whether it passes by itself. */
  readonly failed: (what: string, error: unknown) => boolean;
}

/** The same for a pass: where certificates cannot be made, none of the batch is committed, and all of it is decided anew. */
export async function certifyBatch(
  { pool, decide, failed }: BatchCertifier,
  batch: readonly Decided[],
): Promise<{ readonly whole: readonly Decided[]; readonly refused: readonly LeaseRelease[] }> {
  try {
    const read: Certifier["read"] = (ids) => readCertificateRecords(pool, ids);
    return { whole: await certified({ read, newId: randomUUID, decide }, batch), refused: [] };
  } catch (error) {
    const afterMs = failed("certificates could not be made", error) ? outageRetryMs : brokenHostMs;
    const refused = batch.map(({ view: { run } }) => ({
      hostId: run.hostId,
      generation: run.generation,
      afterMs,
      message: null,
    }));
    return { whole: [], refused };
  }
}
