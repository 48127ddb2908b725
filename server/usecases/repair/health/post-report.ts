// What a source reports about a host over HTTP, with the token that is bound to it (docs/repair.md#sources).
import type { Database } from "@/server/db/prisma";
import { inTransaction } from "@/server/db/transaction";
import { tokenHash } from "@/server/domain/access/tokens";
import type { KeptReport } from "@/server/domain/repair/health/change-report";
import type { ReportInput } from "@/server/domain/repair/health/report";
import { noteUse } from "@/server/usecases/repair/external-systems";
import type { ProgramReach } from "@/server/usecases/repair/external-systems";
import { unknownCallers } from "@/server/usecases/access/unknown-callers";
import { readReports } from "@/server/usecases/repair/health/stored-reports";
import { writeReports } from "@/server/usecases/repair/health/write-reports";
import type { Written } from "@/server/usecases/repair/health/write-reports";
import type { Outcome } from "@/server/usecases/problem";

/** The source that a token belongs to. */
export interface SourceActor extends ProgramReach {
  readonly name: string;
  readonly heartbeatSeconds: number | null;
}

/** Null if the token is unknown, which is counted and logged. */
export async function authenticateSource(
  database: Database,
  token: string,
  address: string | null = null,
): Promise<SourceActor | null> {
  const row = await database.healthSource.findUnique({
    where: { hash: tokenHash(token) },
    select: { id: true, name: true, siteId: true, heartbeatSeconds: true, lastUsedAt: true },
  });
  if (row === null) {
    unknownCallers().note(database, address);
    return null;
  }
  await noteUse(row.lastUsedAt, (data) => database.healthSource.updateMany({ where: { id: row.id }, data }));
  const { name, siteId, heartbeatSeconds } = row;
  return { name, siteId, heartbeatSeconds };
}

const by = ({ name }: SourceActor) => ({ name: `source ${name}`, reason: null });

/** A source never replaces the reports of others. */
export const postReport = (
  database: Database,
  source: SourceActor,
  hostId: string,
  report: ReportInput,
): Promise<Outcome<Written>> =>
  inTransaction(database, (tx) =>
    writeReports(
      tx,
      hostId,
      [
        {
          kind: "set",
          source: source.name,
          mode: "merge",
          report,
          heartbeatSeconds: source.heartbeatSeconds,
        },
      ],
      by(source),
    ),
  );

/** Only its own report. */
export const withdrawReport = (
  database: Database,
  source: SourceActor,
  hostId: string,
): Promise<Outcome<Written>> =>
  inTransaction(database, (tx) =>
    writeReports(tx, hostId, [{ kind: "removed", source: source.name, mode: "merge" }], by(source)),
  );

/** Its own report as stored; null if it has none. */
export async function readOwnReport(
  database: Database,
  source: SourceActor,
  hostId: string,
): Promise<KeptReport | null> {
  const reports = await readReports(database, hostId);
  return reports.find(({ source: name, mode }) => name === source.name && mode === "merge") ?? null;
}
