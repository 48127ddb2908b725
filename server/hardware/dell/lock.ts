// Dell's configuration lockdown: the last step of cleaning turns it back on.
import { biosResource } from "@/server/hardware/redfish/resources/resources";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import { switchLockdown } from "@/server/hardware/redfish/steps/lockdown";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";
import { unsupported } from "@/server/hardware/redfish/steps/stopped";

async function setting(session: StepClient) {
  const { lockdown } = session.profile;
  const path = await session.lockdownPath();
  if (lockdown === null || path === null) throw unsupported("the manager has no lockdown setting");
  return { lockdown, path };
}

export const lockBmc = stepMaker({
  begin: async (session) => {
    const { lockdown, path } = await setting(session);
    const changed = await switchLockdown(session, lockdown, path, "on");
    return done(
      changed
        ? `${lockdown.attribute} was switched on and reads ${lockdown.on}`
        : `${lockdown.attribute} reads ${lockdown.on} already`,
    );
  },
  check: async (session) => {
    const { lockdown, path } = await setting(session);
    const found = (await session.get(path, biosResource)).body.Attributes[lockdown.attribute];
    return found === lockdown.on
      ? done(`${lockdown.attribute} reads ${lockdown.on}`)
      : failed(`${lockdown.attribute} reads ${String(found)}`);
  },
});
