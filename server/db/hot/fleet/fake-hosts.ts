// Hosts of type `fake` when a controller starts: it may be another one than before that works on them, or no longer does.
import { fakeHardwareType, fakeIsOff } from "@/server/domain/fake/fake-type";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

const wake = named<{ host_id: string }, [string, string, boolean]>(
  "fake_hosts_wake",
  `
  UPDATE host_run r SET due_at = least(coalesce(r.due_at, 'infinity'), now()), wake_seq = r.wake_seq + 1
  FROM host h WHERE h.id = r.host_id AND h.hardware_type = $1 AND (r.wait_reason IS NOT DISTINCT FROM $2) = $3::boolean
  RETURNING r.host_id`,
);

/** Makes due those that must go on, where fake hosts are switched on, or must stop and say why, where they are not. Returns how many. */
export async function wakeFakeHosts(database: HotDatabase, on: boolean): Promise<number> {
  return (await wake(database, fakeHardwareType, fakeIsOff, on)).length;
}
