// A site's policy. It is versioned, and each reclamation copies it when it begins.
import { z } from "zod";
import { attestationMode } from "@/server/domain/attestation/modes";
import { erasePolicy } from "@/server/domain/agents/protocol";
import { mediaRule } from "@/server/domain/cleaning/sanitization/media-rules";
import { maxCanaries } from "@/server/domain/cleaning/sanitization/probe";
import { defaultMaxAgeDays, longestMaxAgeDays } from "@/server/domain/hosts/ready-watch/age";
import { levels, standards } from "@/server/domain/cleaning/sanitization/techniques";
import { procedures } from "@/server/domain/assurance/procedures/procedure";
import { placeName } from "@/server/domain/hosts/place";
import { keepUnknown, storedDocument } from "@/server/domain/stored";

const minute = 60_000;
const ms = z.int().min(1);
const level = z.enum(levels);

/** Limits of individual network segments or power domains, by name. */
export const limitsByPlace = z
  .record(placeName, z.int().min(1))
  .refine((limits) => Object.keys(limits).length <= 1_000, "must not have more than 1,000 entries");

/**
 * Gates that a site can choose not to require. A required gate that cannot be checked yet holds every host of the site, so a provider admin has to exempt the
 * site from it (docs/adr/0010-demo-sites.md). Policies stored by the previous release require all.
 */
const requirements = z.object({
  /** TPM, BIOS, BMC and firmware match the SKU's baseline, as a gate. The clean steps that set them run anyway. */
  platformAtBaseline: z.boolean(),
  /** The memory of GPUs is cleared. Policies stored by the previous release do not have it. */
  deviceMemoryCleared: z.boolean().default(true),
  /** Measured boot. */
  attestationPassed: z.boolean(),
  /** Health reports. Maintenance keeps a host out anyway. */
  healthy: z.boolean(),
  /** Signed procedures. */
  assuranceSigned: z.boolean(),
});
export type Requirements = z.infer<typeof requirements>;

/** A site that requires all of them. */
export const allRequired: Requirements = {
  platformAtBaseline: true,
  deviceMemoryCleared: true,
  attestationPassed: true,
  healthy: true,
  assuranceSigned: true,
};

