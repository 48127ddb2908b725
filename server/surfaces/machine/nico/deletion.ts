// The optional body of DELETE instance (docs/api.md#nico).
import { z } from "zod";
import { checkBody, readObject } from "@/server/surfaces/machine/nico/body";
import { NicoFault } from "@/server/surfaces/machine/nico/faults";

const issue = z.object({
  category: z.enum(["Hardware", "Network", "Performance", "Other"], {
    error: "must be one of Hardware, Network, Performance, Other",
  }),
  summary: z
    .string({ error: "a value is required" })
    .min(1, "a value is required")
    .max(1024, "must be at most 1024 characters"),
  details: z.string().max(8192, "must be at most 8192 characters").nullish(),
});
const deletion = z.object({
  machineHealthIssue: issue.nullish(),
  isRepairTenant: z.boolean({ error: "must be true or false" }).nullish(),
});

/**
 * `body` is the raw text, undefined when there is none. Health issues and repair belong to a part of the product that this version does not have:
 * a report that nobody would ever read is refused, rather than thrown away. Throws 400, 403 and 501.
 * @param mayRepair the tenant's capability `targetedInstanceCreation`
 */
export function readDeletion(body: unknown, mayRepair: boolean): void {
  if (body === undefined || body === null || body === "") return;
  const asked = checkBody(deletion, readObject(body), "Error validating Instance deletion request data");
  if (asked.isRepairTenant === true && !mayRepair)
    throw new NicoFault(403, "Tenant does not have capability to set IsRepairTenant");
  if (asked.isRepairTenant === true || asked.machineHealthIssue) {
    throw new NicoFault(
      501,
      "This version does not take machine health issues with a deletion request; delete the Instance without one",
    );
  }
}
