// A site's policy: versioned, and copied into each reclamation when it begins.
import { z } from "zod";
import { erasePolicy } from "@/server/domain/agents/protocol";
import { mediaRule } from "@/server/domain/sanitization/media-rules";
import { mostCanaries } from "@/server/domain/sanitization/probe";
import { levels, standards } from "@/server/domain/sanitization/techniques";
import { procedures } from "@/server/domain/procedures/procedure";
import { placeName } from "@/server/domain/hosts/place";
import { keepUnknown, storedDocument } from "@/server/domain/stored";

const minute = 60_000;
const ms = z.int().min(1);
const level = z.enum(levels);

/** Limits of single network segments or power domains, by name. */
export const limitsByPlace = z
  .record(placeName, z.int().min(1))
  .refine((limits) => Object.keys(limits).length <= 1_000, "must not have more than 1,000 entries");

/**
 * Gates that a site may do without. What is required and cannot be checked yet holds every host of the site; a provider admin says which the site does
 * without (docs/adr/0058-what-a-site-requires.md). Stored policies of the release before require all.
 */
const requirements = z.object({
  /** TPM, BIOS, BMC and firmware at the SKU's baseline, judged as a gate. The clean steps that bring them there run anyway. */
  platformAtBaseline: z.boolean(),
  /** Measured boot. */
  attestationPassed: z.boolean(),
  /** Health reports. Maintenance keeps a host out anyway. */
  healthy: z.boolean(),
  /** Signed procedures. */
  assuranceSigned: z.boolean(),
});
export type Requirements = z.infer<typeof requirements>;

/** A site that does without nothing. */
export const allRequired: Requirements = {
  platformAtBaseline: true,
  attestationPassed: true,
  healthy: true,
  assuranceSigned: true,
};