export const policy = z.object({
  /** If off, `provide` may skip cleaning for a host without debt, and a release ends in Manageable (docs/cleaning.md#priorities-and-overrides). */
  automatedClean: z.boolean(),
  /** Names of the tests that the agent runs in `Validation`. Without any, the state is skipped. */
  validationTests: z.array(z.string().min(1).max(128)).max(64),
  /**
   * Steps added to the site's agent image, as `interface.step`. Every plan includes them, and a host is Ready only if they succeeded
   * (docs/adr/0086-steps-of-a-site.md).
   */
  requiredSteps: z
    .array(
      z.string().regex(/^[a-z]+\.[a-z][a-z0-9_]*$/, "must be interface.step, such as vendor.check_cables"),
    )
    .max(64)
    .default([]),
  /** Firmware for which a rollout named a file is written again in each plan, whatever its version says (docs/adr/0148-firmware-rollouts.md). */
  reflashFirmware: z.boolean().default(false),
  /** A release that reports a health issue requests the repair of its host at once (docs/adr/0093-repair.md). */
  autoRepair: z.boolean().default(false),
  sanitization: z.object({
    standard: z.enum(standards),
    minimum: z.object({ nvme: level, ssd: level, hdd: level, "raid-kit": level }),
    erase: erasePolicy,
    /** Removable and USB media that need no sanitization; left out: none. */
    excludedMedia: z.array(mediaRule).max(64).exactOptional(),
    /** Canaries of the remnant probe per drive; 0: erases are not probed (docs/adr/0088-remnant-probe.md). */
    canariesPerDevice: z.int().min(0).max(maxCanaries).default(0),
    /** A drive whose erase was not probed does not count as sanitized. */
    requireProbe: z.boolean().default(false),
  }),
  /** What a host must prove in addition to its cleaning. */
  requires: requirements.default(allRequired),
  /** Whether the TPM of each host proves its identity. Policies stored by the previous release do not have it (docs/attestation.md). */
  attestation: attestationMode.default("off"),
  /** For how long a proof counts while its host waits in Ready; then the host is checked again. 0: without limit (docs/adr/0121-ready-lasts.md). */
  proofMaxAgeDays: z.int().min(0).max(longestMaxAgeDays).default(defaultMaxAgeDays),
  /** Changes to the site need the approval of a second provider admin (docs/adr/0112-policy-changes-by-two-people.md). */
  changesNeedApproval: z.boolean().default(false),
  /** Manual procedures, and when each is due (docs/adr/0102-approvals-and-procedures.md). */
  procedures: procedures.default([]),
  /** Attempts per step before the reclamation stops (docs/cleaning.md#when-something-goes-wrong). */
  attempts: z.object({ agent: z.int().min(1).max(20), controller: z.int().min(1).max(20) }),
  /** Limits on how much is cleaned at once; null: no limit (docs/cleaning.md#admission). */
  admission: z.object({
    /** Reclamations and manual cleanings in progress at once. */
    atWork: z.int().min(1).nullable(),
    /** Boots per minute and network segment. */
    bootsPerMinute: z.int().min(1).nullable(),
    /** Hosts in progress per power domain. */
    perPowerDomain: z.int().min(1).nullable(),
    /** Boots per minute for individual segments. */
    segments: limitsByPlace.default({}),
    /** Hosts in progress for individual power domains. */
    powerDomains: limitsByPlace.default({}),
    /** Releases of one tenant per hour, in addition to its quota, before further ones wait. A tenant without a quota has no such limit. */
    tenantReleasesPerHour: z.int().min(0).nullable(),
  }),
  /** New cleanings of a group pause when this many of it failed within the window (docs/cleaning.md#the-brake). */
  brake: z.object({ percent: z.number().gt(0).max(100), hosts: z.int().min(1), windowMs: ms }),
  /** Networks from which hosts may boot our image: CIDRs, or `loopback`. */
  provisioningNetworks: z.array(z.string().min(1)).min(1),
  times: z.object({
    /** The maximum time for an erase step without progress, and for the erase wait. Capacity and technique may lower it (`eraseLimitMs`). */
    eraseStepMs: ms,
    otherStepMs: ms,
    validationMs: ms,
    heartbeatMs: ms,
    /** If the agent is silent for this long, the attempt ends, but not the erase. */
    agentSilenceMs: ms,
    /** An agent seen within this time needs no new boot. */
    agentFreshMs: ms,
    bootWindowMs: ms,
    /** A host that should register but does not is restarted after this time (docs/design/lifecycle.md#reboot-rule). */
    failureRetryMs: ms,
    maxBoots: z.int().min(1),
    /** From the release until a host whose network does not come back is quarantined. */
    instanceEndTimeoutMs: ms,
    /** Pause between retries of a BMC that does not answer, and the number of tries before the host fails. */
    bmcRetryMs: ms,
    bmcTries: z.int().min(1),
    networkRetryMs: ms,
    /** Default expiry of a hold. */
    holdMs: ms,
    /** Pause after the restart of a BMC whose job had failed, before anything is requested from it again. */
    bmcSettleMs: ms.default(2 * minute),
    /** Interval between polls of a BMC job. */
    jobPollMs: ms,
    /** Limit of the whole reclamation. The expected erase time is added to it. */
    reclamationMs: ms,
    verifyingMs: ms,
    /** Limit of states without their own, 30 min by default (docs/design/lifecycle.md#time-limits). */
    stateMs: ms,
  }),
});
export type Policy = z.infer<typeof policy>;

/** A policy as stored by this or another version. Members unknown here are kept, except in what goes to agents verbatim (`erase`): that must be fully known. */
export const storedPolicy = storedDocument(policy);

/** Replaces a stored policy, keeping the members that another release stored in it. Pure. */
export function replacePolicy(stored: Policy, next: Policy): Policy {
  // The only optional member: if it was removed, it must not be restored as an unknown one.
  const { excludedMedia: _, ...sanitization } = stored.sanitization;
  return keepUnknown(next, { ...stored, sanitization });
}

