// Gives an instance up: the tenant or an operator says so, and the host's trip back begins.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { decide } from "@/server/domain/access/access";
import { refusal } from "@/server/domain/lifecycle/intents";
import { releaseOne } from "@/server/contract/instances";
import type { Backend } from "@/server/usecases/backend";
import { defineSqlAct } from "@/server/usecases/define-act";
import type { Found } from "@/server/usecases/define-act";
import { factsColumns, factsFrom, toHostFacts } from "@/server/usecases/hosts/host-facts";
import type { FactsRow, HostFacts } from "@/server/usecases/hosts/host-facts";
import type { Member } from "@/server/usecases/instances/tenant-instances";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

interface HeldInstance extends Found<HostFacts> {
  readonly tenantOrg: string | null;
}

/** An instance that has not ended, with the facts of its host, in one statement. */
async function findHeld(reader: SqlReader, id: string): Promise<HeldInstance | null> {
  const [row] = await queryRows(
    reader,
    sql<FactsRow & { readonly tenant_org: string | null }>`
    SELECT ${factsColumns}, t.org AS tenant_org FROM ${factsFrom} LEFT JOIN tenant t ON t.id = i.tenant_id WHERE i.id = ${id}::uuid`,
  );
  return row === undefined
    ? null
    : { id, belongs: { tenantId: row.tenant_id }, value: toHostFacts(row), tenantOrg: row.tenant_org };
}

/** What a member is about to release. `notFound` for another tenant's, too; `forbidden` where the organisation is not its tenant's. */
export async function findReleasable(
  { database }: Backend,
  { actor, org }: Member,
  instanceId: string,
): Promise<Outcome<Found<HostFacts>>> {
  const held = await findHeld(database, instanceId);
  if (held === null || decide(actor, releaseOne.right, held.belongs) === "hidden")
    return notFound("instance", instanceId);
  return held.tenantOrg === org
    ? done(held)
    : refused("forbidden", `The instance ${instanceId} does not belong to ${org}.`);
}

/** Tenants read it in the status history (docs/api.md#nico). */
export const releaseMessage = "Release accepted; the host is being returned";

/** Asking twice is one release; an instance that has ended is not there any more. */
export const releaseInstance = defineSqlAct({
  ...releaseOne,
  names: ({ instanceId }) => ({ kind: "instance", id: instanceId }),
  find: ({ tx }, { instanceId }) => findHeld(tx, instanceId),
  run: async ({ tx, actor, by }, host, { instanceId: id }) => {
    const { hostId, tenantId } = host;
    const already = done({ value: { instanceId: id, hostId, alreadyReleasing: true }, changes: [] });
    if (host.releaseRequested) return already;
    // Before the controller has read the claim the state is still Ready; the release then waits behind it, in order.
    const reason = host.pending.includes("assign") ? null : refusal("release", host);
    if (reason !== null)
      return refused("notAllowedNow", `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`);
    const marked = await queryRows(
      tx,
      sql<{ id: string }>`
      WITH released AS (
        UPDATE instance SET release_requested_at = now(), released_by = ${actor.personId}::uuid, updated_at = now()
        WHERE id = ${id}::uuid AND ended_at IS NULL AND release_requested_at IS NULL RETURNING id
      ), told AS (
        INSERT INTO instance_status_history (instance_id, status, message) SELECT id, 'Terminating', ${releaseMessage} FROM released
      )
      SELECT id FROM released`,
    );
    if (marked.length === 0) return already; // another request was first
    return done({
      value: { instanceId: id, hostId, alreadyReleasing: false },
      tell: {
        signals: [{ hostId, kind: "release", payload: { by, instanceId: id } }],
        feed: [{ hostId, tenantId, what: "release" }],
      },
      changes: [
        {
          targetId: id,
          tenantId,
          before: { name: host.instanceName, hostId, released: false },
          after: { released: true },
        },
      ],
    });
  },
});
