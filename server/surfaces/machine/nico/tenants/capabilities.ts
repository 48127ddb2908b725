// The body of `PATCH …/tenant/account/{id}`: where the tenant may name a host. The checks and messages are NICo's.
import { z } from "zod";
import { checkBody, readObject } from "@/server/surfaces/machine/nico/body";
import { NicoFault } from "@/server/surfaces/machine/nico/faults";

const entry = z.strictObject({
  // Sent by clients of before NICo 2: since then an entry without sites is the default, and one with sites is not.
  scope: z.enum(["global", "limited"], { error: "must be global or limited" }).nullish(),
  siteIds: z.array(z.guid("must be a valid UUID")).max(1_000).nullish(),
  targetedInstanceCreation: z.boolean({ error: "a value is required" }),
});
const update = z.strictObject({
  tenantContactId: z.guid("must be a valid UUID").nullish(),
  siteCapabilities: z.array(entry).nullish(),
});

const invalid = "Error validating Tenant Account siteCapabilities";

interface Capabilities {
  /** For sites that are not named. */
  readonly elsewhere: boolean;
  readonly at: Readonly<Record<string, boolean>>;
}

const refuse = (why: string): never => {
  throw new NicoFault(400, invalid, { siteCapabilities: why });
};

/** Null: the body names no capabilities. Throws 400. */
export function readCapabilities(body: unknown): Capabilities | null {
  if (body === undefined || body === null || body === "") return null;
  const asked = checkBody(update, readObject(body), "Error validating Tenant Account update request data");
  const { siteCapabilities: entries, tenantContactId } = asked;
  if (entries === null || entries === undefined) return null;
  if (tenantContactId !== null && tenantContactId !== undefined)
    throw new NicoFault(400, "Request cannot include both tenantContactId and siteCapabilities");
  if (entries.length === 0) return refuse("siteCapabilities must contain at least one entry");
  const defaults = entries.filter(
    ({ scope, siteIds }) => (scope ?? ((siteIds ?? []).length === 0 ? "global" : "limited")) === "global",
  );
  const [everywhere] = defaults;
  if (everywhere === undefined || defaults.length > 1)
    return refuse("siteCapabilities must include exactly one entry without siteIds");
  const at = new Map<string, boolean>();
  for (const { scope, siteIds, targetedInstanceCreation } of entries) {
    const ids = siteIds ?? [];
    if (scope === "global" && ids.length > 0) return refuse("siteIds must not be set for the global scope");
    if (scope === "limited" && ids.length === 0) return refuse("siteIds must be set for the limited scope");
    for (const id of ids) {
      if (at.has(id.toLowerCase())) return refuse("a Site ID may be specified once");
      at.set(id.toLowerCase(), targetedInstanceCreation);
    }
  }
  return { elsewhere: everywhere.targetedInstanceCreation, at: Object.fromEntries(at) };
}
