// Hosts as the database shows them, and waiting for their states.
import type { SignalKind } from "@/server/domain/lifecycle/signals";
import type { State } from "@/server/domain/lifecycle/states";
import type { Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";

export interface HostRow {
  readonly host_id: string;
  readonly name: string;
  readonly state: string;
  readonly wait_reason: string | null;
  readonly last_error: string | null;
  readonly maintenance: boolean;
  readonly maintenance_by: string | null;
  readonly allocatable: boolean;
  readonly lease_owner: string | null;
  readonly generation: bigint;
  readonly boot_epoch: number;
  readonly reclamation_id: string | null;
}

export async function hostRows({ pool }: Stack, hostIds: readonly string[]): Promise<HostRow[]> {
  const { rows } = await pool.query<HostRow>(
    `SELECT host_id, name, state, wait_reason, last_error, maintenance, maintenance_by, allocatable, lease_owner, generation, boot_epoch, reclamation_id
     FROM host_run WHERE host_id = ANY($1::uuid[]) ORDER BY name`,
    [hostIds],
  );
  return rows;
}

export async function hostRow(stack: Stack, hostId: string): Promise<HostRow> {
  const [row] = await hostRows(stack, [hostId]);
  if (row === undefined) throw new Error(`no host ${hostId}`);
  return row;
}

/** The host gets a SKU of its own: its present one with this baseline. */
export async function requireBaseline({ world }: Stack, hostId: string, baseline: object): Promise<void> {
  const { database } = world.backend;
  const { sku } = await database.host.findUniqueOrThrow({ where: { id: hostId }, include: { sku: true } });
  if (sku === null) throw new Error(`host ${hostId} has no SKU`);
  const made = await database.sku.create({
    data: { name: `${sku.name} of ${hostId}`, components: { ...Object(sku.components), baseline } },
  });
  await database.host.update({ where: { id: hostId }, data: { skuId: made.id } });
}

/** In words, for the message of a wait that failed. */
export function describeStates(rows: readonly HostRow[]): string {
  return rows
    .map((row) => `${row.name} ${row.state} (${row.wait_reason ?? ""}; ${row.last_error ?? ""})`)
    .join("\n");
}

/** Waits until every host is in one of the states; a host that fails meanwhile ends the wait unless `failing` is allowed. */
export async function waitForStates(
  stack: Stack,
  hostIds: readonly string[],
  states: readonly State[],
  limitMs: number,
  failing: "mayFail" | "mustNotFail" = "mustNotFail",
): Promise<readonly HostRow[]> {
  const wanted: ReadonlySet<string> = new Set(states);
  return until(`${hostIds.length} hosts in ${states.join(" or ")}`, limitMs, async () => {
    for (const { process } of stack.controllers) process.check();
    stack.simulator.check();
    const rows = await hostRows(stack, hostIds);
    const open = rows.filter(({ state }) => !wanted.has(state));
    const failed = failing === "mayFail" ? [] : open.filter(({ state }) => state.startsWith("Failed/"));
    if (failed.length > 0)
      throw new Error(`failed while waiting for ${states.join(" or ")}:\n${describeStates(failed)}`);
    return open.length === 0 && rows.length === hostIds.length ? rows : describeStates(open);
  });
}

/** Waits until one host is in the state, whatever it goes through. */
export async function waitForState(
  stack: Stack,
  hostId: string,
  state: State,
  limitMs = 300_000,
): Promise<HostRow> {
  const [row] = await waitForStates(stack, [hostId], [state], limitMs, "mayFail");
  if (row === undefined) throw new Error(`no host ${hostId}`);
  return row;
}

/** Waits until the controller has read the signals of this kind to the host. */
export const untilRead = (stack: Stack, hostId: string, kind: SignalKind): Promise<true> =>
  until(`${kind} to be read`, 120_000, async () => {
    const { rowCount } = await stack.pool.query("SELECT 1 FROM signal WHERE host_id = $1 AND kind = $2", [
      hostId,
      kind,
    ]);
    return rowCount === 0;
  });

/** Waits until a query about the host, which is its `$1`, finds something. */
export const untilFound = (stack: Stack, what: string, hostId: string, sql: string): Promise<true> =>
  until(what, 120_000, async () => ((await stack.pool.query(sql, [hostId])).rowCount ?? 0) > 0);
