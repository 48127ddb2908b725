// One return with everything that was proven of it: from its signed statement, or from the records while there is none.
import { sql } from "kysely";
import type { ProofReturn } from "@/server/contract/assurance/proof";
import { readCertificateRecords } from "@/server/db/certificates/read-records";
import { poolOf } from "@/server/db/prisma";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { deviceEntries } from "@/server/domain/assurance/certificates/devices";
import { deviceList } from "@/server/domain/assurance/certificates/records";
import { anyStatement } from "@/server/domain/assurance/certificates/statement";
import { pointsOf } from "@/server/domain/assurance/proof/points";
import { isUuid } from "@/server/domain/uuid";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { getReceipt } from "@/server/usecases/instances/receipt/get-receipt";
import {
  drivesOfReceipt,
  drivesOfStatement,
  missingDrives,
  withIds,
} from "@/server/usecases/assurance/proof/return-drives";
import { readReturnExceptions } from "@/server/usecases/assurance/proof/return-exceptions";
import { readReturns } from "@/server/usecases/assurance/proof/return-lines";
import type { FoundReturn } from "@/server/usecases/assurance/proof/return-lines";
import { visible } from "@/server/usecases/assurance/proof/returns-sql";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import type { Scope } from "@/server/usecases/read";

type Records = Pick<ProofReturn, "drives"> & {
  readonly gates: readonly {
    readonly gate: string;
    readonly status: string;
    readonly reason: string | null;
  }[];
};

/** The id of the return that an id or number refers to; null: none. An instance leads to its newest reclamation, or to itself if none began. */
async function resolve(database: Database, given: string): Promise<string | null> {
  if (isUuid(given)) {
    const [row] = await queryRows(
      database,
      sql<{ id: string | null }>`SELECT coalesce(
        (SELECT c.id FROM reclamation c WHERE c.id = ${given}::uuid),
        (SELECT k.reclamation_id FROM certificate k WHERE k.id = ${given}::uuid),
        (SELECT c.id FROM instance i JOIN reclamation c ON c.host_id = i.host_id AND c.instance_id = i.id
          WHERE i.id = ${given}::uuid AND c.kind <> 'manualCleaning' ORDER BY c.started_at DESC, c.number DESC LIMIT 1),
        (SELECT i.id FROM instance i WHERE i.id = ${given}::uuid))::text AS id`,
    );
    return row?.id ?? null;
  }
  const [, letter = "", digits] = /^([rc])-(\d{1,15})$/i.exec(given) ?? [];
  if (digits === undefined) return null;
  const [row] = await queryRows(
    database,
    letter.toLowerCase() === "r"
      ? sql<{ id: string }>`SELECT c.id::text FROM reclamation c WHERE c.number = ${digits}::bigint`
      : sql<{
          id: string;
        }>`SELECT k.reclamation_id::text AS id FROM audit_leaf l JOIN certificate k ON k.event_id = l.event_id WHERE l.seq = ${digits}::bigint`,
  );
  return row?.id ?? null;
}

/** What the signed statement says; a tenant's is its receipt. Null: there is none, or this release cannot read it. */
async function ofStatement(database: Database, id: string | null): Promise<Records | null> {
  if (id === null) return null;
  const [row] = await queryRows(
    database,
    sql<{ statement: string }>`SELECT k.statement FROM certificate k WHERE k.id = ${id}::uuid`,
  );
  const said = row === undefined ? undefined : anyStatement.safeParse(JSON.parse(row.statement)).data;
  if (said === undefined) return null;
  const { predicate } = said;
  return {
    drives: drivesOfStatement(predicate.devices, "missing" in predicate ? predicate.missing : []),
    gates: predicate.gates.map((gate) => ({
      gate: gate.gate,
      status: gate.status,
      reason: "reason" in gate && typeof gate.reason === "string" ? gate.reason : null,
    })),
  };
}

const noStatements: Records = { drives: [], gates: [] };

/** Until there is a statement nothing counts, so no drive reads as erased, whatever is on record of it. */
async function ofRecords(database: Database, reclamationId: string | null): Promise<Records> {
  if (reclamationId === null) return noStatements;
  const found = (await readCertificateRecords(poolOf(database), [reclamationId])).get(reclamationId)?.records;
  if (found === undefined || typeof found === "string") return noStatements;
  const list = deviceList.safeParse(found.reclamation.devices).data;
  const drives =
    list === undefined
      ? []
      : [
          ...drivesOfStatement(deviceEntries(list, found, "no certificate is signed yet"), []),
          ...missingDrives(list.missing),
        ];
  return { drives, gates: found.gates };
}

/** Before its receipt, a tenant reads what the page of its instance says. */
async function ofReceipt(backend: Backend, actor: Actor, instanceId: string | null): Promise<Records> {
  if (instanceId === null) return noStatements;
  const receipt = await getReceipt(backend, actor, { id: instanceId });
  return receipt.ok ? { drives: drivesOfReceipt(receipt.value.drives), gates: [] } : noStatements;
}

/** A later reclamation that cleared the debt of this return. */
async function readSettledBy(database: Database, { line }: FoundReturn): Promise<ProofReturn["settledBy"]> {
  if (line.instance === null || line.standing === "proven" || line.standing === "provenWithExceptions")
    return null;
  const [row] = await queryRows(
    database,
    sql<{ id: string; number: string }>`
    SELECT c.id::text, c.number::text FROM debt b JOIN reclamation c ON c.id = b.cleared_by
    WHERE b.chassis_serial = ${line.host.serial}::text AND b.instance_id = ${line.instance.id}::uuid AND c.id <> ${line.id}::uuid
    ORDER BY b.created_at DESC, b.id DESC LIMIT 1`,
  );
  return row === undefined ? null : { id: row.id, name: `R-${row.number}` };
}

/** Null: no such return, or another tenant's. */
export async function findReturn(
  database: Database,
  scope: Scope,
  given: string,
): Promise<FoundReturn | null> {
  const id = await resolve(database, given);
  if (id === null) return null;
  const [found] = await readReturns(database, scope, sql`${visible(scope)} AND r.id = ${id}::uuid`, 1);
  return found ?? null;
}

export async function getReturn(
  backend: Backend,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<Outcome<ProofReturn>> {
  const scope = scopeOf(actor, "certificate.read");
  if (!scope.ok) return scope;
  const { database } = backend;
  const found = await findReturn(database, scope.value, id);
  if (found === null) return notFound("return", id);
  const { line, rack } = found;
  const reclamationId = line.reclamation?.id ?? null;
  const isTenant = scope.value.kind === "tenant";
  const said = await ofStatement(database, line.file?.id ?? null);
  const records =
    said ??
    (isTenant
      ? await ofReceipt(backend, actor, line.instance?.id ?? null)
      : await ofRecords(database, reclamationId));
  const reader = isTenant ? ("tenant" as const) : ("provider" as const);
  const [exceptions, settledBy, drives] = await Promise.all([
    reclamationId === null ? [] : readReturnExceptions(database, reclamationId, reader),
    isTenant ? null : readSettledBy(database, found),
    isTenant ? records.drives : withIds(database, records.drives),
  ]);
  const open = line.endedAt === null;
  return done({
    ...line,
    rack,
    ...{ exceptions, settledBy, drives },
    points: pointsOf({ gates: records.gates, drives: records.drives, open, reader }),
  });
}
