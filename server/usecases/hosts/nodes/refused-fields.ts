// What a node's fields must not contain, on creation and on change.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { decide } from "@/server/domain/access/access";
import type { NodeFields } from "@/server/domain/hosts/nodes/node-values";
import type { Actor } from "@/server/usecases/actor";
import type { Problem } from "@/server/usecases/problem";

/** Never stored in clear text; `redfish_password` is removed and encrypted before this check. */
const secretKey = /password|passwd|secret|token|private_key/i;

type Checked = Pick<
  NodeFields,
  "protected" | "protectedReason" | "retired" | "retiredReason" | "driverInfo" | "automatedClean"
>;

/** Where a site needs two people, an Ironic client, which knows no requests, does not leave out the cleaning of a host. */
export async function refusedByOne(
  tx: SqlReader,
  siteId: string,
  fields: Pick<NodeFields, "automatedClean">,
  before: Pick<NodeFields, "automatedClean">,
): Promise<Problem | null> {
  // safety: two people: an Ironic client leaves out no cleaning (always)
  if (fields.automatedClean !== false || before.automatedClean === false) return null;
  const rows = await queryRows(
    tx,
    sql<{ needed: boolean }>`SELECT site_needs_two_people(${siteId}::uuid) AS needed`,
  );
  return rows[0]?.needed === false
    ? null
    : {
        code: "notAllowedNow",
        field: "automated_clean",
        detail:
          "At this site two people switch the automated cleaning of a host off: ask for it on the page Clean steps or with `reclaim policy automated-clean off`.",
      };
}

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
