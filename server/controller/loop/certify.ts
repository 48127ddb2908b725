// Adds the certificate of each host that is about to become Ready to the commit that makes it so (docs/adr/0103-certificates.md). If a certificate
// cannot be written, the host stops and says why; a person can then have its plan made again.
import { createHash, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { LeaseRelease } from "@/server/db/hot/fleet/lease";
import { readCertificateRecords } from "@/server/db/certificates/read-records";
import { brokenHostMs, outageRetryMs } from "@/server/controller/loop/commit-batch";
import { isFake } from "@/server/domain/hosts/fake/fake-type";
import { buildStatement, NoCertificate } from "@/server/domain/assurance/certificates/build";
import { standingOfRecords } from "@/server/domain/assurance/certificates/standing";
import { statementText } from "@/server/domain/assurance/certificates/statement";
import type { ReadRecords } from "@/server/db/certificates/read-records";
import type { Decided } from "@/server/controller/loop/commit-rows";
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/hosts/record/view";

interface Certifier {
  /** One statement for all of them. */
  readonly read: (reclamations: readonly string[]) => Promise<ReadonlyMap<string, ReadRecords>>;
  readonly newId: () => string;
  /** Decides about the host again if its certificate cannot be written. */
  readonly decide: (view: HostView, fault: string) => Decision;
  /** Reports an error. Returns whether it is transient. */
  readonly failed: (what: string, error: unknown) => boolean;
}

/** The reclamation that this decision ends in Ready; null: none. Fake hardware gets no certificate. */
function endsReady({ view, decision }: Decided): string | null {
  const ended = decision.reclamation;
  return ended?.outcome === "ready" && !isFake(view.host) ? ended.row.id : null;
}

/** The records, plus what this decision adds to them. */
function written(
  item: Decided,
  found: ReadRecords,
  id: string,
): Required<Pick<Decided, "certificate" | "standing">> {
  const { decision } = item;
  const row = decision.reclamation?.row;
  if (row === undefined) throw new NoCertificate("there is no reclamation");
  if (typeof found.records === "string")
    throw new NoCertificate(`the records cannot be read: ${found.records}`);
  const { records, issuer } = { ...found, records: found.records };
  const whole = {
    ...records,
    gates: decision.gates.map(({ gate, status, reason, evidence }) => ({ gate, status, reason, evidence })),
    reclamation: { ...records.reclamation, devices: row.devices },
  };
  const statement = buildStatement(whole, {
    ...{ id, issuer, atTheEnd: true, outcome: "ready", message: row.message },
  });
  const text = statementText(statement);
  const sha256 = createHash("sha256").update(text, "utf8").digest("hex");
  const { type } = statement.predicate.certificate;
  return {
    certificate: { id, reclamationId: row.id, kind: "certificate", type, statement: text, sha256 },
    standing: standingOfRecords(whole, statement.predicate, "ready"),
  };
}

interface Certified {
  /** Includes the certificates of hosts that become Ready. */
  readonly whole: readonly Decided[];
  /** Leases to be given back, of hosts whose certificate could not be made. */
  readonly refused: readonly LeaseRelease[];
}

type RecordsResult = ReadRecords | { readonly error: unknown } | undefined;

/** Each host's records. If the database refuses the one statement, they are read one by one, so that one bad record stops no other host. */
async function recordsOf(
  { read, failed }: Certifier,
  ids: readonly string[],
): Promise<(id: string) => RecordsResult> {
  const asked = async (some: readonly string[]): Promise<(id: string) => RecordsResult> => {
    try {
      const found = await read(some);
      return (id) => found.get(id);
    } catch (error) {
      return () => ({ error });
    }
  };
  const all = await asked(ids);
  const [first = ""] = ids;
  const refusal = all(first);
  if (ids.length === 1 || refusal === undefined || !("error" in refusal)) return all;
  if (failed(`the records of ${ids.length} hosts cannot be read at once`, refusal.error)) return all;
  const single = new Map<string, RecordsResult>();
  for (const id of ids) single.set(id, (await asked([id]))(id));
  return (id) => single.get(id);
}

/** Gives the host back undecided; no other host waits. */
function leaseOf({ failed }: Certifier, { view: { run } }: Decided, error: unknown): LeaseRelease {
  const passes = failed(`the certificate of host ${run.hostId} could not be made`, error);
  const message = error instanceof Error ? error.message : String(error);
  return {
    hostId: run.hostId,
    generation: run.generation,
    afterMs: passes ? outageRetryMs : brokenHostMs,
    message: passes ? null : `the certificate could not be made: ${message}`,
  };
}

/** The batch with the certificates of hosts that become Ready. A host whose certificate cannot be made waits, and no other with it. */
export async function certified(certifier: Certifier, batch: readonly Decided[]): Promise<Certified> {
  const ids = batch.flatMap((item) => endsReady(item) ?? []);
  if (ids.length === 0) return { whole: batch, refused: [] };
  const found = await recordsOf(certifier, ids);
  const whole: Decided[] = [];
  const refused: LeaseRelease[] = [];
  for (const item of batch) {
    const id = endsReady(item);
    try {
      whole.push(id === null ? item : certifiedOne(certifier, item, found(id)));
    } catch (error) {
      refused.push(leaseOf(certifier, item, error));
    }
  }
  return { whole, refused };
}

function certifiedOne({ newId, decide }: Certifier, item: Decided, records: RecordsResult): Decided {
  if (records !== undefined && "error" in records) throw records.error;
  try {
    if (records === undefined) throw new NoCertificate("the reclamation is not on record");
    return { ...item, ...written(item, records, newId()) };
  } catch (error) {
    // safety: certificate: no Ready without one
    if (!(error instanceof NoCertificate)) throw error;
    return { view: item.view, decision: decide(item.view, error.message) };
  }
}

interface BatchCertifier extends Pick<Certifier, "decide" | "failed"> {
  readonly pool: Pool;
}

export const certifyBatch = (
  { pool, decide, failed }: BatchCertifier,
  batch: readonly Decided[],
): Promise<Certified> =>
  certified({ read: (ids) => readCertificateRecords(pool, ids), newId: randomUUID, decide, failed }, batch);
