// A BMC's configuration lockdown: turned off while a step changes something, and on again by a step of its own.
import { lockedDown } from "@/server/domain/hardware/lockdown-text";
import { biosResource } from "@/server/hardware/redfish/resources/resources";
import type { LockdownSetting } from "@/server/hardware/redfish/vendor-profile";
import { StepFailed, StepStopped, refused, unsupported } from "@/server/hardware/redfish/steps/stopped";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";

/**
 * Switches the lockdown and reads it back; true if something changed. Turned off only if the SKU's baseline wants it on, because then
 * `management.lock_bmc` turns it on again before the host can be Ready. Any other lockdown is somebody else's.
 */
export async function switchLockdown(
  session: StepClient,
  lockdown: LockdownSetting,
  path: string,
  wanted: "on" | "off",
): Promise<boolean> {
  const value = lockdown[wanted];
  const read = async () => (await session.get(path, biosResource)).body.Attributes[lockdown.attribute];
  const found = await read();
  if (found === value) return false;
  if (found !== lockdown.on && found !== lockdown.off)
    throw unsupported(`${path} has no setting ${lockdown.attribute}`);
  // safety: bmc: nobody else's lock is opened
  if (wanted === "off" && session.step.known.baseline?.lockdown !== true) throw refused(lockedDown);
  const replied = await session.changeLocked("PATCH", path, { Attributes: { [lockdown.attribute]: value } });
  if (!replied.ok) throw new StepStopped(replied.error);
  const back = await session.until(
    session.client.settings.limits.settingReadBackMs,
    read,
    (now) => now === value,
  );
  // safety: bmc: a lock that does not come on
  if (!back.ok)
    throw new StepFailed(
      `PATCH ${path} with ${lockdown.attribute} ${value} was answered ${replied.answer.status}, but it reads ${String(back.value)}`,
    );
  return true;
}
