// What is kept of a BMC's reading, on a real database.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { beforeEach, expect, it } from "vitest";
import type { BiosAttributes } from "@/server/domain/hosts/inventory/bios";
import type { BmcSettings } from "@/server/domain/hosts/inventory/bmc-settings";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { fileDatabase } from "@/server/db/testing/file-database";
import { addHost, addSite } from "@/server/db/testing/rows";
import { claimedIn, writtenIn } from "@/server/controller/system/testing/one-decision";

let pool: Pool;
const [siteId, controller] = [randomUUID(), randomUUID()];
fileDatabase(2, async (started) => {
  pool = started;
  await addSite(pool, siteId);
});

let hostId = "";
beforeEach(async () => {
  await pool.query("DELETE FROM host");
  hostId = randomUUID();
  await addHost(pool, hostId, { siteId });
});
const at = () => ({ pool, controller, hostId });

/** Stores a whole reading. */
const read = (bios: BiosAttributes | null, bmcSettings: BmcSettings | null = null) =>
  writtenIn(at(), "Verifying", (draft) => {
    draft.hardware.keep({
      learned: null,
      links: {},
      manufacturer: "Dell Inc.",
      model: "R760",
      powerState: "on",
      macs: [],
      storage: [],
      firmware: [],
      bios,
      bmcSettings,
      platform: { ...noPlatformFacts, lockdown: false },
      leftOut: [],
      unresolved: [],
    });
  });

it("what the BMC offers is brought by the next claim", async () => {
  await read(null);
  expect((await claimedIn(at(), "Manageable")).platform).toEqual({ ...noPlatformFacts, lockdown: false });
});

it("BIOS attributes stay beside the inventory until the whole is read again", async () => {
  const kept = async () =>
    (
      await pool.query(
        "SELECT bios, bios_read_at, body ? 'bios' AS in_body FROM host_inventory WHERE host_id = $1",
        [hostId],
      )
    ).rows;
  const bios = { LogicalProc: "Disabled", NumCores: 8 };
  await read(bios);
  expect(await kept()).toEqual([{ bios, bios_read_at: expect.any(Date), in_body: false }]);
  const before = await kept();
  // A reading of the drives alone says nothing about the BIOS.
  await writtenIn(at(), "WaitingForCleanup/Init", (draft) => {
    draft.hardware.keepStorage({ storage: [], earlier: [], unresolved: [], platform: noPlatformFacts });
  });
  expect(await kept()).toEqual(before);
  await read({ LogicalProc: "Enabled" });
  expect(await kept()).toMatchObject([{ bios: { LogicalProc: "Enabled" } }]);
  // The BMC reports no settings any more, so the earlier ones may no longer be true.
  await read(null);
  expect(await kept()).toEqual([{ bios: null, bios_read_at: null, in_body: false }]);
});

it("what a baseline may say of the BMC stays until the whole is read again", async () => {
  const kept = async () =>
    (await pool.query("SELECT bmc_settings AS bmc FROM host_inventory WHERE host_id = $1", [hostId])).rows;
  const bmc: BmcSettings = { accounts: ["root"], subscriptions: [], left: ["account keys: none"] };
  await read(null, bmc);
  await writtenIn(at(), "WaitingForCleanup/Init", (draft) => {
    draft.hardware.keepStorage({ storage: [], earlier: [], unresolved: [], platform: noPlatformFacts });
  });
  expect(await kept()).toEqual([{ bmc }]);
  await read(null);
  expect(await kept()).toEqual([{ bmc: null }]);
});
