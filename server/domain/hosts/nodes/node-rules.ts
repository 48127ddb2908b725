// In which of Ironic's states a node record may be changed or removed (docs/api-ironic.md#nodes-creating-changing-deleting).
import type { ProvisionState } from "@/server/domain/lifecycle/ironic-projection";

/** States with a target in which a record may be changed nevertheless. */
const changeable: ReadonlySet<string> = new Set([
  "clean failed",
  "deploy failed",
  "inspect failed",
  "error",
  "verifying",
]);
/** States in which driver and interfaces may be changed. In maintenance they may be changed in every state. */
const driverStates: ReadonlySet<string> = new Set(["enroll", "manageable", "available"]);
const deletable: ReadonlySet<string> = new Set(["enroll", "manageable", "available"]);

export interface NodeFacts {
  readonly provision: ProvisionState;
  readonly maintenance: boolean;
  readonly instanceOpen: boolean;
  readonly protected: boolean;
}

/** Why a record may not be changed now, or null. A transition writes its own rows and has its plan already. Pure. */
export function changeRefusal({ provision }: Pick<NodeFacts, "provision">): string | null {
  if (provision.state === "deleting" || (provision.target !== null && !changeable.has(provision.state)))
    return `it can not be updated while a state transition is in progress; it is in ${provision.state}`;
  return null;
}

/** Why driver and interfaces may not be changed now, or null. Pure. */
export function driverRefusal({
  provision,
  maintenance,
}: Pick<NodeFacts, "provision" | "maintenance">): string | null {
  if (maintenance || driverStates.has(provision.state)) return null;
  return `its driver and interfaces can be changed in ${[...driverStates].join(", ")} or in maintenance; it is in ${provision.state}`;
}

export type DeleteRefusal = { readonly kind: "protected" | "instance" | "state"; readonly message: string };

/** Why a node may not be deleted now, or null. In maintenance, the provision state and an instance do not prevent it. Pure. */
export function deleteRefusal({
  provision,
  maintenance,
  instanceOpen,
  protected: isProtected,
}: NodeFacts): DeleteRefusal | null {
  if (isProtected) return { kind: "protected", message: "it is protected and may not be deleted" };
  if (maintenance) return null;
  if (instanceOpen) return { kind: "instance", message: "it is associated with an instance" };
  return deletable.has(provision.state)
    ? null
    : {
        kind: "state",
        message: `it can not be deleted while it is in provision state "${provision.state}"; in ${[...deletable].join(", ")} or in maintenance it can`,
      };
}
