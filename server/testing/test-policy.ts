// The policy of a site whose hardware runs a thousand times faster: limits are short, but longer than what a busy machine may need.
import { noLimits } from "@/server/domain/cleaning/queue/admission";
import { defaultPolicy, type Policy } from "@/server/domain/cleaning/policy/policy";

export type PolicyChange = Partial<Omit<Policy, "times" | "attempts" | "sanitization">> & {
  readonly times?: Partial<Policy["times"]>;
  readonly attempts?: Partial<Policy["attempts"]>;
};

/** A new site's policy, where a SKU needs no baseline: most SKUs of tests name none, which would stop their hosts. */
export function plainPolicy(): Policy {
  const base = defaultPolicy();
  return { ...base, requires: { ...base.requires, platformAtBaseline: false } };
}

export function testPolicy(change: PolicyChange = {}): Policy {
  const base = plainPolicy();
  return {
    ...base,
    // What limits a site is not to be waited for where it is not tested.
    admission: noLimits,
    // Faults are what many tests are about: they must not brake each other.
    brake: { ...base.brake, hosts: 100_000 },
    ...change,
    sanitization: {
      ...base.sanitization,
      erase: {
        ...base.sanitization.erase,
        samplesPerDevice: 64,
        markersPerDevice: 4,
        noProgressTimeoutMs: 10_000,
      },
    },
    attempts: { ...base.attempts, ...change.attempts },
    times: {
      ...base.times,
      eraseStepMs: 120_000,
      otherStepMs: 60_000,
      validationMs: 60_000,
      heartbeatMs: 1_000,
      // A session's last sign of life is written at most every 10 s (agent-session.ts).
      agentSilenceMs: 15_000,
      bootWindowMs: 60_000,
      failureRetryMs: 20_000,
      instanceEndTimeoutMs: 300_000,
      bmcRetryMs: 300,
      bmcSettleMs: 300,
      networkRetryMs: 300,
      ...change.times,
    },
  };
}
