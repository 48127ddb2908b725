// Ends the maintenance that a person set; a Ready host is then checked again before it is allocated (docs/adr/0028-recheck-after-maintenance.md).
// Maintenance set by a failure is also cleared by retry, restart or manage (docs/cleaning.md#after-a-failure).
import { z } from "zod";
import { host as contract } from "@/server/contract/hosts/host";
import { unchanged, defineAct } from "@/server/usecases/define-act";
import {
  findMaintained,
  tellMaintenance,
  writeMaintenance,
} from "@/server/usecases/hosts/maintenance/maintenance";
import { refused } from "@/server/usecases/problem";

export const clearMaintenance = defineAct({
  ...contract.clearMaintenance,
  /** `ofFailure`: also ends maintenance set by a failure, as Ironic allows. The host stays in `Failed`, and out of allocation. */
  input: contract.clearMaintenance.input.extend({ ofFailure: z.boolean().default(false) }),
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: ({ tx }, { hostId }) => findMaintained(tx, hostId),
  run: async ({ tx }, host, { ofFailure }) => {
    if (!host.maintenance) return unchanged({ accepted: true as const });
    if (host.by !== "person" && !ofFailure)
      return refused(
        "notAllowedNow",
        "This maintenance was set by a failure: retry, restart or manage clears it.",
      );
    await writeMaintenance(tx, [host.hostId], { kind: "end" });
    return tellMaintenance(tx, host, { maintenance: false });
  },
});
