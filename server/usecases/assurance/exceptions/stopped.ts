// What exceptions may be requested for: the open reclamation of a host, its gates and its drives (docs/adr/0105-exceptions-and-dispositions.md).
import { sql } from "kysely";
import { z } from "zod";
import { verdictsOfOpenPlan } from "@/server/db/hot/host/view-query";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { gatesWithoutStep } from "@/server/domain/reclamations/gates/gate-rule";
import type { GateEvidenceInput } from "@/server/domain/reclamations/gates/gate-rule";
import type { DeviceVerdict } from "@/server/domain/hosts/record/reclamation";
import type { GateName, GateStatus } from "@/server/domain/reclamations/gates/gate-names";

export interface Stopped {
  readonly hostName: string;
  readonly siteId: string;
  readonly reclamationId: string | null;
  readonly kind: string | null;
  readonly planEpoch: number | null;
  /** It is stopped, and waits for a person. */
  readonly stopped: boolean;
  readonly devices: unknown;
  readonly verdicts: readonly DeviceVerdict[];
  readonly gates: readonly {
    readonly gate: GateName;
    readonly status: GateStatus;
    readonly reason: string;
    readonly evidence: Readonly<Record<string, unknown>>;
  }[];
  readonly now: Date;
}

/**
 * The current reclamation of a host; undefined if there is no such host. Gates are included only in states where they were evaluated for the current
 * plan, because until then the rows of an earlier plan remain; and, where a step failed whose gate may be excepted at once, that gate.
 */
export const readStopped = async (reader: SqlReader, hostId: string): Promise<Stopped | undefined> => {
  const [row] = await queryRows(
    reader,
    sql<Stopped & { readonly plan: GateEvidenceInput["plan"] }>`
    SELECT h.name AS "hostName", h.site_id::text AS "siteId", c.id::text AS "reclamationId", c.kind, c.plan_epoch AS "planEpoch", c.devices, coalesce(c.stopped_at IS NOT NULL, false) AS stopped, now() AS now,
      ${sql.raw(verdictsOfOpenPlan("h.id"))} AS verdicts,
      coalesce((SELECT json_agg(json_build_object('gate', g.gate, 'status', g.status, 'reason', g.reason, 'evidence', g.evidence)) FROM gate g
        WHERE g.reclamation_id = c.id AND r.state IN ('Failed/GateUnsatisfied', 'ReturnToAllocation/AwaitingProcedure', 'ReturnToAllocation/AwaitingSignOff', 'ReturnToAllocation/AwaitingHealth', 'ReturnToAllocation/AwaitingRepair')), '[]') AS gates,
      coalesce((SELECT json_agg(json_build_object('id', t.id, 'attempt', t.attempt, 'interface', t.interface, 'step', t.step, 'status', t.status, 'proves', t.proves) ORDER BY t.position)
        FROM step_run t WHERE t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND r.state IN ('Failed/MemOverwriteFailed', 'Failed/IbCleanFailed')), '[]') AS plan
    FROM host h JOIN host_run r ON r.host_id = h.id LEFT JOIN reclamation c ON c.host_id = h.id AND c.ended_at IS NULL WHERE h.id = ${hostId}::uuid`,
  );
  if (row === undefined) return undefined;
  const { plan, ...stopped } = row;
  return { ...stopped, gates: [...stopped.gates, ...gatesWithoutStep(plan)] };
};

const frozen = z.object({ expected: z.array(z.object({ serial: z.string(), model: z.string() })) });

/** Expected drives of the plan that are not sanitized, each with its verdict. Empty before there is a plan, because nothing is known yet. */
export function openDrives({ devices, planEpoch, verdicts }: Stopped) {
  if (planEpoch === null || planEpoch === 0) return [];
  return (frozen.safeParse(devices).data?.expected ?? []).flatMap(({ serial, model }) => {
    const found = verdicts.find((each) => each.serial === serial && each.model === model) ?? null;
    return found?.verdict === "sanitized" ? [] : [{ serial, model, found }];
  });
}
