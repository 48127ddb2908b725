// Leases of repair systems over real HTTP and on the database: we never act on a host that somebody else has, and nobody writes past the fence.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { sweepLeases, takeOverDead } from "@/server/db/hot/fleet/lease";
import { claimHosts } from "@/server/db/hot/host/claim";
import { permitEffects } from "@/server/db/hot/hardware/effects";
import { createSecretBox } from "@/server/db/secrets/secret-box";
import type { Role } from "@/server/domain/access/roles";
import { newToken } from "@/server/domain/access/tokens";
import type { TemplateName } from "@/server/domain/repair/health/templates";
import type { State } from "@/server/domain/lifecycle/states";
import {
  addSystems,
  callLease,
  openTicketOf,
  readNotes,
  reportRepair,
  type LeaseCall,
} from "@/server/surfaces/machine/leases/testing/lease-calls";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { addHost, auditCount, openWindow } from "@/server/surfaces/machine/testing/machine-rows";
import type { Actor } from "@/server/usecases/actor";
import { breakLease, getLeases, giveLease } from "@/server/usecases/repair/leases/host-leases";
import { listSystems, removeSystem, renewSystem } from "@/server/usecases/repair/leases/systems";
import { fleetSummary } from "@/server/usecases/fleet/fleet-summary";
import { provideHost } from "@/server/usecases/hosts/acts/provide-host";
import { setHostLabels } from "@/server/usecases/hosts/labels/set-labels";
import { setMaintenance } from "@/server/usecases/hosts/maintenance/set-maintenance";
import { clearMaintenance } from "@/server/usecases/hosts/maintenance/clear-maintenance";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { listHosts } from "@/server/usecases/hosts/list/list-hosts";
import { getRepairHost } from "@/server/usecases/repair/get-repair-host";
import { listOffenders } from "@/server/usecases/repair/list-offenders";
import { listOutcomes } from "@/server/usecases/repair/list-outcomes";
import { putInReady } from "@/server/usecases/testing/world";

const fixture = machineServer();
const otherSiteId = randomUUID();
const tenantId = randomUUID();
const tokens = { fixit: newToken(), other: newToken(), south: newToken() };

beforeAll(() => addSystems(fixture, { tokens, tenantId, otherSiteId }));
const backend = () => ({ database: fixture.database, secrets: createSecretBox(Buffer.alloc(32)) });
const request = () => ({ requestId: randomUUID(), address: null });
const actor = (role: Role): Actor => ({
  kind: "person",
  personId: randomUUID(),
  name: role,
  email: "",
  role,
  tenantId: role === "repair-tenant-admin" ? tenantId : null,
  org: null,
  targetedAt: role === "repair-tenant-admin" ? [fixture.siteId] : [],
});

const call = (method: string, host: string, token: string | null, more: LeaseCall = {}) =>
  callLease(fixture, { method, host, token, ...more });
const take = (host: string, token = tokens.fixit, more: object = {}) =>
  call("POST", host, token, { body: { reason: "fans fail", ...more } });
const ticketOf = (hostId: string, ofTenant: string | null = null) => openTicketOf(fixture, hostId, ofTenant);
const notesOf = (ticketId: string) => readNotes(fixture, ticketId);
const report = (hostId: string, template: TemplateName) => reportRepair(fixture, hostId, template);

/** A clean host that waits for repair and that nobody has. */
async function host(state: State = "ReturnToAllocation/AwaitingRepair"): Promise<string> {
  const { id } = await addHost(fixture, state);
  return id;
}
async function taken(hostId: string, token = tokens.fixit): Promise<string> {
  const told = await take(hostId, token);
  expect(told).toMatchObject({ status: 201 });
  return String(told.body?.["lease"]);
}
async function readyHost(): Promise<string> {
  const { id } = await addHost(fixture, "Manageable");
  await putInReady(fixture.database, id);
  return id;
}
const runOf = async (hostId: string) =>
  (
    await fixture.query(
      "SELECT state, outside_lease, lease_owner, lease_until > now() + interval '1 year' AS held, allocatable, touched, due_at <= now() AS due, command FROM host_run WHERE host_id = $1",
      [hostId],
    )
  )[0];
