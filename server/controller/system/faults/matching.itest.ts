// SKU matching on a real database: which SKUs a claim shows, and what a commit assigns if somebody was quicker.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { claimHosts } from "@/server/db/hot/host/claim";
import { commitHosts } from "@/server/db/hot/host/commit";
import { fileDatabase } from "@/server/db/testing/file-database";
import { addHost, addSite } from "@/server/db/testing/rows";
import type { HostView } from "@/server/domain/hosts/record/view";
import type { State } from "@/server/domain/lifecycle/states";
import { decide } from "@/server/controller/decide/decide";
import { commitRows } from "@/server/controller/loop/commit-rows";
import { allDrives, inventoryOf, sku } from "@/server/controller/testing/hardware";

let pool: Pool;
const controllerId = randomUUID();
const siteId = randomUUID();
const [r760, other] = [randomUUID(), randomUUID()];

fileDatabase(4, async (started) => {
  pool = started;
  await addSite(pool, siteId);
});

let hostId = "";
beforeEach(async () => {
  await pool.query("DELETE FROM host");
  await pool.query("DELETE FROM sku");
  hostId = randomUUID();
  await addHost(pool, hostId, { siteId });
  await pool.query(
    "INSERT INTO host_inventory (host_id, source, boot_epoch, body) VALUES ($1, 'agent', 1, $2)",
    [hostId, JSON.stringify(inventoryOf(allDrives))],
  );
  const components = JSON.stringify(sku.components);
  await pool.query("INSERT INTO sku (id, name, components) VALUES ($1, 'R760', $2), ($3, 'R660', $4)", [
    r760,
    components,
    other,
    JSON.stringify({ ...sku.components, product: "PowerEdge R660" }),
  ]);
});

async function claimed(state: State = "BomValidating/MatchingSku"): Promise<HostView> {
  await pool.query(
    "UPDATE host_run SET state = $2, due_at = now() - interval '1 s', lease_owner = NULL WHERE host_id = $1",
    [hostId, state],
  );
  const [claim] = await claimHosts(pool, controllerId, 10, 60_000);
  if (claim?.ok !== true) throw new Error("nothing was claimed");
  return claim.view;
}

/** Commits a match with the first SKU that the host's claim shows, after `meanwhile`. Returns the SKU that the host then has. */
async function matched(meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<string | null> {
  const view = await claimed();
  const [candidate] = view.skus ?? [];
  if (candidate === undefined) throw new Error("no SKU was claimed");
  await meanwhile();
  const decision = { ...decide(view, { newId: randomUUID }), matchedSku: candidate };
  const written = await commitHosts(pool, controllerId, commitRows([{ view, decision }], randomUUID));
  expect(written.has(hostId)).toBe(true);
  const { rows } = await pool.query<{ sku_id: string | null }>("SELECT sku_id FROM host WHERE id = $1", [
    hostId,
  ]);
  return rows[0]?.sku_id ?? null;
}

describe("a claim of a host without a SKU", () => {
  it("shows the SKUs of its product, and whether they have priorities", async () => {
    expect((await claimed()).skus).toMatchObject([{ id: r760, name: "R760", hasPriorities: false }]);
    await pool.query(
      "INSERT INTO step_override (scope, scope_id, interface, step, priority) VALUES ('sku', $1, 'deploy', 'erase_disks', 12)",
      [r760],
    );
    expect((await claimed("BomValidating/WaitingForSkuAssignment")).skus).toMatchObject([
      { hasPriorities: true },
    ]);
  });

  it("shows none in other states, none to a host that has one, and an empty list where there is none", async () => {
    expect((await claimed("BomValidating/VerifyingSku")).skus).toBeNull();
    await pool.query("UPDATE host SET sku_id = $2 WHERE id = $1", [hostId, other]);
    expect((await claimed()).skus).toBeNull();
    await pool.query("UPDATE host SET sku_id = NULL WHERE id = $1", [hostId]);
    await pool.query("DELETE FROM sku");
    expect((await claimed()).skus).toEqual([]);
  });
});

describe("a commit", () => {
  it("assigns the SKU, and leaves what else is known of the host", async () => {
    await pool.query("UPDATE host SET power_state = 'on', manufacturer = 'Dell Inc.' WHERE id = $1", [
      hostId,
    ]);
    expect(await matched()).toBe(r760);
    const { rows } = await pool.query("SELECT power_state, manufacturer FROM host WHERE id = $1", [hostId]);
    expect(rows).toEqual([{ power_state: "on", manufacturer: "Dell Inc." }]);
  });

  it("leaves the SKU that a person assigned meanwhile", async () => {
    expect(
      await matched(() => pool.query("UPDATE host SET sku_id = $2 WHERE id = $1", [hostId, other])),
    ).toBe(other);
  });

  it.each([
    ["changed", "UPDATE sku SET components = components || '{\"infiniband\": 2}'"],
    ["deleted", "DELETE FROM sku"],
  ])("assigns none that was %s meanwhile", async (_what, statement) => {
    expect(await matched(() => pool.query(statement))).toBeNull();
  });
});
