// What a source reports of a host over HTTP, by the token that is bound to it (docs/repair.md#sources).
import type { Database } from "@/server/db/prisma";
import { inTransaction } from "@/server/db/transaction";
import { tokenHash } from "@/server/domain/access/tokens";
import type { KeptReport } from "@/server/domain/health/change-report";
import type { ReportInput } from "@/server/domain/health/report";
import { readReports } from "@/server/usecases/health/stored-reports";
import { writeReports } from "@/server/usecases/health/write-reports";
import type { Written } from "@/server/usecases/health/write-reports";
import type { Outcome } from "@/server/usecases/problem";
import { isUuid } from "@/server/domain/uuid";

/** Who a token speaks for. */
export interface SourceActor {
  readonly name: string;
  /** Null: every site's hosts. */
  readonly siteId: string | null;
  readonly heartbeatSeconds: number | null;
}

const usedEveryMs = 60_000;

/** Null: the token is nobody's. */
export async function authenticateSource(database: Database, token: string): Promise<SourceActor | null> {
  const row = await database.healthSource.findUnique({
    where: { hash: tokenHash(token) },
    select: { id: true, name: true, siteId: true, heartbeatSeconds: true, lastUsedAt: true },
  });
  if (row === null) return null;
  const now = new Date();
  if (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() > usedEveryMs)
    await database.healthSource.updateMany({ where: { id: row.id }, data: { lastUsedAt: now } });
  const { name, siteId, heartbeatSeconds } = row;
  return { name, siteId, heartbeatSeconds };
}

/** A host by id or name, if it is of the source's site; null: there is none for it. */
export async function findReportedHost(
  database: Database,
  { siteId }: SourceActor,
  host: string,
): Promise<string | null> {
  const found = await database.host.findFirst({
    where: {
      ...(isUuid(host) ? { id: host } : { name: host }),
      ...(siteId === null ? {} : { siteId }),
    },
    select: { id: true },
  });
  return found?.id ?? null;
}

const by = ({ name }: SourceActor) => ({ name: `source ${name}`, reason: null });

/** A source never replaces what others say. */
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

/** Its own. */
export const withdrawReport = (
  database: Database,
  source: SourceActor,
  hostId: string,
): Promise<Outcome<Written>> =>
  inTransaction(database, (tx) =>
    writeReports(tx, hostId, [{ kind: "removed", source: source.name, mode: "merge" }], by(source)),
  );

/** Its own, as it is stored; null: it has not reported. */
export async function readOwnReport(
  database: Database,
  source: SourceActor,
  hostId: string,
): Promise<KeptReport | null> {
  const reports = await readReports(database, hostId);
  return reports.find(({ source: name, mode }) => name === source.name && mode === "merge") ?? null;
}
