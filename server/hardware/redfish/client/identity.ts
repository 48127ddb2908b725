// Checks whose BMC answers at the address, before anything is changed (docs/adr/0019-what-a-bmc-did-not-say.md).
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { failure, type Failed } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { isMachineOf } from "@/server/hardware/same-machine";
import { seenSystem } from "@/server/hardware/redfish/resources/system";

/**
 * Null if the BMC at the address is the host's. An address can be given to another machine at any time, so a reading is only valid for
 * `identityFreshMs`. A host that was never verified has nothing to compare, and gets no changes.
 */
export async function otherHost(client: RedfishClient, call: Call): Promise<Failed | null> {
  const { bmc, target } = call;
  const wanted = target.identity ?? null;
  const path = target.links?.system ?? null;
  if (wanted === null || path === null) return null;
  const looked = await seenSystem(client, call, path);
  if (!looked.ok) return looked;
  const found = looked.seen;
  if (isMachineOf(target, found)) return null;
  const said = `serial ${found.serial || "(none)"}, system ${found.uuid || "(none)"}`;
  return failure(
    "otherHost",
    `The BMC at ${bmc.origin} is of ${said}, and this host is serial ${wanted.serial}, system ${wanted.systemUuid}: nothing was changed. Correct the host's BMC address.`,
  );
}
