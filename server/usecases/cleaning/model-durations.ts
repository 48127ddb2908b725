// How long the erase steps of a plan will take, based on drives of the same models (docs/adr/0088-remnant-probe.md).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { ErasePolicy, OfferedStep } from "@/server/domain/agents/protocol";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { KnownHardware } from "@/server/domain/cleaning/steps/step";
import { stepOf } from "@/server/domain/hosts/fake/fake-steps";
import { estimateErase } from "@/server/domain/cleaning/sanitization/models/erase-estimate";
import type { ModelDurations } from "@/server/domain/cleaning/sanitization/models/erase-estimate";
import type { PastDuration } from "@/server/usecases/cleaning/step-durations";

interface Host {
  readonly known: KnownHardware;
  readonly offered: readonly OfferedStep[];
  readonly techniques: ErasePolicy["techniques"];
}

/** By index in the list. Omits steps that erase nothing, and steps with a drive whose model has too few records. */
export async function modelDurations(
  database: Database,
  { known, offered, techniques }: Host,
  steps: readonly ManualStep[],
): Promise<ReadonlyMap<number, PastDuration>> {
  const erases = steps.flatMap((step, index) => {
    const declared = stepOf(known, step.interface, step.step, offered);
    return declared?.proves.includes("storageSanitized") === true && declared.where === "agent"
      ? [{ index, devices: declared.devices(known, step.args) }]
      : [];
  });
  const models = [...new Set(erases.flatMap(({ devices }) => devices.map(({ model }) => model)))];
  if (models.length === 0) return new Map();
  const rows = await queryRows(
    database,
    sql<ModelDurations>`SELECT model, firmware, technique, durations, longest_ms::float8 AS "longestMs"
      FROM drive_model_erase WHERE model = ANY(${models}::text[])`,
  );
  return new Map(
    erases.flatMap(({ index, devices }): [number, PastDuration][] => {
      const estimate = estimateErase(devices, techniques, rows);
      return estimate === null ? [] : [[index, { basis: "model", ...estimate }]];
    }),
  );
}
