// The model's procedures: full AC drains that people carry out, record and sign off, stored as `usecases/assurance` and `usecases/approvals` do.
import { assuranceStates } from "@/server/domain/hosts/record/scope";
import type { ReclamationView } from "@/server/domain/hosts/record/reclamation";
import type { HostView } from "@/server/domain/hosts/record/view";
import type { State } from "@/server/domain/lifecycle/states";
import { testProcedure } from "@/server/domain/assurance/procedures/testing/procedures";
import { eraseEndMs, restart } from "@/server/controller/testing/model/machine";
import type { HostTables, RecordRow } from "@/server/controller/testing/model/tables";
import { newId, wake } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

const drained = testProcedure();

/** The site asks for a drain after every reclamation, including the present one, and has no step that overwrites memory. */
export function askForDrains(world: World): void {
  world.policy = { ...world.policy, procedures: [drained] };
  for (const row of world.host?.reclamations ?? []) row.view = { ...row.view, policy: world.policy };
  world.overrides = [{ scope: "site", interface: "deploy", step: "verify_mem_overwrite", priority: 0 }];
}

export const asksForDrains = (world: World): boolean => world.policy.procedures.length > 0;

const openReclamation = (host: HostTables): ReclamationView | null =>
  host.reclamations.find((row) => !row.ended)?.view ?? null;

/** Something that the controller decides on has changed. */
function moved({ run }: HostTables, nowMs: number): void {
  run.evidenceSeq += 1;
  wake(run, nowMs);
}

/** A person cuts the host's power and records that; the host may start by itself when the power is back. */
export function drain(world: World, choice: number): void {
  const { host, machine } = world;
  const reclamation = host === null ? null : openReclamation(host);
  if (
    host === null ||
    reclamation === null ||
    host.run.outsideLease ||
    reclamation.kind === "manualCleaning" ||
    reclamation.kind === "decommission"
  )
    return;
  machine.memory = { ...machine.memory, tenant: false, drainedIn: reclamation.id };
  Object.assign(machine, { agent: null, waiting: false, foreign: false, touched: true });
  // An erase continues, as after any loss of power.
  if (choice % 3 !== 0 && eraseEndMs(machine) <= world.nowMs) restart(world);
  for (const row of host.records) if (row.decision === null) row.voided = true;
  host.records.push({
    id: newId(world),
    reclamationId: reclamation.id,
    recordedAtMs: world.nowMs,
    afterResult: host.verdicts.length,
    decision: null,
    voided: false,
  });
  Object.assign(host.run, { touched: true, touchUncovered: true, allocatable: false });
  moved(host, world.nowMs);
  world.seen.add("a drain was recorded");
}

/** Another person signs off the newest record, or rejects it. */
export function signOff(world: World, choice: number): void {
  const { host } = world;
  const record = host?.records.findLast((row) => row.decision === null && !row.voided);
  if (host === null || record === undefined) return;
  record.decision = choice % 4 === 0 ? "rejected" : "approved";
  moved(host, world.nowMs);
}

/** People's acts on a host whose site asks for drains, whatever its state. */
export function assuranceActs(world: World, choice: number): void {
  if (choice % 2 === 0) drain(world, Math.floor(choice / 2));
  else signOff(world, Math.floor(choice / 2));
}

/** As `afterErase` in `db/hot/host/assurance-query.ts`, for a host with drives. */
function isAfterErase(host: HostTables, record: RecordRow, { id, planEpoch }: ReclamationView): boolean {
  const last = host.verdicts.findLastIndex((row) => row.reclamationId === id && row.planEpoch === planEpoch);
  return record.reclamationId === id && last >= 0 && record.afterResult > last;
}

const readIn: ReadonlySet<State> = new Set(assuranceStates);

/** What a claim reads about procedures. */
export function assuranceOf(host: HostTables): HostView["assurance"] {
  if (!readIn.has(host.run.state)) return null;
  const reclamation = openReclamation(host);
  const records = host.records.filter((row) => row.reclamationId === reclamation?.id);
  return {
    tenants: [],
    repaired: false,
    failures: [],
    records: records.map((row) => ({
      id: row.id,
      procedure: drained.name,
      version: drained.version,
      recordedAtMs: row.recordedAtMs,
      operator: "operator",
      own: true,
      reusableUntilMs: null,
      afterErase: reclamation !== null && isAfterErase(host, row, reclamation),
      decision: row.decision,
      decidedBy: row.decision === null ? null : "another person",
      decidedReason: row.decision === null ? null : "",
      voided: row.voided,
    })),
  };
}
