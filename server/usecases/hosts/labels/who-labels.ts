// Why somebody may not read and change the labels of a host.
import { labelGrantRefusal } from "@/server/domain/access/tenant-grants";
import type { LabelRefusal } from "@/server/domain/access/tenant-grants";
import { roleTable } from "@/server/domain/access/roles";
import type { Actor } from "@/server/usecases/actor";
import { notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** A host whose labels are requested. */
export interface LabelledHost {
  readonly id: string;
  readonly siteId: string;
  /** The tenant that has it now. */
  readonly heldBy: string | null;
  /** An external repair system has it. */
  readonly leased: boolean;
}

/** For a host that an external repair system has, which is not named. */
const heldOutside: Outcome<never> = refused(
  "notAllowedNow",
  "The host is being repaired by somebody else; its labels can be read and changed once the repair has ended.",
);

const refusals: Readonly<Record<LabelRefusal, (named: string) => Outcome<never>>> = {
  unknown: (named) => notFound("host", named),
  notCapable: () => refused("forbidden", "Labels of hosts need the capability targetedInstanceCreation."),
  heldByAnother: () =>
    refused(
      "notAllowedNow",
      "The host is in use by another tenant; its labels can be read and changed once that tenant has released it.",
    ),
};

/**
 * Null if allowed.
 * @param host null if there is none
 * @param named the host, as it was requested
 */
export function labelRefusal(
  { role, tenantId, targetedAt }: Pick<Actor, "role" | "targetedAt" | "tenantId">,
  host: LabelledHost | null,
  named: string,
): Outcome<never> | null {
  const refusal = labelGrantRefusal(roleTable[role].ofTenant ? { tenantId, targetedAt } : null, host);
  if (refusal !== null) return refusals[refusal](named);
  // safety: custody: no tenant writes about a host that a repair system has
  if (host?.leased === true && roleTable[role].ofTenant) return heldOutside;
  return null;
}