const claimed = async (hostId: string, controller = randomUUID()) => {
  await fixture.query("UPDATE host_run SET due_at = CASE WHEN host_id = $1 THEN now() END", [hostId]);
  return (await claimHosts(fixture.pool, controller, 10, 60_000)).length;
};
const breakIt = (hostId: string, leaseId: string, role: Role = "provider-admin") =>
  breakLease(backend(), actor(role), request(), { hostId, leaseId, reason: "gone" });
const give = (hostId: string, system = "fixit", mayHoldData = false) =>
  giveLease(backend(), actor("operator"), request(), { hostId, system, reason: "RMA", mayHoldData });

describe("while a repair system has a host", () => {
  it("no controller claims it or gets a permit, and nothing that frees leases frees it", async () => {
    const hostId = await host();
    await fixture.query(
      'UPDATE host_run SET command = \'{"kind":"none"}\', command_epoch = 1 WHERE host_id = $1',
      [hostId],
    );
    const told = await take(hostId, tokens.fixit, { ticket: "RMA-1" });
    const lease = String(told.body?.["lease"]);
    const leased = {
      outside_lease: lease,
      lease_owner: lease,
      held: true,
      allocatable: false,
      touched: true,
      command: null,
    };
    expect(await runOf(hostId)).toMatchObject(leased);
    expect(await claimed(hostId)).toBe(0);
    await sweepLeases(fixture.pool);
    await takeOverDead(fixture.pool);
    const controller = randomUUID();
    await fixture.query(
      "UPDATE host_run SET lease_owner = $2, lease_until = now() + interval '1 minute', allocatable = true, touched = false, command = '{\"kind\":\"none\"}' WHERE host_id = $1",
      [hostId, controller],
    );
    expect(await runOf(hostId)).toMatchObject(leased);
    expect(await claimed(hostId, controller)).toBe(0);
    const [row] = await fixture.query<{ generation: string }>(
      "SELECT generation::text FROM host_run WHERE host_id = $1",
      [hostId],
    );
    const effectId = randomUUID();
    await fixture.query(
      "INSERT INTO effect (id, host_id, generation, kind, request, request_hash) VALUES ($1, $2, $3, 'power', '{}', '')",
      [effectId, hostId, row?.generation],
    );
    const asked = { power: true, phase: "reset", bootEpoch: null, resetMark: null, holdMs: 60_000 };
    expect(
      await permitEffects(fixture.pool, controller, [
        { ...asked, hostId, effectId, generation: row?.generation ?? "" },
      ]),
    ).toEqual(new Set());
    await expect(
      fixture.query("UPDATE host_run SET state = 'Ready' WHERE host_id = $1", [hostId]),
    ).rejects.toThrow(/changes no state/);
    await expect(
      fixture.query("INSERT INTO instance (id, name, tenant_id, host_id) VALUES ($1, 'x', $2, $3)", [
        randomUUID(),
        tenantId,
        hostId,
      ]),
    ).rejects.toThrow(/a repair system has it/);
  });

  it("no image of ours is served, and a system is told that a network boot waits", async () => {
    const { id: hostId, ...rest } = await addHost(fixture, "ReturnToAllocation/AwaitingRepair");
    await openWindow(fixture, { id: hostId, ...rest });
    await fixture.query("UPDATE host_run SET boot_held = true WHERE host_id = $1", [hostId]);
    expect((await call("POST", hostId, tokens.fixit, { body: { reason: "fans fail" } })).body).toEqual({
      hostId,
      lease: expect.any(String),
      notice: expect.stringMatching(/network boot of the machine waits/),
    });
    expect(
      await fixture.query("SELECT 1 FROM boot_window WHERE host_id = $1 AND expires_at > now()", [hostId]),
    ).toEqual([]);
  });

  it("people ask nothing of it, and are told who has it and the way on", async () => {
    const hostId = await host("Manageable");
    expect(await give(hostId, "fixit", true)).toMatchObject({ ok: true });
    expect(await provideHost(backend(), actor("operator"), request(), { hostId })).toMatchObject({
      ok: false,
      problem: {
        code: "notAllowedNow",
        detail: expect.stringMatching(/fixit has the host: .* break its lease/),
      },
    });
  });

  it("no maintenance that begins and ends lets it be allocated", async () => {
    const hostId = await readyHost();
    await report(hostId, "request-repair");
    await taken(hostId);
    await setMaintenance(backend(), actor("operator"), request(), { hostId, reason: "x" });
    await clearMaintenance(backend(), actor("operator"), request(), { hostId });
    expect(await runOf(hostId)).toMatchObject({ allocatable: false, touched: true, held: true });
  });

  it("who repairs is told that somebody else does, and not who", async () => {
    const hostId = await host();
    await report(hostId, "request-repair");
    await taken(hostId);
    const told = await getRepairHost(backend(), actor("repair-tenant-admin"), { host: hostId });
    expect(told).toMatchObject({
      ok: true,
      value: { claimWords: expect.stringMatching(/Somebody else is repairing it/) },
    });
    expect(JSON.stringify(told)).not.toContain("fixit");
  });

  it("nor afterwards: among the earlier repairs only the provider reads which system it was", async () => {
    const hostId = await host();
    await report(hostId, "request-repair");
    const lease = await taken(hostId);
    await call("PATCH", hostId, tokens.fixit, { lease, body: { note: "fixit waits for a fan" } });
    await call("DELETE", hostId, tokens.fixit, { lease });
    const again = await taken(hostId);
    await breakIt(hostId, again);
    const earlier = async (role: Role) => {
      const read = await getRepairHost(backend(), actor(role), { host: hostId });
      if (!read.ok) throw new Error(read.problem.detail);
      return read.value.earlier;
    };
    expect(await earlier("auditor")).toMatchObject([
      { id: again, by: "system", leaseEnd: "broken", note: "lease broken by provider-admin: gone" },
      { id: lease, system: "fixit", leaseEnd: "returned", note: "fixit waits for a fan" },
    ]);
    const told = await earlier("repair-tenant-admin");
    expect(told).toMatchObject([{ id: again }, { id: lease, by: "system", leaseEnd: "returned" }]);
    expect(JSON.stringify(told)).not.toMatch(/fixit|fans|gone|provider/);
  });

  it("a return says how the repair ended, and what ended counts among outcomes and repeat offenders", async () => {
    const hostId = await host();
    const again = async (body: object) => {
      await report(hostId, "request-repair");
      const lease = await taken(hostId);
      expect(await call("DELETE", hostId, tokens.fixit, { lease, body })).toMatchObject({ status: 204 });
    };
    await again({ outcome: "Completed" });
    const [row] = await fixture.query<{ labels: object }>("SELECT labels FROM host WHERE id = $1", [hostId]);
    expect(row?.labels).toMatchObject({ repair_status: "Completed" });
    await again({ outcome: "Failed", issue: { category: "Hardware", summary: "fan 2 too" } });
    const lease = await taken(hostId);
    expect((await call("DELETE", hostId, tokens.fixit, { lease, body: { outcome: "Done" } })).status).toBe(
      400,
    );
    await breakIt(hostId, lease);

    const scope = { cursor: null, limit: 100 };
    const read = async (role: Role) => {
      const [outcomes, offenders] = await Promise.all([
        listOutcomes(backend(), actor(role), scope),
        listOffenders(backend(), actor(role)),
      ]);
      if (!outcomes.ok || !offenders.ok) throw new Error("refused");
      const offends = offenders.value.rows.find((each) => each.hostId === hostId);
      return { rows: outcomes.value.rows.filter((each) => each.hostId === hostId), offends };
    };
    const seen = await read("auditor");
    expect(seen.rows).toMatchObject([
      { by: "system", system: "fixit", outcome: "none", leaseEnd: "broken", tenant: null },
      { outcome: "failed", newIssue: "fan 2 too" },
      { outcome: "completed", leaseEnd: "returned", issue: { summary: "fans fail" } },
    ]);
    expect(seen.offends?.repairs).toHaveLength(3);
    const told = await read("repair-tenant-admin");
    expect(told.rows).toEqual([]);
    expect(told.offends?.repairs).toMatchObject([{ outcome: "none" }, { outcome: "failed" }, {}]);
    expect(JSON.stringify(told)).not.toMatch(/fixit|fans|gone|fan 2/);
  });

  it("no tenant writes its labels, and its answer names nobody", async () => {
    const hostId = await host();
    await taken(hostId);
    const told = await setHostLabels(backend(), actor("repair-tenant-admin"), request(), {
      hostId,
      labels: { repair_status: "Completed" },
    });
    expect(told).toMatchObject({ ok: false, problem: { code: "notAllowedNow" } });
    expect(JSON.stringify(told)).not.toContain("fixit");
  });
});

