// Which exceptions may be requested for a host in its current state; the same rule refuses a request (docs/adr/0105-exceptions-and-dispositions.md).
import type { AskableException } from "@/server/contract/assurance/exceptions";
import { askRefusal } from "@/server/domain/reclamations/gates/exception-standing";
import { gateNames, gateTable } from "@/server/domain/reclamations/gates/gate-names";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { openDrives, readStopped } from "@/server/usecases/assurance/exceptions/stopped";
import type { Stopped } from "@/server/usecases/assurance/exceptions/stopped";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

type Open = ReturnType<typeof openDrives>[number];

/** Pure. */
export function askableOf(stopped: Stopped): readonly AskableException[] {
  const drives = openDrives(stopped);
  const recordedOf = (gate: GateName) => stopped.gates.find((each) => each.gate === gate);
  const may = (gate: GateName, drive: Open | null): boolean =>
    askRefusal({
      ...{ gate, drive: drive?.serial ?? null, kind: stopped.kind, stopped: stopped.stopped },
      status: recordedOf(gate)?.status ?? null,
      openDrives: drives.map(({ serial }) => serial),
      ...{ validUntilMs: stopped.now.getTime() + 1, nowMs: stopped.now.getTime() },
    }) === null;
  const found = (gate: GateName, drive: Open | null): string =>
    drive === null ? (recordedOf(gate)?.reason ?? "") : (drive.found?.reason ?? "no result");
  return gateNames.flatMap((gate) =>
    (gateTable[gate].exception === "device" ? drives : [null])
      .filter((drive) => may(gate, drive))
      .map((drive) => ({
        gate,
        drive: drive === null ? null : { serial: drive.serial, model: drive.model },
        found: found(gate, drive),
      })),
  );
}

/** For people who may request one. */
export async function askableExceptions(
  { database }: Backend,
  actor: Actor,
  { hostId }: { readonly hostId: string },
): Promise<Outcome<readonly AskableException[]>> {
  const scope = scopeOf(actor, "assurance.askException");
  if (!scope.ok) return scope;
  const stopped = await readStopped(database, hostId);
  return stopped === undefined ? notFound("host", hostId) : done(askableOf(stopped));
}
