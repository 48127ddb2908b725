// Admission: in order, never over a limit, and no host waits without a reason.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  admit,
  powerDomainLimit,
  segmentLimit,
  holdsSlot,
  isLimited,
  noLimits,
  slotStates,
} from "@/server/domain/cleaning/queue/admission";
import type { AdmissionUse, WaitingHost } from "@/server/domain/cleaning/queue/admission";

const none = noLimits;
const idle: AdmissionUse = { atWork: 0, boots: new Map(), powerDomains: new Map(), tenants: new Map() };
const host = (hostId: string, changes: Partial<WaitingHost> = {}): WaitingHost => ({
  hostId,
  segment: null,
  powerDomain: null,
  tenantId: null,
  quota: null,
  ...changes,
});
const hosts = (...ids: readonly string[]): readonly WaitingHost[] => ids.map((id) => host(id));

describe("a slot", () => {
  it.each([
    "WaitingForCleanup/Init",
    "WaitingForCleanup/HostCleanup",
    "ManualCleaning/RunningStep",
    "BomValidating/UpdatingInventory",
    "Validation/MachineValidating",
  ] as const)("is held in %s", (state) => expect(holdsSlot(state)).toBe(true));
  it.each([
    "WaitingForCleanup/Queued",
    "WaitingForCleanup/OnHold",
    "ManualCleaning/OnHold",
    "BomValidating/WaitingForSkuAssignment",
    "ReturnToAllocation/AwaitingHealth",
    "Failed/NVMECleanFailed",
    "Ready",
    "Assigned/BootingWithDiscoveryImage",
    "Manageable",
  ] as const)("is not held in %s", (state) => expect(holdsSlot(state)).toBe(false));
  it("is held in some states and not in others", () => expect(slotStates.length).toBeGreaterThan(10));
});