/** A new site's policy (docs/design/sanitization.md#techniques-and-levels; docs/design/lifecycle.md#time-limits). */
export function defaultPolicy(): Policy {
  return {
    automatedClean: true,
    validationTests: ["memory-pattern", "storage-read", "network-loopback"],
    requiredSteps: [],
    reflashFirmware: false,
    autoRepair: false,
    sanitization: {
      standard: "ieee-2883",
      minimum: { nvme: "purge", ssd: "purge", hdd: "purge", "raid-kit": "clear" },
      erase: defaultErase(),
      canariesPerDevice: 0,
      requireProbe: false,
    },
    requires: allRequired,
    attestation: "off",
    proofMaxAgeDays: defaultMaxAgeDays,
    changesNeedApproval: false,
    procedures: [],
    attempts: { agent: 2, controller: 5 },
    admission: {
      atWork: null,
      bootsPerMinute: 20,
      perPowerDomain: null,
      segments: {},
      powerDomains: {},
      tenantReleasesPerHour: 10,
    },
    brake: { percent: 5, hosts: 10, windowMs: 60 * minute },
    provisioningNetworks: ["loopback"],
    times: defaultTimes(),
  };
}

const defaultErase = (): Policy["sanitization"]["erase"] => ({
  techniques: {
    nvme: ["nvme-sanitize-crypto", "nvme-sanitize-block", "nvme-format-crypto", "nvme-format-user-data"],
    ssd: [
      "ata-sanitize-crypto",
      "ata-sanitize-block",
      "ata-secure-erase-enhanced",
      "scsi-sanitize-crypto",
      "scsi-sanitize-block",
    ],
    hdd: ["ata-sanitize-crypto", "ata-secure-erase-enhanced", "scsi-sanitize-crypto", "scsi-sanitize-block"],
    "raid-kit": ["raid-kit-format"],
  },
  fallback: true,
  samplesPerDevice: 1000,
  markersPerDevice: 16,
  noProgressTimeoutMs: 10 * minute,
});

const defaultTimes = (): Policy["times"] => ({
  eraseStepMs: 7 * 24 * 60 * minute,
  otherStepMs: 10 * minute,
  validationMs: 30 * minute,
  heartbeatMs: 10_000,
  agentSilenceMs: 3 * minute,
  agentFreshMs: minute,
  bootWindowMs: 30 * minute,
  failureRetryMs: 90 * minute,
  maxBoots: 15,
  instanceEndTimeoutMs: 30 * minute,
  bmcRetryMs: 30_000,
  bmcTries: 10,
  networkRetryMs: minute,
  holdMs: 240 * minute,
  bmcSettleMs: 2 * minute,
  jobPollMs: 10_000,
  reclamationMs: 60 * minute,
  verifyingMs: 10 * minute,
  stateMs: 30 * minute,
});

/**
 * The same policy for hardware that runs `factor` times faster than real hardware.
 * Times that depend on our own processes rather than on hardware (heartbeat, silence, freshness) do not go below real-time minimums.
 */
export function acceleratedPolicy(base: Policy, factor: number): Policy {
  if (!Number.isFinite(factor) || factor < 1) throw new RangeError(`factor must be 1 or more, not ${factor}`);
  const faster = (value: number, floorMs: number): number =>
    Math.min(value, Math.max(floorMs, Math.ceil(value / factor)));
  const t = base.times;
  return {
    ...base,
    admission: {
      ...base.admission,
      bootsPerMinute:
        base.admission.bootsPerMinute === null ? null : Math.ceil(base.admission.bootsPerMinute * factor),
      segments: Object.fromEntries(
        Object.entries(base.admission.segments).map(([name, boots]) => [name, Math.ceil(boots * factor)]),
      ),
    },
    sanitization: {
      ...base.sanitization,
      erase: {
        ...base.sanitization.erase,
        noProgressTimeoutMs: faster(base.sanitization.erase.noProgressTimeoutMs, 30_000),
      },
    },
    times: {
      ...t,
      // Simulated drives are small, and a simulated erase takes minutes of hardware time.
      eraseStepMs: factor === 1 ? t.eraseStepMs : faster(Math.min(t.eraseStepMs, 240 * minute), 5 * minute),
      otherStepMs: faster(t.otherStepMs, 2 * minute),
      validationMs: faster(t.validationMs, 2 * minute),
      agentSilenceMs: faster(t.agentSilenceMs, 3 * t.heartbeatMs),
      bootWindowMs: faster(t.bootWindowMs, 5 * minute),
      failureRetryMs: faster(t.failureRetryMs, 90_000),
      instanceEndTimeoutMs: faster(t.instanceEndTimeoutMs, 10 * minute),
      bmcRetryMs: faster(t.bmcRetryMs, 2_000),
      bmcSettleMs: faster(t.bmcSettleMs, 1_000),
      jobPollMs: faster(t.jobPollMs, 500),
      networkRetryMs: faster(t.networkRetryMs, 5_000),
    },
  };
}
