// Who reads which repairs, and what is hidden from a repair tenant, without a database.
import { describe, expect, it } from "vitest";
import { roles } from "@/server/domain/access/roles";
import type { Role } from "@/server/domain/access/roles";
import { localActor } from "@/server/usecases/actor";
import { factsOf, isForeign, queueStatus } from "@/server/usecases/repair/queue-rows";
import type { QueueRecord } from "@/server/usecases/repair/queue-rows";
import { mayRepair, repairScope, visibleMessage } from "@/server/usecases/repair/repair-scope";
import type { RepairScope } from "@/server/usecases/repair/repair-scope";

const tenantId = "00000000-0000-4000-8000-000000000001";
const siteId = "00000000-0000-4000-8000-000000000002";
const all: RepairScope = { kind: "all" };
const tenant: RepairScope = { kind: "tenant", tenantId, siteIds: [siteId] };

describe("who has the page", () => {
  const actor = (role: Role, at: readonly string[], of: string | null = tenantId) => ({
    ...localActor,
    role,
    tenantId: of,
    targetedAt: at,
  });
  it("a tenant that may claim one exact host, for its sites; no other tenant", () => {
    expect(repairScope(actor("repair-tenant-admin", [siteId]))).toEqual({ ok: true, value: tenant });
    for (const none of [actor("repair-tenant-admin", []), actor("repair-tenant-admin", [siteId], null)]) {
      expect(repairScope(none)).toMatchObject({ ok: false, problem: { code: "forbidden" } });
      expect(mayRepair(none)).toBe(false);
    }
    expect(repairScope(actor("tenant-admin", []))).toMatchObject({ ok: false });
  });

  it("the provider's people, all of it", () => {
    for (const role of ["operator", "provider-admin", "auditor"] as const)
      expect(repairScope(actor(role, [], null))).toEqual({ ok: true, value: all });
  });

  it("whoever reads, and nobody else", () => {
    for (const role of roles)
      for (const at of [[], [siteId]]) {
        const who = actor(role, at);
        expect(mayRepair(who), role).toBe(repairScope(who).ok);
      }
  });
});

const record: QueueRecord = {
  id: "h",
  name: "h-1",
  site: "a",
  rack: null,
  sku: null,
  sku_id: null,
  state: "Assigned/Ready",
  state_since: new Date(0),
  maintenance: false,
  retired: false,
  leased_to: null,
  asks: true,
  owes: false,
  instance_id: "i",
  held_by: "another",
  releasing: false,
  back_since: null,
  stands: false,
  since: null,
  asked: null,
  claimable: false,
  total: 0,
  recent: 0,
};

describe("a host that another tenant has", () => {
  it("is in use or being cleaned, and no more, for a repair tenant", () => {
    expect(queueStatus(record, tenant)).toEqual({ state: "in use", tone: "neutral" });
    expect(queueStatus({ ...record, releasing: true }, tenant).state).toBe("being cleaned");
    expect(isForeign({ held_by: tenantId }, tenant)).toBe(false);
    expect(isForeign({ held_by: null }, tenant)).toBe(false);
  });
  it("has its state for its own tenant and for the provider", () => {
    for (const [held_by, scope] of [
      [tenantId, tenant],
      ["another", all],
    ] as const)
      expect(queueStatus({ ...record, held_by }, scope).state).toBe("Assigned/Ready");
  });
});

it("names the repair system that has a host to the provider only", () => {
  const leased = { ...record, leased_to: "fixit" };
  expect(factsOf(leased, all, null)).toMatchObject({ leased: true, leasedTo: "fixit" });
  expect(factsOf(leased, tenant, null)).toMatchObject({ leased: true, leasedTo: null });
  expect(factsOf(record, all, null)).toMatchObject({ leased: false, leasedTo: null });
});

it.each([
  ["a person's", { source: "notes", mode: "merge", reportedBy: "Jonas" }, null],
  ["a person's in the name of a source", { source: "bmc", mode: "merge", reportedBy: "source other" }, null],
  [
    "a request that hides the others",
    { source: "repair-request", mode: "replace", reportedBy: "Jonas" },
    null,
  ],
  ["a source's", { source: "bmc", mode: "merge", reportedBy: "source bmc" }, "words"],
  ["Reclaim's", { source: "reclaim", mode: "merge", reportedBy: "Reclaim" }, "words"],
  ["a request of a repair", { source: "repair-request", mode: "merge", reportedBy: "Jonas" }, "words"],
  ["an issue", { source: "tenant-reported-issue", mode: "merge", reportedBy: "release" }, "words"],
] as const)("the message of an alert, %s, as a tenant reads it", (_, report, told) => {
  expect(visibleMessage(report, { message: "words" }, tenant)).toBe(told);
  expect(visibleMessage(report, { message: "words" }, all)).toBe("words");
});