export const policy = z.object({
  /** Off: `provide` may skip cleaning for a host without debt; a release ends in Manageable (docs/cleaning.md#priorities-and-overrides). */
  automatedClean: z.boolean(),
  /** Names of the tests that the agent runs in `Validation`; none: the state is skipped. */
  validationTests: z.array(z.string().min(1).max(128)).max(64),
  /** Steps that a site added to its agent image, as `interface.step`: each plan has them, and they succeed, or the host is not Ready (docs/adr/0086-steps-of-a-site.md). */
  requiredSteps: z
    .array(
      z.string().regex(/^[a-z]+\.[a-z][a-z0-9_]*$/, "must be interface.step, such as vendor.check_cables"),
    )
    .max(64)
    .default([]),
  /** A release with a health issue asks for the repair of its host at once (docs/adr/0093-repair.md). */
  autoRepair: z.boolean().default(false),
  sanitization: z.object({
    standard: z.enum(standards),
    minimum: z.object({ nvme: level, ssd: level, hdd: level, "raid-kit": level }),
    erase: erasePolicy,
    /** Removable and USB media that need no sanitization; left out: there are none. */
    excludedMedia: z.array(mediaRule).max(64).exactOptional(),
    /** Canaries of the remnant probe, per drive; 0: erases are not probed (docs/adr/0088-remnant-probe.md). */
    canariesPerDevice: z.int().min(0).max(mostCanaries).default(0),
    /** A drive whose erase was not probed is not sanitized. */
    requireProbe: z.boolean().default(false),
  }),
  /** What a host must prove besides its cleaning. */
  requires: requirements.default(allRequired),
  /** Changes of the site need the approval of another provider admin (docs/adr/0112-policy-changes-by-two-people.md). */
  changesNeedApproval: z.boolean().default(false),
  /** Manual procedures, and when each is due (docs/adr/0102-approvals-and-procedures.md). */
  procedures: procedures.default([]),
  /** Attempts per step before the reclamation stops (docs/cleaning.md#when-something-goes-wrong). */
  attempts: z.object({ agent: z.int().min(1).max(20), controller: z.int().min(1).max(20) }),
  /** What protects the site from many cleanings at once; null: no limit (docs/cleaning.md#admission). */
  admission: z.object({
    /** Reclamations and manual cleanings at work at a time. */
    atWork: z.int().min(1).nullable(),
    /** Boots per minute and network segment. */
    bootsPerMinute: z.int().min(1).nullable(),
    /** Hosts in progress per power domain. */
    perPowerDomain: z.int().min(1).nullable(),
    /** Boots per minute by segment. */
    segments: limitsByPlace.default({}),
    /** Hosts in progress by power domain. */
    powerDomains: limitsByPlace.default({}),
    /** Releases of one tenant per hour, beyond its quota, before further ones wait. A tenant without a quota has no such limit. */
    tenantReleasesPerHour: z.int().min(0).nullable(),
  }),
  /** New starts of a group pause when so many of it failed within the window (docs/cleaning.md#the-brake). */
  brake: z.object({ percent: z.number().gt(0).max(100), hosts: z.int().min(1), windowMs: ms }),
  /** Networks from which hosts may boot our image: CIDRs, or `loopback`. */
  provisioningNetworks: z.array(z.string().min(1)).min(1),
  times: z.object({
    /** The longest that a step may erase without telling of progress, and that an erase is waited for; capacity and technique ask for less (`eraseLimitMs`). */
    eraseStepMs: ms,
    otherStepMs: ms,
    validationMs: ms,
    heartbeatMs: ms,
    /** Silence of the agent that ends an attempt, not the erase. */
    agentSilenceMs: ms,
    /** An agent that was seen within this time needs no new boot. */
    agentFreshMs: ms,
    bootWindowMs: ms,
    /** A host that should register and does not is restarted after this (docs/design/lifecycle.md#reboot-rule). */
    failureRetryMs: ms,
    maxBoots: z.int().min(1),
    /** From the release to the quarantine of a host whose network does not come back. */
    instanceEndTimeoutMs: ms,
    /** Between tries of a BMC that does not answer, and how many before the host fails. */
    bmcRetryMs: ms,
    bmcTries: z.int().min(1),
    networkRetryMs: ms,
    /** After which a hold expires that gave no time of its own. */
    holdMs: ms,
    /** After its restart, before a BMC whose job had failed is asked for anything again. */
    bmcSettleMs: ms.default(2 * minute),
    /** Between looks at a job of the BMC. */
    jobPollMs: ms,
    /** The whole reclamation's limit, to which the expected erase time is added. */
    reclamationMs: ms,
    verifyingMs: ms,
    /** Limit of states that have no other, 30 min by default (docs/design/lifecycle.md#time-limits). */
    stateMs: ms,
  }),
});
export type Policy = z.infer<typeof policy>;

/** A policy as it is stored, by this version or another: what another knows besides is kept. What goes to agents as it is (`erase`) must be known here. */
export const storedPolicy = storedDocument(policy);

/** Another policy in the place of a stored one, with what another release keeps in that. Pure. */
export function replacePolicy(stored: Policy, next: Policy): Policy {
  // The one member that may be left out: it must not come back as something unknown.
  const { excludedMedia: _, ...sanitization } = stored.sanitization;
  return keepUnknown(next, { ...stored, sanitization });
}

/** The policy that a site begins with (docs/design/sanitization.md#techniques-and-levels; docs/design/lifecycle.md#time-limits). */
export function defaultPolicy(): Policy {
  return {
    automatedClean: true,
    validationTests: ["memory-pattern", "storage-read", "network-loopback"],
    requiredSteps: [],
    autoRepair: false,
    sanitization: {
      standard: "ieee-2883",
      minimum: { nvme: "purge", ssd: "purge", hdd: "purge", "raid-kit": "clear" },
      erase: defaultErase(),
      canariesPerDevice: 0,
      requireProbe: false,
    },
    requires: allRequired,
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
 * The same policy for hardware that runs `factor` times faster than real hardware does.
 * What depends on our own processes and not on hardware (heartbeat, silence, freshness) keeps at least real-time floors.
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
      // Its drives are small, and a simulated erase takes minutes of hardware time.
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
