// Boot source by Redfish: set for the next boot, and read back.
import type { BootSource, ManagementInterface, SystemReading } from "@/server/hardware/interfaces";
import type { Replied, RedfishClient } from "@/server/hardware/redfish/client/client";
import { failure } from "@/server/hardware/redfish/client/errors";
import { beginWithLinks } from "@/server/hardware/redfish/power";
import { readBack } from "@/server/hardware/redfish/resources/read-back";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { bootTargetOf, readSystem } from "@/server/hardware/redfish/resources/system";

/** The management interface of every Redfish BMC. */
export function redfishManagement(client: RedfishClient): ManagementInterface {
  return {
    async setBootOnce(target, source, options) {
      const begun = await beginWithLinks(client, target, options);
      if (!begun.ok) return begun;
      const { call, links } = begun;
      const name = bootTargetOf[source];
      if (source !== "none" && links.bootTargets.length > 0 && !links.bootTargets.includes(name))
        return failure(
          "unsupported",
          `${links.system} offers no boot source ${name}, only ${links.bootTargets.join(", ")}`,
        );
      const enabled = links.bootEnabled ?? [];
      if (source !== "none" && enabled.length > 0 && !enabled.includes("Once"))
        return failure(
          "unsupported",
          `${links.system} takes a boot source for no single boot: BootSourceOverrideEnabled is offered as ${enabled.join(", ")}, not as Once`,
        );
      const replied = await patchBoot(client, call, links.system, source);
      if (!replied.ok) return replied;
      return readBack(client, call, {
        path: links.system,
        fits: (reading) => fits(source, reading),
        limitMs: client.settings.limits.bootReadBackMs,
        done: `PATCH ${links.system} with boot source ${name} was answered ${replied.answer.status}`,
        found: ({ bootOverride }) =>
          `the boot override reads ${bootOverride.source}, ${bootOverride.enabled ? "enabled" : "disabled"}`,
        mayComeLater: false,
      });
    },
  };
}

async function patchBoot(
  client: RedfishClient,
  call: Call,
  path: string,
  source: BootSource,
): Promise<Replied> {
  const { bmc } = call;
  const patch = (version: string | null) =>
    client.change(
      call,
      "PATCH",
      path,
      {
        Boot: {
          BootSourceOverrideEnabled: source === "none" ? "Disabled" : "Once",
          BootSourceOverrideTarget: bootTargetOf[source],
        },
      },
      version,
    );

  const known = freshVersion(client, call, path);
  if (known !== null || !bmc.demandsVersion) {
    const replied = await patch(known);
    if (replied.ok || (replied.error.status !== 412 && replied.error.status !== 428)) return replied;
    bmc.demandsVersion ||= replied.error.status === 428;
  }
  // 412 and 428 say that nothing was done, for want of the present version: read it, and once more.
  const read = await readSystem(client, call, path);
  if (!read.ok) return read;
  return patch(freshVersion(client, call, path));
}

function freshVersion(client: RedfishClient, { bmc }: Call, path: string): string | null {
  const version = bmc.systemVersion;
  const { etagFreshMs } = client.settings.limits;
  return version !== null && version.path === path && client.settings.now() - version.readAt <= etagFreshMs
    ? version.etag
    : null;
}

function fits(source: BootSource, { bootOverride }: SystemReading): boolean {
  if (source === "none") return !bootOverride.enabled || bootOverride.source === "none";
  return bootOverride.enabled && bootOverride.source === source;
}
