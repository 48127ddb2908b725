// The gate `healthy`: no maintenance, and no alert that prevents allocation. A report in mode `replace` hides nothing from it.
import { satisfied, unsatisfied, waivedByPolicy } from "@/server/domain/reclamations/gates/gate-rule";
import type { Evaluated, GateEvidenceInput } from "@/server/domain/reclamations/gates/gate-rule";
import { actingText, acts } from "@/server/domain/repair/health/acting";

/** An alert keeps a host out of allocation whatever the site's policy says, as maintenance does (docs/adr/0092-health.md). */
export function healthy(input: GateEvidenceInput): Evaluated {
  const { maintenance, maintenanceReason, health, requires } = input;
  // safety: gates: maintenance
  if (maintenance) return unsatisfied(`in maintenance: ${maintenanceReason ?? "no reason given"}`);
  const evidence = health === null ? {} : { healthSources: health.sources, alerts: health.alerts };
  // safety: gates: an alert that prevents allocation
  if (acts(health, "PreventAllocations"))
    return unsatisfied(`an alert prevents allocation: ${actingText(health, "PreventAllocations")}`, evidence);
  // Without reports, only the policy says that none are needed. Reports that exist are judged whatever it says.
  if (!requires.healthy && health === null)
    return waivedByPolicy(input, "the site's policy does not require health reports");
  return health === null
    ? satisfied("no source reports an alert")
    : satisfied("no alert prevents allocation", evidence);
}