describe("a take", () => {
  it("is refused to all but one of two at once, and does not tell who has it", async () => {
    const hostId = await host();
    const both = await Promise.all([take(hostId), take(hostId, tokens.other)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const lost = both.find(({ status }) => status === 409);
    expect(lost?.body).toMatchObject({ code: "hostNotLeasable", detail: "Somebody else has the host." });
    expect((await fixture.query("SELECT 1 FROM repair_lease WHERE host_id = $1", [hostId])).length).toBe(1);
    // The winner returns its host, so that later tests do not count it.
    const [first] = both;
    const [won, token] = first?.status === 201 ? [first, tokens.fixit] : [both[1], tokens.other];
    const lease = String(won?.body?.["lease"]);
    expect((await call("DELETE", hostId, token, { lease })).status).toBe(204);
  });

  it("and a tenant's claim at once: one has the host", async () => {
    for (let round = 0; round < 6; round += 1) {
      const hostId = await readyHost();
      await report(hostId, "request-repair");
      const [lease, instance] = await Promise.all([
        take(hostId),
        claimHost(backend(), actor("repair-tenant-admin"), request(), {
          name: `i-${randomUUID()}`,
          wanted: { hostId, allowUnhealthy: true },
        }),
      ]);
      expect([lease.status === 201, instance.ok].sort()).toEqual([false, true]);
    }
  });

  it("waits for a controller that works on the host, and for what was asked for", async () => {
    const hostId = await host();
    await fixture.query(
      "UPDATE host_run SET lease_owner = $2, lease_until = now() + interval '1 minute' WHERE host_id = $1",
      [hostId, randomUUID()],
    );
    expect(await take(hostId)).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/working on the host/) },
    });
    await fixture.query("UPDATE host_run SET lease_until = now() - interval '1 ms' WHERE host_id = $1", [
      hostId,
    ]);
    await fixture.query("INSERT INTO signal (host_id, kind) VALUES ($1, 'drivesListed')", [hostId]);
    expect((await take(hostId)).status).toBe(409);
    await fixture.query("DELETE FROM signal WHERE host_id = $1", [hostId]);
    const power = (value: string) =>
      fixture.query(
        "UPDATE host_run SET context = jsonb_set(context, '{power}', $2::jsonb) WHERE host_id = $1",
        [hostId, value],
      );
    await power("{}");
    expect((await take(hostId)).status).toBe(409);
    await power("null");
    const stop = (cause: string | null) =>
      fixture.query(
        "UPDATE database_state SET stopped_at = CASE WHEN $1::text IS NOT NULL THEN now() END, stopped_cause = $1, stopped_message = $1",
        [cause],
      );
    await stop("noMark");
    expect(await take(hostId)).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/checking the database/) },
    });
    await stop(null);
    expect((await take(hostId)).status).toBe(201);
  });

  it("reaches no host of another site, and needs a token and a reason", async () => {
    const hostId = await host();
    expect((await take(hostId, tokens.south)).body).toMatchObject({ code: "unknownHost" });
    expect((await call("POST", hostId, null, { body: { reason: "x" } })).status).toBe(401);
    expect((await call("POST", hostId, newToken(), { body: { reason: "x" } })).status).toBe(401);
    expect((await call("POST", hostId, tokens.fixit, { body: {} })).status).toBe(400);
    expect((await call("POST", hostId, tokens.fixit, { body: { reason: "a\u0000" } })).status).toBe(400);
    const south = await addHost(fixture, "ReturnToAllocation/AwaitingRepair", otherSiteId);
    expect((await take(south.id, tokens.south)).status).toBe(201);
  });

  it("shows a system its own lease, and of another's only that there is one", async () => {
    const hostId = await host();
    expect((await call("GET", hostId, tokens.fixit)).body).toMatchObject({ mayTake: true, lease: null });
    const lease = await taken(hostId);
    expect((await call("GET", hostId, tokens.fixit)).body).toMatchObject({
      lease: { id: lease, reason: "fans fail" },
      labels: { repair_status: "InProgress" },
    });
    const other = await call("GET", hostId, tokens.other);
    expect(other.body).toMatchObject({ lease: null, mayTake: false, whyNot: "Somebody else has the host." });
    expect(JSON.stringify(other.body)).not.toContain(lease);
    expect((await take(hostId)).body).toMatchObject({
      detail: expect.stringMatching(/You already have the host/),
    });
  });
});

