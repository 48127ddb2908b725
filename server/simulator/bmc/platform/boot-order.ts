// The boot order of a simulated machine: shown by its BMC, and changed over Redfish as its vendor's BMC takes it.
import { z } from "zod";
import { parseJson } from "@/server/domain/json";
import { fault, type BmcAnswer } from "@/server/simulator/bmc/answer";
import { accepted, emptied, under, type Around } from "@/server/simulator/bmc/platform/answers";
import type { Places } from "@/server/simulator/bmc/platform/places";
import { platformMs, type Platform } from "@/server/simulator/bmc/platform/platform";

const orderPatch = z.strictObject({ Boot: z.strictObject({ BootOrder: z.array(z.string()) }) });

/** The order of the boot entries that are there: one that is new is tried last. In the settings for the next restart, the order that is pending. */
export function bootOrderOf(
  places: Places,
  { bootOrder, bootOrderPending, others }: Platform,
  next: boolean,
) {
  const list = places.lists.bootEntries;
  const order = (next ? bootOrderPending : null) ?? bootOrder ?? places.bootOrder ?? [];
  const added = Object.entries(others).flatMap(([path, entry]) =>
    under(path, list) && typeof entry?.["BootOptionReference"] === "string"
      ? [entry["BootOptionReference"]]
      : [],
  );
  const gone = (reference: string) => others[`${list ?? ""}/${reference}`] === null;
  return [...order, ...added.filter((each) => !order.includes(each))].filter((each) => !gone(each));
}

/** The order that a PATCH gives; null: it is for something else. It is written to the settings for the next restart, if the system has them. */
export function orderOf(
  path: string,
  body: string,
  { system, systemSettings, bootOrder }: Places,
): readonly string[] | null {
  if (bootOrder === null || path !== (systemSettings ?? system)) return null;
  return parseJson(orderPatch, body)?.Boot.BootOrder ?? null;
}

/** The whole order. A BMC with a job queue applies it by a job at the next restart, and takes no second one meanwhile. */
export function patchBootOrder(path: string, given: readonly string[], around: Around): BmcAnswer {
  const { places, platform } = around;
  const known = bootOrderOf(places, platform, true);
  if (given.length !== known.length || given.some((each) => !known.includes(each)))
    return fault(
      400,
      "Base.1.8.PropertyValueNotInList",
      "The boot order is not one of the entries that are there.",
    );
  if (places.jobs === null) {
    if (path === places.systemSettings) platform.bootOrderPending = [...given];
    else platform.bootOrder = [...given];
    platform.changed();
    return emptied;
  }
  if (platform.jobs.list().some(({ state, name }) => state === "waiting" && name.includes("BIOS")))
    return fault(
      400,
      "IDRAC.2.8.SYS011",
      "Pending configuration values are already committed, unable to perform another set operation.",
    );
  return accepted(
    around,
    "Configure: BIOS.Setup.1-1",
    platformMs.biosJob,
    { kind: "bootOrder", references: [...given] },
    true,
  );
}
