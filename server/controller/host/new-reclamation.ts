// The first record of a reclamation.
import type { IntentActor } from "@/server/domain/lifecycle/signals";
import type { InstanceView } from "@/server/domain/hosts/record/host";
import type { ReclamationKind, ReclamationView } from "@/server/domain/hosts/record/reclamation";
import type { HostView } from "@/server/domain/hosts/record/view";

/** A reclamation that begins now, with a copy of the site's policy. */
export const newReclamation = (
  { nowMs, site }: Pick<HostView, "nowMs" | "site">,
  id: string,
  kind: ReclamationKind,
  by: IntentActor | null,
  instance: InstanceView | null,
): ReclamationView => ({
  id,
  kind,
  instanceId: instance?.id ?? null,
  tenantId: instance?.tenantId ?? null,
  requestedBy: by?.personId ?? null,
  requestId: by?.requestId ?? null,
  startedAtMs: nowMs,
  queuedAtMs: null,
  admittedAtMs: null,
  limitAtMs: null,
  stoppedAtMs: null,
  stoppedCause: null,
  stoppedIn: null,
  message: null,
  policyVersion: site.policyVersion,
  policyKey: site.policyKey,
  policy: site.policy,
  devices: null,
  content: null,
  planMade: false,
  policySetBy: null,
  planEpoch: 0,
  plan: null,
  platform: null,
  runbookId: null,
  runbookName: null,
  bulkId: null,
  pausedMs: 0,
  pausedAtMs: null,
});
