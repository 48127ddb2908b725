// Allows a host to be decommissioned with leftovers that its BMC does not remove: exactly those that the person saw.
import { host as contract } from "@/server/contract/hosts/host";
import { defineTellingAct } from "@/server/usecases/define-act";
import { ask, findHost } from "@/server/usecases/hosts/acts/request-of-host";

export const acceptLeftovers = defineTellingAct({
  ...contract.acceptLeftovers,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: ({ tx }, { hostId }) => findHost(tx, hostId),
  run: ({ by }, host, { stateVersion, reason, keys }) =>
    ask(host, {
      signal: { kind: "acceptLeftovers", payload: { by, reason, keys } },
      stateVersion,
      facts: { reason, keys },
    }),
});
