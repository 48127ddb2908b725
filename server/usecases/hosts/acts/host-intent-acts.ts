// The acts for one intent of one host, by intent.
import type { HostIntent } from "@/server/domain/hosts/host-actions";
import type { Act } from "@/server/usecases/define-act";
import { askNetwork } from "@/server/usecases/hosts/acts/ask-network";
import { deleteHost } from "@/server/usecases/hosts/acts/delete-host";
import { inspectHost, inspectHostByAgent } from "@/server/usecases/hosts/acts/inspect-host";
import { manageHost } from "@/server/usecases/hosts/acts/manage-host";
import { provideHost } from "@/server/usecases/hosts/acts/provide-host";
import { restartReclamation } from "@/server/usecases/hosts/acts/restart-reclamation";
import { retryReclamation } from "@/server/usecases/hosts/acts/retry-reclamation";
import { skipEraseWait } from "@/server/usecases/hosts/acts/skip-erase-wait";
import {
  injectNmi,
  powerOffHost,
  powerOnHost,
  rebootHost,
  softPowerOffHost,
  softRebootHost,
} from "@/server/usecases/hosts/acts/switch-power";

export const hostIntentActs = {
  manage: manageHost,
  provide: provideHost,
  retry: retryReclamation,
  restart: restartReclamation,
  inspect: inspectHost,
  inspectByAgent: inspectHostByAgent,
  powerOn: powerOnHost,
  powerOff: powerOffHost,
  reboot: rebootHost,
  softPowerOff: softPowerOffHost,
  softReboot: softRebootHost,
  injectNmi,
  skipEraseWait,
  askNetwork,
  forceDelete: deleteHost,
} satisfies Record<
  HostIntent,
  Act<{ hostId: string; stateVersion?: string | undefined }, { accepted: true }>
>;
