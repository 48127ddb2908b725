// A site's policy: the seeded one is valid, and its times scale with faster hardware.
import { describe, expect, it } from "vitest";
import {
  callTimeoutMs,
  heardUntilMs,
  longestPauseMs,
  maxPollMs,
  pollTimeoutMs,
} from "@/server/domain/agents/signs-of-life";
import { acceleratedPolicy, defaultPolicy, policy } from "@/server/domain/cleaning/policy/policy";
import { levelOf, reaches } from "@/server/domain/cleaning/sanitization/techniques";

const minute = 60_000;

describe("the seeded policy", () => {
  it("is valid, and asks for what the design says", () => {
    expect(policy.parse(defaultPolicy())).toEqual(defaultPolicy());
    expect(defaultPolicy().sanitization).toMatchObject({
      standard: "ieee-2883",
      minimum: { nvme: "purge", ssd: "purge", hdd: "purge", "raid-kit": "clear" },
    });
    expect(defaultPolicy()).toMatchObject({
      automatedClean: true,
      attempts: { agent: 2, controller: 5 },
      times: {
        failureRetryMs: 90 * minute,
        maxBoots: 15,
        instanceEndTimeoutMs: 30 * minute,
        agentSilenceMs: 3 * minute,
      },
    });
  });

  it("begins with a technique that reaches its own minimum, for every medium", () => {
    const { erase, minimum, standard } = defaultPolicy().sanitization;
    for (const media of ["nvme", "ssd", "hdd", "raid-kit"] as const) {
      const first = erase.techniques[media][0];
      expect(first !== undefined && reaches(levelOf(first, standard), minimum[media])).toBe(true);
    }
  });

  it.each([
    ["no provisioning network", { ...defaultPolicy(), provisioningNetworks: [] }],
    ["a time of 0", { ...defaultPolicy(), times: { ...defaultPolicy().times, failureRetryMs: 0 } }],
    [
      "an unknown level",
      {
        ...defaultPolicy(),
        sanitization: {
          ...defaultPolicy().sanitization,
          minimum: { ...defaultPolicy().sanitization.minimum, nvme: "shredded" },
        },
      },
    ],
  ])("with %s is refused", (_what, wrong) => {
    expect(policy.safeParse(wrong).success).toBe(false);
  });
});

describe("faster hardware", () => {
  it("is waited for less long, but never less than our own processes need", () => {
    const { times, sanitization } = acceleratedPolicy(defaultPolicy(), 1000);
    expect(times).toMatchObject({
      eraseStepMs: 5 * minute,
      otherStepMs: 2 * minute,
      validationMs: 2 * minute,
      bootWindowMs: 5 * minute,
      failureRetryMs: 90_000,
      instanceEndTimeoutMs: 10 * minute,
      bmcRetryMs: 2_000,
      networkRetryMs: 5_000,
    });
    expect(sanitization.erase.noProgressTimeoutMs).toBe(30_000);
    expect(times).toMatchObject({
      heartbeatMs: 10_000,
      agentSilenceMs: 30_000,
      agentFreshMs: minute,
      maxBoots: 15,
    });
    expect(policy.safeParse(acceleratedPolicy(defaultPolicy(), 7.3)).success).toBe(true);
  });

  it("never makes a time longer, nor the policy weaker", () => {
    const short = { ...defaultPolicy(), times: { ...defaultPolicy().times, bmcRetryMs: 10 } };
    expect(acceleratedPolicy(short, 100).times.bmcRetryMs).toBe(10);
    expect(acceleratedPolicy(defaultPolicy(), 1)).toEqual(defaultPolicy());
    expect(acceleratedPolicy(defaultPolicy(), 50).sanitization.minimum).toEqual(
      defaultPolicy().sanitization.minimum,
    );
  });

  it.each([0, 0.5, -1, Number.NaN, Number.POSITIVE_INFINITY])("is not told by %s", (factor) => {
    expect(() => acceleratedPolicy(defaultPolicy(), factor)).toThrow(RangeError);
  });
});

it("an agent that comes back after an outage is heard of before it counts as lost, at every speed", () => {
  // The agent may have sent a call right before the outage ended, got no answer, and pauses before it retries.
  const reportsAgainMs = callTimeoutMs + longestPauseMs;
  for (const factor of [1, 10, 100, 1_000]) {
    const { times } = acceleratedPolicy(defaultPolicy(), factor);
    expect(heardUntilMs(0, times.agentSilenceMs)).toBeGreaterThan(reportsAgainMs);
    // Polls do not share their first pause with other calls, and an idle agent is heard from only through polls.
    expect(heardUntilMs(0, times.agentFreshMs)).toBeGreaterThan(pollTimeoutMs + longestPauseMs);
    expect(times.agentFreshMs).toBeGreaterThan(maxPollMs);
  }
});
