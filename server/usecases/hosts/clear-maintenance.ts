// Ends the maintenance that a person set. What a failure set is cleared by retry, restart or manage (design: lifecycle.md, States).
import { z } from "zod";
import { tellWithin } from "@/server/db/host-changes";
import { defineAct } from "@/server/usecases/define-act";
import { findMaintained } from "@/server/usecases/hosts/maintenance";
import { done, refused } from "@/server/usecases/problem";

export const clearMaintenance = defineAct({
  action: "host.clearMaintenance",
  right: "host.maintenance",
  input: z.strictObject({ hostId: z.uuid("must be the id of a host") }),
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: ({ tx }, { hostId }) => findMaintained(tx, hostId),
  run: async ({ tx }, host) => {
    if (!host.maintenance) return done({ value: { accepted: true as const }, changes: [] });
    if (host.by !== "person") return refused("notAllowedNow", "A failure set this maintenance: retry, restart or manage clears it.");
    // A claimed host stays out of allocation even while its state is still Ready.
    await tx.$executeRaw`
      UPDATE host_run r SET maintenance = false, maintenance_reason = NULL, maintenance_by = NULL, evidence_seq = evidence_seq + 1,
        due_at = least(coalesce(due_at, 'infinity'), now()), wake_seq = wake_seq + 1,
        allocatable = r.state = 'Ready' AND NOT EXISTS (SELECT 1 FROM instance i WHERE i.host_id = r.host_id AND i.ended_at IS NULL)
      WHERE r.host_id = ${host.hostId}::uuid`;
    // No signal: the handler reads maintenance from the row itself.
    await tellWithin(tx, { wake: true, feed: [{ hostId: host.hostId, tenantId: null, what: "maintenance" }] });
    return done({ value: { accepted: true as const }, changes: [{ targetId: host.hostId, tenantId: null, before: { maintenance: true, reason: host.reason }, after: { maintenance: false } }] });
  },
});
