// The override of a step, with everybody else kept from writing another: a tie is made by two.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { OverrideScope } from "@/server/domain/cleaning/plan/priorities";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { Transaction } from "@/server/db/prisma";
import type { Found } from "@/server/usecases/define-act";

interface OverrideName {
  readonly scope: OverrideScope;
  readonly scopeId: string;
  readonly interface: string;
  readonly step: string;
}

/** As it is called in the audit log. */
export const overrideId = (name: OverrideName): string => `${name.scope} ${name.scopeId} ${stepName(name)}`;

/** The value is null where none is set. Holds the table against other writers until the transaction ends; readers go on. */
export async function findOverride(
  tx: Transaction,
  name: OverrideName,
): Promise<Found<{ readonly priority: number } | null>> {
  await queryRows(tx, sql`SELECT pg_advisory_xact_lock(hashtextextended('step_override', 0))::text`);
  const { scope, scopeId, interface: stepInterface, step } = name;
  const found = await tx.stepOverride.findFirst({
    where: { scope, scopeId, interface: stepInterface, step },
    select: { priority: true },
  });
  return { id: overrideId(name), belongs: { tenantId: null }, value: found };
}