describe("admission", () => {
  it("without a limit is everybody's", () => {
    expect(isLimited(none)).toBe(false);
    expect(admit(hosts("a", "b"), idle, none)).toEqual({ admitted: ["a", "b"], waiting: new Map() });
  });

  it("fills the site's slots in order", () => {
    const { admitted, waiting } = admit(hosts("a", "b", "c"), { ...idle, atWork: 3 }, { ...none, atWork: 5 });
    expect(admitted).toEqual(["a", "b"]);
    expect(waiting.get("c")).toBe("5 hosts of the site are in progress");
  });

  it("lets the host of another segment pass one that is held back", () => {
    const { admitted, waiting } = admit(
      [host("a", { segment: "s1" }), host("b", { segment: "s2" })],
      { ...idle, boots: new Map([["s1", 20]]) },
      { ...none, bootsPerMinute: 20 },
    );
    expect(admitted).toEqual(["b"]);
    expect(waiting.get("a")).toBe("20 hosts of segment s1 were booted within a minute");
  });

  it("counts hosts of a power domain, and not those of none", () => {
    const queue = [host("a", { powerDomain: "p" }), host("b", { powerDomain: "p" }), host("c")];
    expect(
      admit(queue, { ...idle, powerDomains: new Map([["p", 1]]) }, { ...none, perPowerDomain: 2 }).admitted,
    ).toEqual(["a", "c"]);
  });

  it("takes the limit of one segment or power domain in place of the one for all", () => {
    const queue = [
      host("a", { segment: "slow" }),
      host("b", { segment: "slow" }),
      host("c", { segment: "other" }),
      host("d", { segment: "other" }),
      host("e", { powerDomain: "weak" }),
      host("f", { powerDomain: "weak" }),
      host("g", { powerDomain: "toString" }),
    ];
    const own = { ...none, segments: { slow: 1 }, powerDomains: { weak: 1 } };
    expect(isLimited(own)).toBe(true);
    const { admitted, waiting } = admit(queue, idle, own);
    expect(admitted).toEqual(["a", "c", "d", "e", "g"]);
    expect(waiting.get("b")).toBe("1 host of segment slow was booted within a minute");
    expect(waiting.get("f")).toBe("1 host of power domain weak is in progress");
    const both = { ...own, bootsPerMinute: 2, segments: { slow: 3 } };
    expect(segmentLimit("slow", both)).toBe(3);
    expect(segmentLimit("other", both)).toBe(2);
    expect(segmentLimit(null, both)).toBe(2);
  });

  it("lets a tenant's releases beyond quota and rate wait, and nobody else's", () => {
    const queue = [
      host("a", { tenantId: "t", quota: 2 }),
      host("b", { tenantId: "t", quota: 2 }),
      host("c", { tenantId: "u", quota: null }),
      host("d"),
    ];
    const { admitted, waiting } = admit(
      queue,
      {
        ...idle,
        tenants: new Map([
          ["t", 11],
          ["u", 500],
        ]),
      },
      { ...none, tenantReleasesPerHour: 10 },
    );
    expect(admitted).toEqual(["a", "c", "d"]);
    expect(waiting.get("b")).toBe("12 releases of its tenant were admitted within an hour");
  });

  const limit = fc.option(fc.integer({ min: 1, max: 6 }), { nil: null });
  const queues = fc
    .array(
      fc.record({
        segment: fc.constantFrom(null, "s", "t"),
        powerDomain: fc.constantFrom(null, "p", "q"),
        tenantId: fc.constantFrom(null, "x", "y"),
        quota: fc.constantFrom(null, 0, 2),
      }),
      { maxLength: 30 },
    )
    .map((rows) => rows.map((row, index) => host(String(index), row)));
  const uses = fc.record({
    atWork: fc.nat(6),
    boots: fc
      .dictionary(fc.constantFrom("s", "t"), fc.nat(6))
      .map((row): AdmissionUse["boots"] => new Map(Object.entries(row))),
    powerDomains: fc
      .dictionary(fc.constantFrom("p", "q"), fc.nat(6))
      .map((row) => new Map(Object.entries(row))),
    tenants: fc.dictionary(fc.constantFrom("x", "y"), fc.nat(6)).map((row) => new Map(Object.entries(row))),
  });
  const limits = fc.record({
    atWork: limit,
    bootsPerMinute: limit,
    perPowerDomain: limit,
    segments: fc.dictionary(fc.constantFrom("s", "t"), fc.integer({ min: 1, max: 6 })),
    powerDomains: fc.dictionary(fc.constantFrom("p", "q"), fc.integer({ min: 1, max: 6 })),
    tenantReleasesPerHour: limit,
  });

  it("never goes over a limit, keeps the order, forgets nobody, and is at rest afterwards", () => {
    fc.assert(
      fc.property(queues, uses, limits, (queue, use, bound) => {
        const { admitted, waiting } = admit(queue, use, bound);
        expect(admitted.length + waiting.size).toBe(queue.length);
        expect(queue.filter(({ hostId }) => admitted.includes(hostId)).map(({ hostId }) => hostId)).toEqual(
          admitted,
        );
        const chosen = queue.filter(({ hostId }) => admitted.includes(hostId));
        if (bound.atWork !== null && chosen.length > 0)
          expect(use.atWork + chosen.length).toBeLessThanOrEqual(bound.atWork);
        for (const segment of new Set(chosen.map((row) => row.segment))) {
          const most = segmentLimit(segment, bound);
          if (most !== null)
            expect(
              (use.boots.get(segment) ?? 0) + chosen.filter((row) => row.segment === segment).length,
            ).toBeLessThanOrEqual(most);
        }
        for (const domain of new Set(chosen.map((row) => row.powerDomain))) {
          const most = powerDomainLimit(domain, bound);
          if (most !== null && domain !== null)
            expect(
              (use.powerDomains.get(domain) ?? 0) + chosen.filter((row) => row.powerDomain === domain).length,
            ).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: 500 },
    );
  });
});
