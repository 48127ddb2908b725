// Unusual machines that a run may begin with.
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { sku } from "@/server/controller/testing/hardware";
import { foreignWrite, restart } from "@/server/controller/testing/model/machine";
import { openInstance } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

/** A drive that the BMC does not list, the SKU wants, and the agent cannot identify; with a tenant's data if a tenant has the host. */
export function fitNameless(world: World): void {
  const spare = world.machine.drives.find(({ device }) => device.serial === "SPARE");
  if (spare === undefined) return;
  const isUsed = openInstance(world) !== null;
  Object.assign(spare, { nameless: true, present: true, bytes: spare.bytes.map(() => (isUsed ? 1 : 0)) });
  const { components } = world.sku ?? sku;
  const storage = components.storage.map((row) =>
    row.media === spare.device.media ? { ...row, count: row.count + 1 } : row,
  );
  world.sku = { ...sku, components: { ...components, storage } };
}

/** Somebody removes a drive and changes the SKU to fit: only what was known before shows that the drive is missing. */
export function fitMissing(world: World): void {
  const gone = world.machine.drives.find(({ present }) => present);
  if (gone === undefined) return;
  gone.present = false;
  const { components } = world.sku ?? sku;
  const storage = components.storage.map((row) =>
    row.media === gone.device.media ? { ...row, count: Math.max(0, row.count - 1) } : row,
  );
  world.sku = { ...sku, components: { ...components, storage } };
}

/** A drive whose status lies about its erases, or all of them. */
export function fitLying({ machine }: World, choice: number): void {
  const says = choice % 3 === 0 ? "running" : "idle";
  for (const [index, drive] of machine.drives.entries())
    if (choice % 5 === 0 || index === choice % machine.drives.length) drive.says = says;
}

/** A machine with an NVMe drive that has no sanitize, and is formatted. */
export function fitFormatted({ machine }: World): void {
  for (const drive of machine.drives) drive.formats = drive.device.serial === "NVME2";
}

/** A machine whose BMC performs steps that its SKU asks for. */
export function fitBmc(world: World): void {
  world.platform = { ...noPlatformFacts, bios: true, lockdown: false, erasableDrives: ["SSD1"] };
  world.sku = {
    ...sku,
    components: { ...sku.components, baseline: { bios: { LogicalProc: "Disabled" }, lockdown: true } },
  };
  if (world.host !== null) world.host.platform = world.platform;
}

/** A machine with a drive behind a controller that shows the host volumes but no drives. */
export function fitHidden(world: World): void {
  world.platform = { ...noPlatformFacts, erasableDrives: ["SSD1"] };
  if (world.host !== null) world.host.platform = world.platform;
  for (const drive of world.machine.drives) drive.hidden = drive.device.serial === "SSD1";
}

/** While a clean host waits for its maintenance to end, somebody writes to that drive and restarts the host. */
export function workOnHidden(world: World): void {
  const hidden = world.machine.drives.findIndex((drive) => drive.hidden);
  world.machine.agent = null;
  foreignWrite(world, hidden);
  restart(world);
}
