// Gives an instance up: the tenant or an operator says so, and the host's trip back begins.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { refusal } from "@/server/domain/lifecycle/intents";
import { intentActor } from "@/server/usecases/actor";
import { releaseOne } from "@/server/contract/instances";
import { defineSqlAct } from "@/server/usecases/define-act";
import { openInstance, readHostFacts } from "@/server/usecases/hosts/acts/ask-of-host";
import { done, refused } from "@/server/usecases/problem";

/** Tenants read it in the status history (docs/api.md#nico). */
export const releaseMessage = "Release accepted; the host is being returned";

/** Asking twice is one release; an instance that has ended is not there any more. */
export const releaseInstance = defineSqlAct({
  ...releaseOne,
  names: ({ instanceId }) => ({ kind: "instance", id: instanceId }),
  find: async ({ tx }, { instanceId }) => {
    const host = await readHostFacts(tx, openInstance(instanceId));
    return host === null ? null : { id: instanceId, belongs: { tenantId: host.tenantId }, value: host };
  },
  run: async ({ tx, actor, request }, host, { instanceId: id }) => {
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
        signals: [{ hostId, kind: "release", payload: { by: intentActor(actor, request), instanceId: id } }],
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
