// What a BMC that lists no drives may still have: drives that it lists elsewhere, or only while the machine is on.
import { z } from "zod";
import { unresolved, type UnresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";
import type { PowerState } from "@/server/hardware/interfaces";
import type { Gather } from "@/server/hardware/redfish/inventory/gather";
import { text } from "@/server/hardware/redfish/resources/references";

/** What to do about a drive that cannot be inventoried. */
export const decide =
  "Correct what the BMC reports and read the inventory again, or record the drive as misread.";

/** The trimmed text; null if it is empty. */
export const filledText = (value: string | null | undefined): string | null =>
  (value ?? "").trim() === "" ? null : (value ?? "").trim();

const simpleUnit = z.object({
  Devices: z
    .array(
      z
        .object({ Name: text, Model: text, Status: z.object({ State: text }).nullish().catch(null) })
        .catch({}),
    )
    .nullish(),
});

/** What some BMCs list instead of drives: names and models, without serial numbers (bb-Ricardo/check_redfish#64). */
export async function simpleDevices(
  gather: Gather,
  reference: string | undefined,
): Promise<readonly UnresolvedStorage[]> {
  if (reference === undefined) return [];
  const members = await gather.members("simple storage", reference);
  return (await gather.resources(members, () => false)).flatMap(({ path, body }) => {
    const unit = simpleUnit.safeParse(body);
    if (!unit.success) return gather.stop(path, "its content is not a list of storage devices");
    return (unit.data.Devices ?? []).flatMap(({ Name, Model, Status }, index) =>
      Status?.State === "Absent"
        ? []
        : unresolved({
            source: "bmc",
            place: `${path}#/Devices/${index}`,
            slot: filledText(Name),
            serial: null,
            model: filledText(Model),
            reason: `The BMC lists ${filledText(Model) ?? filledText(Name) ?? "a drive"} in SimpleStorage only, which has no serial numbers. ${decide}`,
          }),
    );
  });
}

export const notOn = (power: PowerState): UnresolvedStorage =>
  unresolved({
    source: "bmc",
    place: "the system's storage",
    slot: null,
    serial: null,
    model: null,
    reason: `The BMC lists no drives, but the machine was not on (power: ${power}), and many BMCs list drives only while it is. Switch it on and read the inventory again; a cleaning reads it while it is on.`,
  });
