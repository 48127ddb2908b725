// The gates of a host's reclamation, evaluated from what the claim brought.
import { readStoredSku } from "@/server/domain/hosts/inventory/sku";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import { isGuest } from "@/server/domain/agents/ironic/steps";
import { evaluateWithExceptions } from "@/server/domain/reclamations/gates/exceptions";
import type { GateEvidenceInput, GateResult } from "@/server/domain/reclamations/gates/gate-rule";
import { wantedTests } from "@/server/controller/handlers/validation";
import type { Draft } from "@/server/controller/host/draft";

const noDevices: GateEvidenceInput["devices"] = { expected: [], excluded: [], missing: [] };

/** The evidence for the gates. Throws without a reclamation, and for a manual cleaning, which proves nothing (docs/adr/0014-cleaning.md). */
export function gateInput(draft: Draft): GateEvidenceInput {
  const { reclamation } = draft;
  if (reclamation === null || reclamation.kind === "manualCleaning")
    throw new Error(`no gates in ${draft.state}: ${reclamation?.kind ?? "no reclamation"}`);
  const { host } = draft.view;
  const network = draft.context.network;
  return {
    fake: draft.fake,
    kind: reclamation.kind,
    instanceOpen: draft.tenancy.instance !== null,
    resourcesHeld: draft.tenancy.resourcesHeld,
    network: { wanted: network?.wanted ?? null, sha256: network?.sha256 ?? null, acks: draft.view.acks },
    plan: draft.steps.rows,
    planMade: reclamation.planMade,
    disabled: reclamation.plan?.disabled ?? [],
    devices: reclamation.devices ?? noDevices,
    content: reclamation.content,
    deviceVerdicts: draft.evidence.verdicts,
    standing: (draft.view.dispositions ?? []).map(({ id }) => id),
    skuHasStorage: skuHas(host.sku, ({ storage }) => storage.some(({ count }) => count > 0)),
    infinibandPresent: (draft.view.inventory.agent?.body.infiniband ?? []).some((device) => !device.dpu),
    guest: isGuest(draft.view.agent?.hardwareManagers ?? []),
    proven: draft.context.proven,
    baseline: host.sku?.components.baseline ?? null,
    platform: reclamation.platform,
    agentTpm: draft.view.inventory.agent?.body.tpm ?? null,
    boot: draft.view.agent,
    voided: draft.context.cleaning.voided?.message ?? null,
    testsWanted: wantedTests(draft),
    requiredSteps: draft.policy.requiredSteps,
    maintenance: draft.run.kept.maintenance,
    maintenanceReason: draft.run.kept.maintenanceReason,
    health: draft.view.run.health,
    procedures: draft.policy.procedures,
    assurance: draft.view.assurance,
    attestation: draft.policy.attestation,
    measurement: draft.view.measurement,
    skuName: host.sku?.name ?? null,
    nowMs: draft.nowMs,
    debts: draft.tenancy.debts,
    elsewhere: draft.view.elsewhere,
    requires: draft.policy.requires,
    policyOrigin: { version: reclamation.policyVersion, setBy: reclamation.policySetBy },
    cleaningSetFor: host.automatedClean === null ? "site" : "host",
  };
}

/** All gates, with exceptions applied. Throws as `gateInput` does. */
export function gatesOf(draft: Draft): readonly GateResult[] {
  const input = gateInput(draft);
  return evaluateWithExceptions(input, draft.view.exceptions ?? [], {
    reclamationId: draft.reclamation?.id ?? "",
    planEpoch: draft.reclamation?.planEpoch ?? 0,
    nowMs: draft.nowMs,
  });
}

/** Also true for a SKU that is missing or cannot be read: only a person can state that a host has no drives. */
function skuHas(sku: { readonly components: unknown } | null, has: (sku: SkuComponents) => boolean): boolean {
  const read = sku === null ? null : readStoredSku(sku.components);
  return read?.ok !== true || has(read.components);
}
