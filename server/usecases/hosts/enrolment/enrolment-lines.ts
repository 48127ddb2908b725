// The lines of an enrolment, each with its stage. Read in one statement, because the counts cover all of them.
import { sql } from "kysely";
import { z } from "zod";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { isAccepted, seenCertificate } from "@/server/domain/hardware/certificate";
import type { SeenCertificate } from "@/server/domain/hardware/certificate";
import { lineFault } from "@/server/domain/hosts/enrolment/host-line";
import type { LineFault } from "@/server/domain/hosts/enrolment/host-line";
import { stageOf } from "@/server/domain/hosts/enrolment/progress";
import type { EnrolmentGoal, EnrolmentStage } from "@/server/domain/hosts/enrolment/progress";
import { bmcTrust } from "@/server/domain/sites/authorities";
import { storedState } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";
import { lastReady } from "@/server/usecases/hosts/list/host-rows";

export interface StagedLine {
  readonly line: number;
  readonly name: string | null;
  readonly hostId: string | null;
  readonly faults: readonly LineFault[];
  readonly state: StoredState | null;
  readonly stage: EnrolmentStage;
  readonly lastError: string | null;
  /** The expected chassis serial number was given. */
  readonly serialGiven: boolean;
  /** SHA-256 of the certificate that the BMC must show; null if none is pinned. */
  readonly pinned: string | null;
  /** The certificate that the BMC last showed, and whether Reclaim may connect. */
  readonly certificate: (SeenCertificate & { readonly confirmed: boolean }) | null;
  readonly identity: {
    readonly manufacturer: string | null;
    readonly model: string | null;
    readonly serial: string | null;
    readonly systemUuid: string | null;
  };
}

interface LineRecord {
  readonly line: number;
  readonly name: string | null;
  readonly host_id: string | null;
  readonly faults: unknown;
  readonly host_name: string | null;
  readonly state: string | null;
  readonly last_error: string | null;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  readonly expected_serial: string | null;
  readonly system_uuid: string | null;
  readonly certificate: unknown;
  readonly pinned: string | null;
  readonly trust: string | null;
  readonly was_ready: boolean;
  readonly pending: readonly string[];
}

function certificateOf({ certificate, pinned, trust }: LineRecord): StagedLine["certificate"] {
  const seen = seenCertificate.safeParse(certificate).data;
  return seen === undefined ? null : { ...seen, confirmed: isAccepted(pinned, bmcTrust.parse(trust), seen) };
}

const faultList = z.array(lineFault);

function toStaged(row: LineRecord, goal: EnrolmentGoal): StagedLine {
  const state = row.state === null ? null : storedState(row.state);
  return {
    line: row.line,
    // A host that was renamed since is shown with its current name.
    name: row.host_name ?? row.name,
    hostId: row.host_id,
    faults: faultList.parse(row.faults),
    state,
    stage: stageOf({
      enrolled: row.host_id !== null,
      goal,
      state,
      wasReady: row.was_ready,
      pending: row.pending,
    }),
    lastError: row.last_error,
    serialGiven: row.expected_serial !== null,
    pinned: row.pinned,
    certificate: certificateOf(row),
    identity: {
      manufacturer: row.manufacturer,
      model: row.model,
      serial: row.serial,
      systemUuid: row.system_uuid,
    },
  };
}

/** In the order of the list. */
export async function readLines(
  database: SqlReader,
  id: string,
  goal: EnrolmentGoal,
): Promise<readonly StagedLine[]> {
  const rows = await queryRows(
    database,
    sql<LineRecord>`
    SELECT l.line, l.name, l.host_id::text, l.faults, r.name AS host_name, r.state, r.last_error, h.manufacturer, h.model, h.serial, h.expected_serial, h.system_uuid::text, h.certificate_seen AS certificate, h.bmc_certificate AS pinned, s.bmc_trust AS trust,
      r.host_id IS NOT NULL AND ${lastReady} IS NOT NULL AS was_ready, ARRAY(SELECT g.kind FROM signal g WHERE g.host_id = l.host_id ORDER BY g.id) AS pending
    FROM enrolment_line l LEFT JOIN host h ON h.id = l.host_id LEFT JOIN site s ON s.id = h.site_id LEFT JOIN host_run r ON r.host_id = h.id
    WHERE l.enrolment_id = ${id}::uuid ORDER BY l.line`,
  );
  return rows.map((row) => toStaged(row, goal));
}