describe("a write", () => {
  const writes = (hostId: string, lease: string | undefined, token: string, ticket: string) => [
    () =>
      call("POST", `${hostId}/tickets/${ticket}`, token, {
        ...(lease === undefined ? {} : { lease }),
        body: { note: "new fan" },
      }),
    () =>
      call("PATCH", hostId, token, { ...(lease === undefined ? {} : { lease }), body: { note: "new fan" } }),
    () =>
      call("PUT", `${hostId}/labels`, token, {
        ...(lease === undefined ? {} : { lease }),
        body: { labels: { repair_status: "Completed" } },
      }),
    () => call("DELETE", hostId, token, { ...(lease === undefined ? {} : { lease }) }),
  ];

  it("counts under the lease that is in force, and under no other; what is refused is logged", async () => {
    const hostId = await host();
    const ended = await taken(hostId);
    await call("DELETE", hostId, tokens.fixit, { lease: ended });
    const lease = await taken(hostId);
    const before = await auditCount(fixture, "lease.return");
    const { ref } = await ticketOf(hostId);
    for (const [named, token] of [
      [ended, tokens.fixit],
      [lease, tokens.other],
      [randomUUID(), tokens.fixit],
    ] as const)
      for (const write of writes(hostId, named, token, ref))
        expect(await write()).toMatchObject({ status: 409, body: { code: "leaseRefused" } });
    expect(await auditCount(fixture, "lease.return")).toBe(before + 3);
    for (const write of writes(hostId, undefined, tokens.fixit, ref))
      expect((await write()).status).toBe(400);
    expect(await runOf(hostId)).toMatchObject({ outside_lease: lease });
    for (const write of writes(hostId, lease, tokens.fixit, ref)) expect((await write()).status).toBe(204);
    expect(await runOf(hostId)).toMatchObject({ outside_lease: null });
  });

  it("late ones of a system whose lease was broken change nothing", async () => {
    const hostId = await host();
    const lease = await taken(hostId);
    const { id, ref } = await ticketOf(hostId);
    expect(await breakIt(hostId, lease)).toMatchObject({ ok: true });
    const told = await notesOf(id);
    for (const write of writes(hostId, lease, tokens.fixit, ref)) expect((await write()).status).toBe(409);
    expect(
      await fixture.query("SELECT labels ->> 'repair_status' AS said FROM host WHERE id = $1", [hostId]),
    ).toEqual([{ said: "InProgress" }]);
    expect(await notesOf(id)).toEqual(told);
  });

  it("to a ticket is of the host that is leased, is the provider's, and is told to its tenant where it says so", async () => {
    const hostId = await host();
    const lease = await taken(hostId);
    const { id, ref } = await ticketOf(hostId, tenantId);
    const other = await ticketOf(await host());
    const say = (ticket: string, body: object) =>
      call("POST", `${hostId}/tickets/${ticket}`, tokens.fixit, { lease, body });
    expect((await call("GET", hostId, tokens.fixit)).body).toMatchObject({
      tickets: [{ ref, state: "open", summary: "fans fail" }],
    });
    expect((await call("GET", hostId, tokens.other)).body).toMatchObject({ tickets: [] });
    expect(JSON.stringify((await call("GET", hostId, tokens.fixit)).body)).not.toContain("Fixers");
    expect((await say(ref, { note: "fan 1 ordered", externalRef: "RMA-4711" })).status).toBe(204);
    expect(
      (
        await say(ref.toLowerCase(), {
          note: "the part is on its way",
          audience: "shared",
          state: "waiting",
          category: "fan",
          action: "diagnosed",
        })
      ).status,
    ).toBe(204);
    expect((await notesOf(id)).slice(1)).toEqual([
      ["internal", "fan 1 ordered", "repair system fixit"],
      ["shared", "the part is on its way", "repair system fixit"],
    ]);
    expect(
      await fixture.query("SELECT state, category, action, external_ref FROM ticket WHERE id = $1", [id]),
    ).toEqual([{ state: "waiting", category: "fan", action: "diagnosed", external_ref: "RMA-4711" }]);
    expect((await say(other.ref, { note: "x" })).status).toBe(404);
    expect(await notesOf(other.id)).toHaveLength(1);
    expect((await say(ref, {})).status).toBe(400);
    expect((await say(ref, { state: "closed" })).status).toBe(400);
    expect((await say(ref, { replacementWanted: true })).status).toBe(400);
    const mine = await ticketOf(hostId);
    expect((await say(mine.ref, { note: "x", audience: "shared" })).status).toBe(400);
    await fixture.query(
      "UPDATE ticket SET state = 'closed', outcome = 'noFault', closed_at = now() WHERE id = $1",
      [id],
    );
    expect(await say(ref, { note: "late" })).toMatchObject({ status: 409, body: { code: "notAllowedNow" } });
  });
});

