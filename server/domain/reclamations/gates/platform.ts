// The gate `platformAtBaseline`: the TPM was cleared, and the BMC, read after the last step, shows the platform as its baseline says (docs/adr/0143-platform-at-baseline.md).
import { formatCounted } from "@/server/domain/numbers";
import { z } from "zod";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { judgePlatform, nothingRead, tpmName } from "@/server/domain/hosts/platform/judge";
import type { PlatformItem } from "@/server/domain/hosts/platform/judge";
import { signedProcedure } from "@/server/domain/assurance/procedures/standing";
import { manualTpmClear } from "@/server/domain/assurance/procedures/procedure";
import {
  disabled,
  disabledFor,
  mustBeCleaned,
  notRequired,
  satisfied,
  skipped,
  unsatisfied,
  waivedByPolicy,
} from "@/server/domain/reclamations/gates/gate-rule";
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import type { Evaluated, GateEvidenceInput, GateResult } from "@/server/domain/reclamations/gates/gate-rule";

/** The steps whose success means that the TPM was cleared in this plan. */
const tpmSteps: ReadonlySet<string> = new Set(["management.clear_tpm", "deploy.clear_tpm"]);

/** Whether a step clears the TPM. Pure. */
export const clearsTpm = (row: Parameters<typeof stepName>[0]): boolean => tpmSteps.has(stepName(row));

/** The TPM was cleared by hand in this reclamation, and that is signed off. Pure. */
export const tpmClearedByHand = (
  procedures: GateEvidenceInput["procedures"],
  assurance: GateEvidenceInput["assurance"],
  nowMs: number,
): ReturnType<typeof signedProcedure> =>
  assurance === null ? undefined : signedProcedure(procedures, manualTpmClear, assurance, nowMs);

const tpm = (found: string, verdict: PlatformItem["verdict"]): PlatformItem => ({
  name: tpmName,
  wanted: "cleared",
  named: false,
  found,
  verdict,
});

/** What became of the TPM in this reclamation, or, in a recheck, before its host was Ready. */
export function tpmItem(input: GateEvidenceInput): PlatformItem {
  const { plan, kind, planMade, platform, agentTpm, procedures, assurance, nowMs } = input;
  const cleared = plan.find((run) => clearsTpm(run) && run.status === "succeeded");
  if (cleared !== undefined) return tpm(`cleared by ${stepName(cleared)}`, "same");
  const before = platform?.items.find(({ name }) => name === tpmName);
  if (kind === "recheck" && !planMade && (before?.verdict === "same" || before?.verdict === "absent"))
    return before;
  const signed = tpmClearedByHand(procedures, assurance, nowMs);
  if (signed !== undefined)
    return tpm(`cleared by hand: ${manualTpmClear}, signed off by ${signed.decidedBy}`, "same");
  if (platform?.tpm === "none" && agentTpm === false)
    return tpm("neither the BMC nor the agent finds a TPM", "absent");
  return tpm(
    `not cleared: no step of the plan cleared it. Restart the plan, or record the procedure ${manualTpmClear}`,
    "unknown",
  );
}

/** What was read, by name, for the record: `same` and `absent` with what was found, all others whole. */
const evidenceOf = (items: readonly PlatformItem[]) => {
  const found = (verdict: PlatformItem["verdict"]) =>
    Object.fromEntries(
      items.filter((item) => item.verdict === verdict).map((item) => [item.name, item.found]),
    );
  return {
    same: found("same"),
    absent: found("absent"),
    open: items.filter(({ verdict }) => verdict === "different" || verdict === "unknown"),
  };
};

const openText = ({ name, wanted, found, verdict }: PlatformItem): string =>
  verdict === "different" ? `${name}: ${wanted} wanted, ${found}` : `${name}: ${found}`;

/** More would not be read, and are in the evidence. */
const shownItems = 5;

function openReason(open: readonly PlatformItem[]): string {
  const more = open.length - shownItems;
  return [...open.slice(0, shownItems).map(openText), ...(more > 0 ? [`${more} more`] : [])].join("; ");
}

export function platformAtBaseline(input: GateEvidenceInput): Evaluated {
  const left = disabledFor(input, "platformAtBaseline");
  // safety: gates: a disabled step for the platform (never)
  if (left.length > 0 && mustBeCleaned(input)) return disabled(input, left);
  if (!input.requires.platformAtBaseline)
    return waivedByPolicy(input, "the site's policy does not require the platform's baseline");
  const off = skipped(input);
  if (off !== null) return off;
  const { baseline, platform, skuName } = input;
  // safety: platform: a host without a baseline
  if (baseline === null)
    return unsatisfied(
      `${skuName === null ? "the host has no SKU, and so" : `the SKU ${skuName} has`} no platform baseline: take one from a reference host on the SKU's page, or with reclaim skus capture`,
    );
  const { outOfBand } = input.proven;
  // safety: platform: read after the last step
  if (platform === null || platform.readAt !== outOfBand?.readAt || platform.epoch !== outOfBand.epoch)
    return unsatisfied("the platform was not read with the drives after the last step");
  // A baseline may have changed since the reading: each item that it asks for today must have been compared with what it asks for.
  const wanted = judgePlatform(baseline, nothingRead);
  const items = wanted.map(
    (item) =>
      platform.items.find((each) => each.name === item.name && each.wanted === item.wanted) ?? {
        ...item,
        found: "not compared: the baseline was changed after the BMC was read",
      },
  );
  const all = [...items, tpmItem(input)];
  const read = { readAt: platform.readAt, sku: platform.sku, ...evidenceOf(all) };
  const evidence = { platform: read };
  // An override that disabled the clearing of the TPM is named as its reason; one for another step excuses nothing.
  const leftTpm = left.some(clearsTpm);
  const open = read.open.filter(({ name }) => name !== tpmName || !leftTpm);
  // safety: platform: every item is as wanted
  if (open.length > 0) return unsatisfied(openReason(open), evidence);
  if (left.length > 0) return disabled(input, left, evidence);
  const [same, absent] = [Object.keys(read.same), Object.keys(read.absent)];
  if (same.length === 0) return notRequired(`this machine shows none of: ${absent.join(", ")}`, evidence);
  return satisfied(
    `${formatCounted(same.length, "item")} as wanted${absent.length === 0 ? "" : `; not there: ${absent.join(", ")}`}`,
    evidence,
  );
}

/**
 * Whether a retry may read and test again and erase nothing: the platform, the memory of devices or the tests are all that is open. Nothing of the
 * platform may need a step of the plan; for the memory a procedure may have been signed meanwhile; the tests run in the same boot. Pure.
 */
export const needsOnlyReading = (open: readonly GateResult[]): boolean => {
  const [only, ...others] = open.filter(
    ({ gate }) => gate !== "deviceMemoryCleared" && gate !== "validationPassed",
  );
  if (only === undefined) return open.length > 0;
  if (only.gate !== "platformAtBaseline" || others.length > 0) return false;
  const read = openItems.safeParse(only.evidence).data?.platform.open ?? [];
  return read.length > 0 && read.every(({ name }) => name !== tpmName);
};

const openItems = z.object({ platform: z.object({ open: z.array(z.object({ name: z.string() })) }) });

/** The fact of the cause by which a retry and its offer know it. */
export const readAgainFact = { retry: "reads the platform again" } as const;

/** Whether a host stopped so. Pure. */
export const readsPlatformAgain = (causes: readonly Cause[] | null): boolean =>
  causes?.[0]?.facts?.["retry"] === readAgainFact.retry;
