// The last test of a host's BMC, and its last restart.
import { z } from "zod";
import type { BmcTest } from "@/server/contract/hosts/bmc";
import { bmcResetPhases } from "@/server/domain/hardware/bmc-reset";
import { bmcCheck, verdictOf } from "@/server/domain/hardware/bmc-report";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

const storedPhase = z.enum(bmcResetPhases);

async function readReset({ database }: Backend, hostId: string): Promise<BmcTest["reset"]> {
  const row = await database.bmcReset.findUnique({ where: { hostId } });
  if (row === null) return null;
  const { requestedAt, requestedBy, reason, resetType: type, sentAt, awayAt, endedAt, says, todo } = row;
  const phase = storedPhase.parse(row.phase);
  return { phase, requestedAt, requestedBy, reason, type, sentAt, awayAt, endedAt, says, todo };
}

const storedChecks = z.array(bmcCheck);

export async function getBmcTest(
  backend: Backend,
  actor: Actor,
  query: { readonly hostId: string },
): Promise<Outcome<BmcTest>> {
  const found = await findReadableHost(backend, actor, query.hostId);
  if (!found.ok) return found;
  const row = await backend.database.bmcTest.findUnique({ where: { hostId: found.value.id } });
  // A report of another release may have other checks. Only another test replaces it.
  const checks = storedChecks.safeParse(row?.checks).data ?? null;
  const at = row?.testedAt ?? null;
  return done({
    wantedAt: row?.wantedAt ?? null,
    report:
      at === null || checks === null
        ? null
        : { at, address: row?.address ?? null, verdict: verdictOf(checks), checks },
    unreadableAt: checks === null ? at : null,
    reset: await readReset(backend, found.value.id),
  });
}
