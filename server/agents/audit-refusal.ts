// Writes refused reports of machines to the audit log.
import type { RefusedCall } from "@/server/agents/refusal";
import { writeAudit } from "@/server/db/audit";
import type { Database } from "@/server/db/prisma";

export async function auditRefusedCall(database: Database, call: RefusedCall): Promise<void> {
  await writeAudit(database, {
    actor: { kind: call.actor.kind, id: call.actor.id, name: null },
    action: call.action,
    targetId: call.hostId,
    tenantId: call.tenantId,
    requestId: call.requestId,
    address: call.address,
    outcome: "refused",
    before: null,
    after: { code: call.code, ...call.facts },
  });
}
