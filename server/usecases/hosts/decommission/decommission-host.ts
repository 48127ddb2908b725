// Takes a host out of the fleet for good: the controller erases it, removes its leftovers and then the host (docs/adr/0059-decommission.md).
import { host as contract } from "@/server/contract/hosts/host";
import { defineTellingAct } from "@/server/usecases/define-act";
import { ask, findHost } from "@/server/usecases/hosts/acts/request-of-host";

export const decommissionHost = defineTellingAct({
  ...contract.decommission,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: ({ tx }, { hostId }) => findHost(tx, hostId),
  run: ({ by }, host, { stateVersion, reason, keepAccount }) =>
    ask(host, {
      signal: { kind: "decommission", payload: { by, reason, keepAccount } },
      stateVersion,
      facts: { reason, keepAccount },
    }),
});
