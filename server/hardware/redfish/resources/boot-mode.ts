// Changes the boot source, and keeps the boot mode: Supermicro's BMCs take a change without the mode as one to their default (DMTF/Redfishtool#106).
import type { BmcLinks, HardwareResult, SystemReading } from "@/server/hardware/interfaces";
import type { RedfishClient, Replied } from "@/server/hardware/redfish/client/client";
import { otherHost } from "@/server/hardware/redfish/client/identity";
import { declinesValue, failure } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { patchBoot } from "@/server/hardware/redfish/resources/patch-system";

const mode = "BootSourceOverrideMode";

/** For how long a change that was cut off may still be what took the mode; later somebody else may have set it. */
const stakeMs = 15 * 60_000;

export type Changed =
  | { readonly kind: "notTaken"; readonly replied: Extract<Replied, { readonly ok: false }> }
  /** The BMC took it: what it reads. */
  | { readonly kind: "taken"; readonly back: HardwareResult<SystemReading> };

/** Makers whose BMCs are known to drop the mode: these are told it in the change itself. iLO and older iDRACs refuse it, so others are not. */
const dropsMode = /^super\s*micro/i;

/**
 * Sends the change and reads it back. If the mode has then gone from UEFI to Legacy, it is sent once more together with the mode, which is sent at once the
 * next time. If the call ends before that, the next change in this process within a quarter of an hour gives the mode back. The other direction is no loss: some BMCs tell a mode only
 * while a boot source is set.
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
  const seen = () => {
    const found = bmc.systems.get(links.system);
    // Somebody may have set another mode since an older reading.
    return found !== undefined && now() - found.readAt <= limits.identityFreshMs ? found : null;
  };
  // Reads the system unless it was just read, as the change itself would.
  const other = await otherHost(client, call);
  if (other !== null) return { kind: "notTaken", replied: other };
  const before = seen();
  // What reads UEFI has lost nothing.
  const wasAtStake = (bmc.uefiAtStake.get(links.system) ?? -Infinity) > now() && before?.bootMode !== "UEFI";
  const isUefi = wasAtStake || before?.bootMode === "UEFI";
  const isTold =
    (wasAtStake && before?.bootMode === "Legacy") ||
    (isUefi && dropsMode.test(before?.reading.manufacturer ?? ""));
  if (isUefi) bmc.uefiAtStake.set(links.system, now() + stakeMs);
  else bmc.uefiAtStake.delete(links.system);
  const told = isTold ? await patchBoot(client, call, links, { ...boot, [mode]: "UEFI" }) : null;
  // A BMC that does not take the mode is asked without it, as it always was: the reading afterwards says whether the mode was lost.
  const replied =
    told === null || (!told.ok && !told.error.unknownOutcome && declinesValue(told.error))
      ? await patchBoot(client, call, links, boot)
      : told;
  if (!replied.ok) {
    if (!wasAtStake && !replied.error.unknownOutcome) bmc.uefiAtStake.delete(links.system);
    return { kind: "notTaken", replied };
  }
  const isLost = () => isUefi && seen()?.bootMode === "Legacy";
  const settled = (back: HardwareResult<SystemReading>): Changed => {
    if (back.ok && !isLost()) bmc.uefiAtStake.delete(links.system);
    return { kind: "taken", back };
  };
  const back = await readBack(replied.answer.status);
  if (!back.ok || !isLost()) return settled(back);
  bmc.demandsBoot = [...new Set([...bmc.demandsBoot, mode] as const)];
  const again = await patchBoot(client, call, links, { ...boot, [mode]: "UEFI" });
  if (!again.ok) return { kind: "notTaken", replied: again };
  const backAgain = await readBack(again.answer.status);
  return settled(
    backAgain.ok && isLost()
      ? failure(
          "ignored",
          `PATCH ${links.system} was answered ${again.answer.status}, but the boot mode reads Legacy, not UEFI`,
        )
      : backAgain,
  );
}
