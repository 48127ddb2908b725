// Starts and ends an online repair: the report, the instance's label and its history in one transaction (docs/adr/0093-repair.md).
import { sql } from "kysely";
import { instances as contract } from "@/server/contract/instances/instances";
import type { Transaction } from "@/server/db/prisma";
import { execute, queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { nicoInstanceStatus } from "@/server/domain/lifecycle/projections";
import type { NicoInstanceStatus } from "@/server/domain/lifecycle/projections";
import { storedState } from "@/server/domain/lifecycle/states";
import type { InstanceLabels } from "@/server/domain/instances/own-text";
import {
  beginRefusal,
  canEnd,
  noneToEnd,
  onlineRepairLabels,
  onlineRepairReport,
  onlineRepairSource,
  withRepairLabels,
} from "@/server/domain/repair/online-repair";
import { reporterOf, ticketOfIssue } from "@/server/usecases/break-fix/ticket-hooks";
import { acted, defineAct } from "@/server/usecases/define-act";
import type { ActContext, Target } from "@/server/usecases/define-act";
import { lockHealth } from "@/server/usecases/repair/health/stored-reports";
import { writeReports } from "@/server/usecases/repair/health/write-reports";
import { readLabels } from "@/server/usecases/instances/labels";
import { noRoomForLabels, storeLabels } from "@/server/usecases/repair/repair-status";
import { notFound, refused } from "@/server/usecases/problem";

interface Held {
  readonly hostId: string;
  readonly tenantId: string;
  readonly name: string;
}

interface Now {
  readonly status: NicoInstanceStatus;
  readonly labels: InstanceLabels;
  readonly reported: boolean;
}

/** Locks an instance's host in the same way as all changes of its health, state or release. Null if the instance has ended. */
async function lockInstance(tx: SqlReader, id: string, hostId: string): Promise<Now | null> {
  if ((await lockHealth(tx, hostId)) === null) return null;
  await queryRows(tx, sql`SELECT 1 FROM host_run WHERE host_id = ${hostId}::uuid FOR UPDATE`);
  const [row] = await queryRows(
    tx,
    sql<{ state: string; released: boolean; repaired: boolean; labels: unknown; reported: boolean }>`
    SELECT r.state, i.release_requested_at IS NOT NULL AS released, coalesce(r.health @> '{"onlineRepair": true}', false) AS repaired, i.labels,
      EXISTS (SELECT 1 FROM health_report p WHERE p.host_id = i.host_id AND p.source = ${onlineRepairSource} AND p.mode = 'merge') AS reported
    FROM instance i JOIN host_run r ON r.host_id = i.host_id WHERE i.id = ${id}::uuid AND i.ended_at IS NULL`,
  );
  return row === undefined
    ? null
    : {
        status: nicoInstanceStatus(storedState(row.state), {
          releaseRequested: row.released,
          onlineRepair: row.repaired,
        }),
        labels: readLabels(row.labels),
        reported: row.reported,
      };
}

const names = ({ instanceId }: { readonly instanceId: string }) => ({ kind: "instance", id: instanceId });

async function find(
  { tx }: ActContext<Transaction>,
  { instanceId: id }: { readonly instanceId: string },
): Promise<Target<Held> | null> {
  const found = await tx.instance.findFirst({ where: { id, endedAt: null } });
  return found === null ? null : { id, belongs: { tenantId: found.tenantId }, value: found };
}

export const beginOnlineRepair = defineAct({
  ...contract.beginRepair,
  names,
  find,
  run: async ({ tx, actor }, { hostId, tenantId, name }, asked) => {
    const { instanceId: id, issue, allowAutoInstanceDeletionOnFailure: deletion } = asked;
    const now = await lockInstance(tx, id, hostId);
    if (now === null) return notFound("instance", id);
    const wrong = beginRefusal(now.status, now.reported);
    if (wrong !== null) return refused("notAllowedNow", wrong, "instanceId");
    const chosen = { [onlineRepairLabels.deletion]: String(deletion) };
    if (withRepairLabels(now.labels, chosen) === null) return noRoomForLabels;
    await storeLabels(tx, id, chosen);
    const written = await writeReports(
      tx,
      hostId,
      [
        {
          kind: "set",
          source: onlineRepairSource,
          mode: "merge",
          report: onlineRepairReport(issue),
          heartbeatSeconds: null,
        },
      ],
      { name: actor.name, reason: "online repair" },
    );
    if (!written.ok) return written;
    await ticketOfIssue(tx, {
      hostId,
      instanceId: id,
      tenantId,
      issue,
      origin: "onlineRepair",
      writer: reporterOf(actor),
    });
    const { category, summary } = issue;
    return acted({
      value: { id },
      targetId: id,
      tenantId,
      before: { name, hostId, onlineRepair: false },
      after: { onlineRepair: true, category, summary, deletion, ...asked.acknowledgments },
    });
  },
});

/** Also removes what is left of one: a label without a report, or a report without its label. */
export const endOnlineRepair = defineAct({
  ...contract.endRepair,
  names,
  find,
  run: async ({ tx, actor }, { hostId, tenantId, name }, { instanceId: id }) => {
    const now = await lockInstance(tx, id, hostId);
    if (now === null) return notFound("instance", id);
    const { status, reported } = now;
    if (status === "Terminating")
      return refused(
        "notAllowedNow",
        "The instance is being released; its host is back with the provider.",
        "instanceId",
      );
    const labelled = Object.hasOwn(now.labels, onlineRepairLabels.deletion);
    if (!canEnd({ status, labelled, reported }))
      return refused("notAllowedNow", noneToEnd(status), "instanceId");
    if (reported) {
      const written = await writeReports(
        tx,
        hostId,
        [{ kind: "removed", source: onlineRepairSource, mode: "merge" }],
        { name: actor.name, reason: "online repair ended" },
      );
      if (!written.ok) return written;
    }
    await execute(
      tx,
      sql`UPDATE instance SET labels = labels - ${onlineRepairLabels.deletion}::text WHERE id = ${id}::uuid`,
    );
    return acted({
      value: { id },
      targetId: id,
      tenantId,
      before: { name, hostId, onlineRepair: true },
      after: { onlineRepair: false },
      tell: { feed: [{ hostId, tenantId, what: "instance" }] },
    });
  },
});
