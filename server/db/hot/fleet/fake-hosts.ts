// Fake hosts when a controller starts: this one may handle them although the last one did not, or the reverse.
import { fakeHardwareType, fakeIsOff } from "@/server/domain/hosts/fake/fake-type";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";

const wake = named<{ host_id: string }, [string, string, boolean]>(
  "fake_hosts_wake",
  `
  UPDATE host_run r SET due_at = least(coalesce(r.due_at, 'infinity'), now()), wake_seq = r.wake_seq + 1
  FROM host h WHERE h.id = r.host_id AND h.hardware_type = $1 AND (r.wait_reason IS NOT DISTINCT FROM $2) = $3::boolean
  RETURNING r.host_id`,
);

/** Makes due the hosts that must continue because fake hosts are on, or must stop and say why because they are off. Returns how many. */
export async function wakeFakeHosts(database: HotDatabase, on: boolean): Promise<number> {
  return (await wake(database, fakeHardwareType, fakeIsOff, on)).length;
}
