// One host on a real database: claims it in a state, and commits what a test's handler decides.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { expect } from "vitest";
import { decide } from "@/server/controller/decide/decide";
import type { Decision } from "@/server/controller/host/decision";
import type { Draft } from "@/server/controller/host/draft";
import { wait } from "@/server/controller/host/handler-result";
import { commitRows } from "@/server/controller/loop/commit-rows";
import { claimHosts } from "@/server/db/hot/host/claim";
import { commitHosts } from "@/server/db/hot/host/commit";
import type { HostView } from "@/server/domain/hosts/record/view";
import type { State } from "@/server/domain/lifecycle/states";

interface OneHost {
  readonly pool: Pool;
  readonly controller: string;
  readonly hostId: string;
}

/** Puts the host into `state` and claims it. */
export async function claimedIn({ pool, controller, hostId }: OneHost, state: State): Promise<HostView> {
  await pool.query(
    "UPDATE host_run SET state = $2, due_at = now() - interval '1 s', lease_owner = NULL, lease_until = NULL WHERE host_id = $1",
    [hostId, state],
  );
  const [claim] = await claimHosts(pool, controller, 10, 60_000);
  if (claim?.ok !== true) throw new Error(claim === undefined ? "nothing was claimed" : claim.message);
  return claim.view;
}

/** Claims the host in `state` and commits what `handler` decides. */
export async function writtenIn(
  host: OneHost,
  state: State,
  handler: (draft: Draft) => void,
): Promise<Decision> {
  const view = await claimedIn(host, state);
  const decision = decide(view, {
    newId: randomUUID,
    handlerOf: () => (draft) => {
      handler(draft);
      return wait("written", null);
    },
  });
  const rows = commitRows([{ view, decision }], randomUUID);
  expect((await commitHosts(host.pool, host.controller, rows)).has(host.hostId)).toBe(true);
  return decision;
}
