// The optional body of DELETE instance (docs/api.md#nico).
import { z } from "zod";
import { healthIssue } from "@/server/domain/repair/health-issue";
import { checkBody, readObject } from "@/server/surfaces/machine/nico/body";
import { NicoFault } from "@/server/surfaces/machine/nico/faults";

const deletion = z.object({
  machineHealthIssue: healthIssue.nullish(),
  isRepairTenant: z.boolean({ error: "must be true or false" }).nullish(),
});

/** What the body reports about the machine. */
interface Deletion {
  readonly issue: z.output<typeof healthIssue> | null;
  readonly repairTenant: boolean;
}

/**
 * `body` is the raw text, undefined if there is none. Throws 400 and 403.
 * @param mayRepair whether the tenant has the capability `targetedInstanceCreation` at the host's site; only called if the body requires it
 */
export function readDeletion(body: unknown, mayRepair: () => boolean): Deletion {
  if (body === undefined || body === null || body === "") return { issue: null, repairTenant: false };
  const asked = checkBody(deletion, readObject(body), "Error validating Instance deletion request data");
  const repairTenant = asked.isRepairTenant === true;
  if (repairTenant && !mayRepair())
    throw new NicoFault(403, "Tenant does not have capability to set IsRepairTenant");
  return { issue: asked.machineHealthIssue ?? null, repairTenant };
}