describe("a return", () => {
  it("gives the host back to the controller, to be checked again, and drops what was asked meanwhile", async () => {
    const hostId = await host();
    const lease = await taken(hostId);
    const requestId = randomUUID();
    await fixture.query(
      `INSERT INTO signal (host_id, kind, payload) VALUES ($1, 'reboot', jsonb_build_object('by', jsonb_build_object('requestId', $2::text)))`,
      [hostId, requestId],
    );
    expect((await call("DELETE", hostId, tokens.fixit, { lease })).status).toBe(204);
    expect(await runOf(hostId)).toMatchObject({
      outside_lease: null,
      lease_owner: null,
      touched: true,
      allocatable: false,
      due: true,
    });
    expect(await fixture.query("SELECT 1 FROM signal WHERE host_id = $1", [hostId])).toEqual([]);
    expect(
      await fixture.query("SELECT intent FROM intent_refusal WHERE request_id = $1", [requestId]),
    ).toEqual([{ intent: "reboot" }]);
    expect(await claimed(hostId)).toBe(1);
  });

  it.each([
    ["Completed", [], null],
    ["Failed", ["TenantReportedIssue"], "RepairSystem processing incomplete"],
  ])("ends the repair as a repair tenant's release does: %s", async (outcome, alerts, summary) => {
    const hostId = await host();
    await report(hostId, "request-repair");
    await report(hostId, "tenant-reported-issue");
    const lease = await taken(hostId);
    await call("PUT", `${hostId}/labels`, tokens.fixit, {
      lease,
      body: { labels: { repair_status: outcome } },
    });
    expect((await call("DELETE", hostId, tokens.fixit, { lease })).status).toBe(204);
    const rows = await fixture.query<{ id: string; message: string }>(
      "SELECT a ->> 'id' AS id, a ->> 'message' AS message FROM health_report, jsonb_array_elements(body -> 'alerts') a WHERE host_id = $1",
      [hostId],
    );
    expect(rows.map(({ id }) => id)).toEqual(alerts);
    if (summary !== null) expect(rows[0]?.message).toContain(summary);
  });

  it.each([
    ["a return", "completed", "repaired"],
    ["a return", "not completed", "waiting"],
    ["a break", "not completed", "waiting"],
  ])("tells the host's tickets: %s, %s", async (how, end, state) => {
    const hostId = await host();
    await fixture.query(
      `INSERT INTO ticket (id, ref, host_id, host_name, host_serial, site_id, origin, category, summary, opened_as, opened_by)
        SELECT gen_random_uuid(), 'BF-' || left(h.id::text, 8), h.id, h.name, h.serial, h.site_id, 'release', 'fan', 'fans fail', 'provider', 'test' FROM host h WHERE h.id = $1`,
      [hostId],
    );
    const stands = async () => {
      const [ticket] = await fixture.query("SELECT state, outcome FROM ticket WHERE host_id = $1", [hostId]);
      return ticket;
    };
    const lease = await taken(hostId);
    expect(await stands()).toMatchObject({ state: "inProgress" });
    const labels = { repair_status: end === "completed" ? "Completed" : "Failed" };
    await call("PUT", `${hostId}/labels`, tokens.fixit, { lease, body: { labels } });
    if (how === "a break") expect(await breakIt(hostId, lease)).toMatchObject({ ok: true });
    else await call("DELETE", hostId, tokens.fixit, { lease });
    expect(await stands()).toMatchObject({ state });
  });

  it("and a break at once: one ends the lease, and the other is told", async () => {
    const hostId = await host();
    const lease = await taken(hostId);
    const [returned, broken] = await Promise.all([
      call("DELETE", hostId, tokens.fixit, { lease }),
      breakIt(hostId, lease),
    ]);
    expect([returned.status === 204, broken.ok].sort()).toEqual([false, true]);
    const [row] = await fixture.query("SELECT how FROM repair_lease WHERE id = $1", [lease]);
    expect(row).toEqual({ how: broken.ok ? "broken" : "returned" });
  });
});

