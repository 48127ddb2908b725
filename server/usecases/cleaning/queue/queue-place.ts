// The place of one host in its site's queue, or the brake that keeps it from having one.
import { admit } from "@/server/domain/cleaning/queue/admission";
import { hotWithin } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { readAdmission } from "@/server/db/hot/fleet/admission";
import type { QueuePlace } from "@/server/contract/cleaning/queue-answers";
import { reasonOf, readBrakesInForce } from "@/server/usecases/cleaning/queue/wait-reason";

/** Call it for a queued host only; `waitReason` is the controller's. */
export async function readQueuePlace(
  database: Database,
  siteId: string,
  host: { readonly id: string; readonly waitReason: string | null },
): Promise<QueuePlace> {
  const [{ waiting, use, policy }, brakes, total] = await Promise.all([
    readAdmission(hotWithin(database), siteId),
    readBrakesInForce(database, siteId),
    database.hostRun.count({
      where: { siteId, state: { in: ["WaitingForCleanup/Queued", "ManualCleaning/Queued"] } },
    }),
  ]);
  const index = waiting.findIndex(({ hostId }) => hostId === host.id);
  const { reason, braked } = reasonOf(
    index < 0 ? null : (admit(waiting, use, policy.admission).waiting.get(host.id) ?? null),
    index >= 0,
    host.waitReason,
    brakes,
  );
  return { place: index < 0 ? null : index + 1, of: total, reason, braked };
}
