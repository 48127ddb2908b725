// The optional body of DELETE instance (docs/api.md#nico).
import { z } from "zod";
import { NicoFault } from "@/server/surfaces/machine/nico/faults";
import { parseJson } from "@/server/surfaces/machine/http/json-body";

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
const malformed = "Failed to parse request data, potentially invalid structure";
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
  let value: unknown;
  try {
    value = parseJson(typeof body === "string" ? body : "");
  } catch {
    throw new NicoFault(400, malformed);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new NicoFault(400, malformed);
  const parsed = deletion.safeParse(value);
  if (!parsed.success) {
    const data = Object.fromEntries(parsed.error.issues.map((one) => [one.path.join("."), one.message]));
    throw new NicoFault(400, "Error validating Instance deletion request data", data);
  }
  if (parsed.data.isRepairTenant === true && !mayRepair)
    throw new NicoFault(403, "Tenant does not have capability to set IsRepairTenant");
  if (parsed.data.isRepairTenant === true || parsed.data.machineHealthIssue) {
    throw new NicoFault(
      501,
      "This version does not take machine health issues with a deletion request; delete the Instance without one",
    );
  }
}