describe("people", () => {
  it("hand over only within the site, and drives that may hold data only when they say so", async () => {
    const hostId = await host("Manageable");
    expect(await give(hostId)).toMatchObject({
      ok: false,
      problem: { detail: expect.stringMatching(/tenant's data/) },
    });
    expect(await give(hostId, "south", true)).toMatchObject({ ok: false, problem: { field: "system" } });
    expect(await give(hostId, "nobody", true)).toMatchObject({ ok: false, problem: { code: "notFound" } });
    expect(await give(hostId, "fixit", true)).toMatchObject({ ok: true });
  });

  it("see who has it and had it; only a provider admin breaks, and only the lease that was seen", async () => {
    const hostId = await host();
    const lease = await taken(hostId);
    await call("PATCH", hostId, tokens.fixit, {
      lease,
      body: { note: "waiting for a fan", until: "2020-01-01T00:00:00Z" },
    });
    const seen = await getLeases(backend(), actor("operator"), { hostId });
    expect(seen).toMatchObject({
      ok: true,
      value: {
        owner: "repair-system",
        lease: { id: lease, state: "overdue", note: "waiting for a fan" },
        mayBreak: false,
      },
    });
    for (const owner of ["repair-system", "overdue", "reclaim", "tenant"]) {
      const found = await listHosts(backend(), actor("operator"), {
        filter: `owner:${owner}`,
        sort: "name",
        descending: false,
        cursor: null,
        limit: 100,
      });
      if (!found.ok) throw new Error(found.problem.detail);
      expect(found.value.rows.some((row) => row.hostId === hostId)).toBe(
        ["repair-system", "overdue"].includes(owner),
      );
    }
    expect(await fleetSummary(backend(), actor("operator"), { hours: 24 })).toMatchObject({
      value: { leasesOverdue: { count: 1, filter: "owner:overdue" } },
    });
    const metrics = await (await fetch(`${fixture.url}/metrics`)).text();
    expect(metrics).toMatch(/reclaim_repair_leases_overdue\{site="north"\} 1/);
    expect(await breakIt(hostId, lease, "operator")).toMatchObject({
      ok: false,
      problem: { code: "forbidden" },
    });
    expect(await breakIt(hostId, randomUUID())).toMatchObject({ ok: false, problem: { code: "conflict" } });
    expect(await breakIt(hostId, lease)).toMatchObject({ ok: true });
    expect(await getLeases(backend(), actor("auditor"), { hostId })).toMatchObject({
      value: {
        owner: "reclaim",
        lease: null,
        earlier: [{ id: lease, how: "broken", endedReason: "gone" }],
        mayGive: false,
        systems: [],
      },
    });
    expect(await getLeases(backend(), actor("repair-tenant-admin"), { hostId })).toMatchObject({ ok: false });
  });

  it("remove no system that has a host, and replace its token", async () => {
    const hostId = await host();
    const lease = await taken(hostId, tokens.other);
    const admin = actor("provider-admin");
    expect(await listSystems(backend(), admin)).toMatchObject({
      value: expect.arrayContaining([expect.objectContaining({ name: "other", hosts: 1, overdue: 0 })]),
    });
    expect(await removeSystem(backend(), admin, request(), { name: "other" })).toMatchObject({ ok: false });
    const renewed = await renewSystem(backend(), admin, request(), { name: "other" });
    if (!renewed.ok) throw new Error(renewed.problem.detail);
    expect((await call("DELETE", hostId, tokens.other, { lease })).status).toBe(401);
    expect((await call("DELETE", hostId, renewed.value.token, { lease })).status).toBe(204);
    expect(await removeSystem(backend(), admin, request(), { name: "other" })).toMatchObject({ ok: true });
  });
});
