// Measured boot in the model: what the agent's TPM quotes, and which measurements people expect (docs/adr/0150-measured-boot.md).
import type { BundleState } from "@/server/domain/attestation/measurement";
import type { Agent } from "@/server/controller/testing/model/machine-state";
import type { HostTables } from "@/server/controller/testing/model/tables";
import { openInstance, wake } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

export const requiresAttestation = ({ policy }: World): boolean => policy.attestation === "required";

/** The site requires attestation, also for the present reclamation. */
export function requireAttestation(world: World): void {
  world.policy = { ...world.policy, attestation: "required" };
  for (const row of world.host?.reclamations ?? []) row.view = { ...row.view, policy: world.policy };
}

/** A tenant's system has a TPM, too, but its values are those of no image. */
const programOf = (world: World, agent: Agent): number | null =>
  agent.hostile === true ? null : world.image;

/** Whether the registered agent still owes the quote of its boot. */
export function owesQuote(world: World): boolean {
  const { agent } = world.machine;
  return (
    requiresAttestation(world) &&
    agent !== null &&
    agent.epoch !== null &&
    world.host !== null &&
    world.host.sessions.some(({ bootEpoch }) => bootEpoch === agent.epoch) &&
    world.host.measured?.bootEpoch !== agent.epoch
  );
}

/** As `db/hot/agent/measurement.ts` stores it. */
export function quote(world: World, host: HostTables, agent: Agent): void {
  host.measured = { bootEpoch: agent.epoch ?? 0, program: programOf(world, agent) };
  host.run.evidenceSeq += 1;
  wake(host.run, world.nowMs);
}

const bundleOf = (world: World, host: HostTables): BundleState | null =>
  host.measured?.program == null ? null : (world.bundles[host.measured.program] ?? null);

/** As `db/measurement-judged.ts` judges: by the one bundle that the values of an image may have. */
export function measurementOf(world: World, host: HostTables) {
  const { measured } = host;
  if (measured === null) return null;
  const bundle = bundleOf(world, host);
  const state =
    bundle === null
      ? ("PendingBundle" as const)
      : bundle === "Active" || bundle === "Obsolete"
        ? ("Measured" as const)
        : ("MeasuringFailed" as const);
  return {
    tpmEpoch: measured.bootEpoch,
    ownKey: true,
    tpmProblem: null,
    bootEpoch: measured.bootEpoch,
    state,
    problem: null,
    bundle: bundle === null ? null : { id: String(measured.program), name: "image", state: bundle },
  };
}

export const waitsForBundle = (world: World): boolean =>
  world.host !== null && world.host.measured?.program === world.image && bundleOf(world, world.host) === null;

/** Two people expect what our newest image measures. Nobody promotes anything else: that would be their own fault, which nothing here could notice. */
export function promote(world: World): boolean {
  if (world.bundles[world.image] !== undefined) return false;
  world.bundles = { ...world.bundles, [world.image]: "Active" };
  world.seen.add("a bundle was approved");
  judgeAgain(world);
  return true;
}

/** One person trusts a bundle less; the next image then takes the place of one that passes no more. */
export function demote(world: World, to: BundleState): void {
  const known = world.bundles[world.image];
  if (known === undefined) return;
  world.bundles = { ...world.bundles, [world.image]: to };
  if (to === "Retired" || to === "Revoked") world.image += 1;
  if (to === "Revoked" && world.host?.run.state === "Ready") world.seen.add("a bundle was revoked in Ready");
  judgeAgain(world);
}

/** As `usecases/hosts/attestation/judge-again.ts`. */
function judgeAgain(world: World): void {
  const { host } = world;
  if (host === null || host.measured === null) return;
  host.run.evidenceSeq += 1;
  wake(host.run, world.nowMs);
  const failed = measurementOf(world, host)?.state === "MeasuringFailed";
  const { state } = host.run;
  if (
    failed &&
    (state === "Ready" || state.startsWith("ReturnToAllocation/")) &&
    openInstance(world) === null
  )
    Object.assign(host.run, { touched: true, touchUncovered: true, allocatable: false });
}

/** Somebody else answers in place of our agent, which nobody hears any more: without attestation nothing would tell one from the other (docs/security.md). */
export function impostor({ machine, seen }: World): void {
  if (machine.agent === null || machine.agent.epoch !== null) return;
  machine.agent = { ...machine.agent, hostile: true };
  seen.add("somebody answered in place of our agent");
}

export function attestationActs(world: World, choice: number): void {
  if (choice % 3 === 0) promote(world);
  else if (choice % 3 === 1) impostor(world);
  else
    demote(
      world,
      (["Obsolete", "Retired", "Revoked", "Revoked"] as const)[Math.floor(choice / 3) % 4] ?? "Revoked",
    );
}
