// Why somebody may not know and change the labels of a host.
import { knowsLabels } from "@/server/domain/labels/host-labels";
import { roleTable } from "@/server/domain/access/roles";
import type { Actor } from "@/server/usecases/actor";
import { refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** A tenant without the capability knows no host but its own, and no labels. */
export const mayLabelHosts = ({ role, targeted }: Pick<Actor, "role" | "targeted">): boolean =>
  !roleTable[role].ofTenant || targeted;

/** `knowsLabels`, of a person. */
export const mayKnowLabels = (
  { role, tenantId, targeted }: Pick<Actor, "role" | "targeted" | "tenantId">,
  heldBy: string | null,
): boolean => knowsLabels(roleTable[role].ofTenant ? { tenantId, targeted } : null, heldBy);

export const notPrivileged: Outcome<never> = refused(
  "forbidden",
  "Labels of hosts need the capability targetedInstanceCreation.",
);

export const heldByAnother: Outcome<never> = refused(
  "notAllowedNow",
  "The host is in use by another tenant; its labels can be read and changed when that tenant has given it up.",
);
