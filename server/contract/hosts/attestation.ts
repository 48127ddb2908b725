// The identity of a host's TPM, how its boots are measured, and the bundles that say what they should be (docs/attestation.md).
import { z } from "zod";
import { acceptances, certificateVerdict } from "@/server/domain/attestation/verdict";
import { attestationMode } from "@/server/domain/attestation/modes";
import { tpmCauses, tpmStates } from "@/server/domain/attestation/standing";
import { bundleStates, measurementStates } from "@/server/domain/attestation/measurement";
import { bundleStandings } from "@/server/domain/attestation/bundle";
import { act, hostId, list, nothing, read, reason, record, sha256Digest } from "@/server/contract/define";

const bundle = z.guid("must be the id of a bundle");
const bundleName = record({ id: z.string(), name: z.string(), state: z.enum(bundleStates) });

/** One register whose value is not the one of the closest bundle. */
const pcrDifference = record({
  pcr: z.number(),
  found: sha256Digest,
  /** Null: the bundle does not have this register, so that any value passes. */
  expected: sha256Digest.nullable(),
});

/** How the newest boot that was asked for a quote was measured. */
const measurement = record({
  state: z.enum(measurementStates),
  bootEpoch: z.number(),
  askedAt: z.date(),
  /** When its quote was found right; null: it was not. */
  measuredAt: z.date().nullable(),
  /** Why it was not; null: it was, or none has come. */
  problem: z.string().nullable(),
  /** The bundle that decided; null: none did. */
  bundle: bundleName.nullable(),
  /** Of all values, as a name for them; null: none are proven. */
  digest: sha256Digest.nullable(),
  values: list(record({ pcr: z.number(), value: sha256Digest })),
  /** Compared with the bundle of this hardware that most of its values are the same as; null: there is none. */
  closest: record({ bundle: bundleName, differences: list(pcrDifference) }).nullable(),
  /** What the firmware measured, in order; null: the kernel shows no event log. */
  events: list(
    record({ pcr: z.number(), type: z.string(), digest: z.string(), text: z.string().nullable() }),
  ).nullable(),
});

const hostAttestationView = record({
  /** What the site asks for. */
  mode: attestationMode,
  state: z.enum(tpmStates),
  /** What is wrong; null: nothing. */
  cause: z.enum(tpmCauses).nullable(),
  words: z.string(),
  /** The boot that told the rest, and when; null: none has. */
  bootEpoch: z.number().nullable(),
  toldAt: z.date().nullable(),
  /** The key that was shown in that boot; null: none was. */
  key: record({
    digest: sha256Digest,
    /** What was found of its certificate in that boot; null: there is none. */
    certificate: record(certificateVerdict.shape).nullable(),
    /** When the TPM proved to hold it; null: it has not. */
    activatedAt: z.date().nullable(),
  }).nullable(),
  /** The key that counts as the host's; null: none does yet. */
  accepted: record({
    digest: sha256Digest,
    as: z.enum(acceptances),
    at: z.date(),
    bootEpoch: z.number(),
    /** Null: nobody had to accept it. */
    by: z.string().nullable(),
    /** When the TPM proved it last, and in which boot. */
    provenAt: z.date().nullable(),
    provenEpoch: z.number().nullable(),
  }).nullable(),
  /** Null: no boot was asked for a quote. */
  measurement: measurement.nullable(),
});
export type HostAttestationView = z.infer<typeof hostAttestationView>;

const bundleLine = record({
  id: z.string(),
  name: z.string(),
  site: z.string(),
  manufacturer: z.string(),
  model: z.string(),
  /** `waits` and `rejected` are of its approval. */
  standing: z.enum(bundleStandings),
  values: list(record({ pcr: z.number(), value: sha256Digest })),
  /** Hosts whose newest boot it decides about. */
  hosts: z.number(),
  requestedBy: z.string(),
  requestedAt: z.date(),
  reason: z.string(),
  approvalId: z.string(),
  /** Null: nobody has approved it. */
  approvedBy: z.string().nullable(),
  /** The last change of its state; null: none. */
  changed: record({ at: z.date(), by: z.string(), reason: z.string() }).nullable(),
});
export type BundleLine = z.infer<typeof bundleLine>;

/** Hosts with the same hardware and the same values that no bundle expects. */
const pendingGroup = record({
  digest: sha256Digest,
  site: z.string(),
  manufacturer: z.string(),
  model: z.string(),
  hosts: z.number(),
  /** One of them, for its values and events. */
  host: record({ id: z.string(), name: z.string() }),
  since: z.date(),
});
export type PendingGroup = z.infer<typeof pendingGroup>;

const attestationOverview = record({
  /** Hosts of sites that observe or require attestation, by what is known of their newest boot. */
  states: list(record({ state: z.enum([...measurementStates, "notAsked"]), hosts: z.number() })),
  pending: list(pendingGroup),
  bundles: list(bundleLine),
});
export type AttestationOverview = z.infer<typeof attestationOverview>;

const measuredMachine = record({
  hostId: z.string(),
  hostName: z.string(),
  state: z.enum(measurementStates),
});
export type MeasuredMachine = z.infer<typeof measuredMachine>;

export const attestation = {
  overview: read({
    title: "measured boot: hosts by state, measurements that no bundle expects, and the bundles",
    right: "site.read",
    input: nothing,
    output: attestationOverview,
  }),
  machines: read({
    title: "how the newest boot of each host was measured, where one was asked for a quote",
    right: "site.read",
    input: nothing,
    output: list(measuredMachine),
  }),
  promote: act({
    title: "requests a bundle of what a host's boot measured; another person approves it",
    right: "sku.write",
    action: "attestation.promote",
    /** `digest`: of the values that the person saw. `pcrs`: the registers that the bundle expects. */
    input: z.strictObject({
      hostId,
      digest: sha256Digest,
      pcrs: z.array(z.int().min(0).max(23)).min(1).max(24),
      name: z.string().trim().min(1, "give it a name").max(128, "at most 128 characters"),
      reason,
    }),
    output: record({ id: z.string() }),
  }),
  demote: act({
    title: "trusts a bundle less: obsolete still passes, retired and revoked do not",
    right: "sku.write",
    action: "attestation.demote",
    input: z.strictObject({ bundle, state: z.enum(["Obsolete", "Retired", "Revoked"]), reason }),
    /** Hosts whose newest boot does not pass any more, and of these the ones that left `Ready`. */
    output: record({ failed: z.number(), leftReady: z.number() }),
  }),
  ofHost: read({
    title: "the identity of a host's TPM, and how its newest boot was measured",
    right: "host.read",
    input: z.strictObject({ hostId }),
    output: hostAttestationView,
  }),
  acceptKey: act({
    title: "accepts the endorsement key of a host's TPM in place of the one that counted",
    right: "host.dispose",
    action: "host.acceptEndorsementKey",
    /** `digest`: of the key that the person saw. */
    input: z.strictObject({ hostId, digest: sha256Digest, reason }),
    output: record({ digest: sha256Digest }),
  }),
};
