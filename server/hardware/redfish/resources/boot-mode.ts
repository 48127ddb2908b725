// Changes the boot source, and keeps the boot mode: Supermicro's BMCs take a change without the mode as one to their default (DMTF/Redfishtool#106).
import type { BmcLinks, HardwareResult, SystemReading } from "@/server/hardware/interfaces";
import type { RedfishClient, Replied } from "@/server/hardware/redfish/client/client";
import { otherHost } from "@/server/hardware/redfish/client/identity";
import { failure } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { patchBoot } from "@/server/hardware/redfish/resources/patch-system";

const mode = "BootSourceOverrideMode";

export type Changed =
  | { readonly kind: "notTaken"; readonly replied: Extract<Replied, { readonly ok: false }> }
  /** The BMC took it: what it reads. */
  | { readonly kind: "taken"; readonly back: HardwareResult<SystemReading> };

/**
 * Sends the change and reads it back. If the mode has then gone from UEFI to Legacy, it is sent once more together with the mode, which is sent at once the
 * next time. The other direction is no loss: some BMCs tell a mode only while a boot source is set.
 * @param readBack reads until the boot source is as it was asked for, after an answer with this status
 */
export async function changeBoot(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
  boot: Readonly<Record<string, string>>,
  readBack: (status: number) => Promise<HardwareResult<SystemReading>>,
): Promise<Changed> {
  const { bmc } = call;
  const { now, limits } = client.settings;
  const told = (): string | null => {
    const seen = bmc.systems.get(links.system);
    // Somebody may have set another mode since an older reading.
    return seen !== undefined && now() - seen.readAt <= limits.identityFreshMs ? seen.bootMode : null;
  };
  // Reads the system unless it was just read, as the change itself would.
  const other = await otherHost(client, call);
  if (other !== null) return { kind: "notTaken", replied: other };
  const before = told();
  const replied = await patchBoot(client, call, links, boot);
  if (!replied.ok) return { kind: "notTaken", replied };
  const back = await readBack(replied.answer.status);
  const isLost = () => before === "UEFI" && told() === "Legacy";
  if (!back.ok || !isLost()) return { kind: "taken", back };
  bmc.demandsBoot = [...new Set([...bmc.demandsBoot, mode] as const)];
  const again = await patchBoot(client, call, links, { ...boot, [mode]: "UEFI" });
  if (!again.ok) return { kind: "notTaken", replied: again };
  const backAgain = await readBack(again.answer.status);
  return {
    kind: "taken",
    back:
      backAgain.ok && isLost()
        ? failure(
            "ignored",
            `PATCH ${links.system} was answered ${again.answer.status}, but the boot mode reads Legacy, not UEFI`,
          )
        : backAgain,
  };
}
