// What a node's fields must not contain, on creation and on change.
import { decide } from "@/server/domain/access/access";
import type { NodeFields } from "@/server/domain/nodes/node-values";
import type { Actor } from "@/server/usecases/actor";
import type { Problem } from "@/server/usecases/problem";

/** Never stored in clear text; `redfish_password` is removed and encrypted before this check. */
const secretKey = /password|passwd|secret|token|private_key/i;

type Checked = Pick<
  NodeFields,
  "protected" | "protectedReason" | "retired" | "retiredReason" | "driverInfo" | "automatedClean"
>;

/** The first problem with the resulting fields, or null. */
export function refusedField(
  actor: Actor,
  fields: Checked,
  before: Pick<NodeFields, "automatedClean">,
): Problem | null {
  const invalid = (field: string, detail: string): Problem => ({ code: "invalid", field, detail });
  const secret = Object.keys(fields.driverInfo).find((key) => secretKey.test(key));
  if (secret !== undefined)
    return invalid(
      `driver_info.${secret}`,
      `driver_info/${secret} is a secret that Reclaim has no use for and does not store; the BMC's is redfish_password.`,
    );
  if (fields.protectedReason !== null && !fields.protected)
    return invalid("protected_reason", "A reason for protection needs protected to be true.");
  if (fields.retiredReason !== null && !fields.retired)
    return invalid("retired_reason", "A reason for retirement needs retired to be true.");
  // Turning automated cleaning on is allowed; any other change of it is a matter of policy.
  const policy = fields.automatedClean !== before.automatedClean && fields.automatedClean !== true;
  if (policy && decide(actor, "cleaning.override", { tenantId: null }) !== "allowed")
    return {
      code: "forbidden",
      field: "automated_clean",
      detail: `The role ${actor.role} may not switch automated cleaning off.`,
    };
  return null;
}
