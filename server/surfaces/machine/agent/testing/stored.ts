// What agents' calls leave in the database.
import type { MachineFixture } from "@/server/surfaces/machine/testing/machine-fixture";
import type { TestHost } from "@/server/surfaces/machine/testing/machine-rows";

/** The signals of a host, oldest first. */
export const signalsOf = (
  fixture: MachineFixture,
  host: TestHost,
): Promise<{ kind: string; payload: unknown }[]> =>
  fixture.query("SELECT kind, payload FROM signal WHERE host_id = $1 ORDER BY id", [host.id]);

/** The columns of a host that its agent's calls change. */
export async function runOf(
  fixture: MachineFixture,
  host: TestHost,
): Promise<Record<string, unknown> | undefined> {
  const [row] = await fixture.query(
    "SELECT wake_seq::int, evidence_seq::int, due_at IS NOT NULL AS due, erasing, clean_percent, clean_message FROM host_run WHERE host_id = $1",
    [host.id],
  );
  return row;
}

/** Publishes repeatedly while `asking` is open, because a test cannot know when the server starts to wait. */
export async function publishedDuring<Value>(
  fixture: MachineFixture,
  host: TestHost,
  command: unknown,
  asking: Promise<Value>,
): Promise<Value> {
  const timer = setInterval(() => fixture.hub.publish(host.id, 1, command), 10);
  return asking.finally(() => clearInterval(timer));
}
