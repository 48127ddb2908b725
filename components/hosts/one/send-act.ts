// Which procedure an act on a host's page calls.
import type { Client } from "@/components/ui/dialogs/act-dialog";
import type { Reason } from "@/components/hosts/one/reason-fields";
import { reasonInput } from "@/components/hosts/one/reason-fields";
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

/** Carries the state that the user saw, so that a host that has moved on is not acted on. */
export function sendAct(
  client: Client,
  host: HostDetail,
  { intent }: HostAction,
  reason: Reason,
): Promise<unknown> {
  const { id: hostId, stateVersion } = host;
  switch (intent) {
    case "setMaintenance":
      return client.host.setMaintenance.mutate({ hostId, reason: reason.reason.trim() });
    case "clearMaintenance":
      return client.host.clearMaintenance.mutate({ hostId });
    case "recheck":
      return client.host.recheck.mutate({ hostId, stateVersion, reason: reason.reason.trim() });
    case "confirmUntouched":
      return client.host.confirmUntouched.mutate({
        hostId,
        stateVersion,
        reason: reason.reason.trim(),
        maintenanceReason: host.maintenance?.reason ?? null,
      });
    case "hold":
      return client.cleaning.hold.mutate({ hostId, stateVersion, ...reasonInput(reason) });
    case "resume":
      return client.cleaning.resume.mutate({ hostId, stateVersion });
    case "abort":
      return client.cleaning.abort.mutate({ hostId, stateVersion });
    case "disposeDrive":
    case "assignSku":
    case "setPlace":
    case "setLabels":
    case "setBmc":
    case "setBoot":
    case "confirmCertificate":
    case "decommission":
    case "acceptLeftovers":
    case "clean":
      throw new Error(`${intent} is no act on a host's page`);
    default:
      return client.host.act.mutate({ hostId, intent, stateVersion });
  }
}
