// The optional body of DELETE instance (docs/api.md#nico).
import { z } from "zod";
import { nicoOk, nicoRefused, type NicoResult } from "@/server/surfaces/machine/nico/errors";
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
const deletion = z.object({
  machineHealthIssue: issue.nullish(),
  isRepairTenant: z.boolean({ error: "must be true or false" }).nullish(),
});

/**
 * `body` is the raw text, undefined when there is none. Health issues and repair belong to a part of the product that this version does not have:
 * a report that nobody would ever read is refused, rather than thrown away.
 * @param mayRepair the tenant's capability `targetedInstanceCreation`
 */
export function readDeletion(body: unknown, mayRepair: boolean): NicoResult<null> {
  if (body === undefined || body === null || body === "") return nicoOk(null);
  let value: unknown;
  try {
    value = parseJson(typeof body === "string" ? body : "");
  } catch {
    return nicoRefused(400, "Failed to parse request data, potentially invalid structure");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return nicoRefused(400, "Failed to parse request data, potentially invalid structure");
  const parsed = deletion.safeParse(value);
  if (!parsed.success) {
    const data = Object.fromEntries(parsed.error.issues.map((one) => [one.path.join("."), one.message]));
    return nicoRefused(400, "Error validating Instance deletion request data", data);
  }
  if (parsed.data.isRepairTenant === true && !mayRepair)
    return nicoRefused(403, "Tenant does not have capability to set IsRepairTenant");
  if (parsed.data.isRepairTenant === true || parsed.data.machineHealthIssue) {
    return nicoRefused(
      501,
      "This version does not take machine health issues with a deletion request; delete the Instance without one",
    );
  }
  return nicoOk(null);
}
