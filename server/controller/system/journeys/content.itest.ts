// Unordered writes on the simulated fleet, between erase and final boot and during maintenance: none gets past the content fingerprint.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "@/server/db/secrets/passwords";
import { testProcedure } from "@/server/domain/assurance/procedures/testing/procedures";
import { tokenHash } from "@/server/domain/access/tokens";
import { assign, claim, onboard, perform, release } from "@/server/testing/acts";
import type { Machine } from "@/server/testing/fleet-control";
import { hostRow, waitForState } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { recordProcedure } from "@/server/usecases/assurance/record-procedure";
import { giveLease } from "@/server/usecases/repair/leases/host-leases";
import { returnHost } from "@/server/usecases/repair/leases/outside";
import { clearMaintenance } from "@/server/usecases/hosts/maintenance/clear-maintenance";
import { confirmUntouched } from "@/server/usecases/hosts/maintenance/confirm-untouched";
import { restartReclamation } from "@/server/usecases/hosts/acts/restart-reclamation";
import { retryReclamation } from "@/server/usecases/hosts/acts/retry-reclamation";
import { setMaintenance } from "@/server/usecases/hosts/maintenance/set-maintenance";

let stack: Stack;
const ids = new Map<string, string>();
beforeAll(async () => {
  // Slow enough to catch a host between two of its states.
  stack = await startStack({ hosts: 4, speed: 150, readyWatchMs: 3_000 });
  await stack.pool.query(
    `UPDATE site_policy SET body = jsonb_set(body, '{sanitization,canariesPerDevice}', '8')`,
  );
  const hostIds = await onboard(stack, stack.machines);
  stack.machines.forEach(({ serial }, index) => ids.set(serial, hostIds[index] ?? ""));
});
afterAll(() => stack?.stop());

function hostOf(index: number): {
  machine: Machine;
  hostId: string;
  drive: string;
  erases: () => Promise<number>;
} {
  const machine = stack.machines[index];
  const drive = machine?.drives[0]?.serial;
  if (machine === undefined || drive === undefined) throw new Error(`no machine ${index} with a drive`);
  const erases = async () =>
    (await stack.fleet.machine(machine.serial)).drives.reduce(
      (sum, { acceptedErases }) => sum + acceptedErases,
      0,
    );
  return { machine, hostId: ids.get(machine.serial) ?? "", drive, erases };
}

it("each host that became Ready has its statement, written by that very commit", async () => {
  const { rows } = await stack.pool.query<{ type: string | null; same: boolean; statement: string }>(
    `SELECT k.type, k.made_at = c.ended_at AS same, k.statement FROM reclamation c LEFT JOIN certificate k ON k.reclamation_id = c.id AND k.kind = 'certificate'
     WHERE c.outcome = 'ready'`,
  );
  expect(rows.map(({ type, same }) => ({ type, same }))).toEqual(
    stack.machines.map(() => ({ type: "demo", same: true })),
  );
  for (const { statement } of rows) {
    const { certificate, missing, devices } = JSON.parse(statement).predicate;
    expect({ certificate, missing }).toMatchObject({ certificate: { atTheEnd: true }, missing: [] });
    expect(devices[0]).toMatchObject({ manufacturer: expect.stringMatching(/./) });
  }
});

it("a drive that is written to between its erase and the final boot stops the host by name and place; retry erases again", async () => {
  const { machine, hostId, drive, erases } = hostOf(0);
  const [instance = ""] = await assign(stack, [hostId]);
  await release(stack, [instance]);
  await waitForState(stack, hostId, "BomValidating/BootingAgent");
  await stack.fleet.write(machine.serial, drive, 0);
  await waitForState(stack, hostId, "Failed/ContentChanged");
  const stopped = await hostRow(stack, hostId);
  expect(stopped.last_error).toMatch(
    new RegExp(
      `^the boot record.* of drive ${drive} changed between its erase and the final boot\\. Retry erases every drive again`,
    ),
  );
  expect(stopped.allocatable).toBe(false);
  const before = await erases();
  await perform(stack, "operator", retryReclamation, { hostId });
  await waitForState(stack, hostId, "Ready");
  expect(await erases()).toBeGreaterThan(before);
  const { rows } = await stack.pool.query<{ reason: string }>(
    "SELECT reason FROM gate g JOIN host_run r ON r.reclamation_id = g.reclamation_id WHERE r.host_id = $1 AND gate = 'storageSanitized'",
    [hostId],
  );
  expect(rows[0]?.reason).toMatch(/content of \d+ unchanged in the final boot/);
});

it("each erase was probed, and the final boot found no canary", async () => {
  const { rows } = await stack.pool.query<{
    drives: number;
    places: number;
    remnants: number;
    seeded: number;
  }>(
    `SELECT count(*)::int AS drives, sum(places)::int AS places, sum(remnants)::int AS remnants,
      (SELECT count(*)::int FROM device_result WHERE report ? 'probe') AS seeded FROM drive_probe`,
  );
  const [probed] = rows;
  expect(probed?.drives).toBeGreaterThanOrEqual(stack.machines.flatMap(({ drives }) => drives).length);
  expect(probed?.seeded).toBeGreaterThanOrEqual(probed?.drives ?? 0);
  expect(probed).toMatchObject({ places: (probed?.drives ?? 0) * 8, remnants: 0 });
});

it("the secret is of one plan, and nothing that agents said repeats it", async () => {
  const { rows } = await stack.pool.query<{ secret: string }>(
    "SELECT content->>'secret' AS secret FROM reclamation WHERE content IS NOT NULL",
  );
  const secrets = rows.map(({ secret }) => secret);
  expect(new Set(secrets).size).toBe(secrets.length);
  const like = secrets.map((secret) => `%${secret}%`);
  const { rows: said } = await stack.pool.query<{ count: string }>(
    `SELECT (SELECT count(*) FROM agent_log WHERE text LIKE ANY($1::text[])) + (SELECT count(*) FROM step_attempt WHERE concat(report, journal, progress) LIKE ANY($1::text[])) + (SELECT count(*) FROM audit_event WHERE concat(before, after) LIKE ANY($1::text[])) AS count`,
    [like],
  );
  expect(Number(said[0]?.count)).toBe(0);
});

it("a Ready host that was in maintenance is checked, not cleaned, before it is allocated again", async () => {
  const { hostId, erases } = hostOf(1);
  const before = await erases();
  await perform(stack, "operator", setMaintenance, { hostId, reason: "fan" });
  await perform(stack, "operator", clearMaintenance, { hostId });
  expect((await hostRow(stack, hostId)).allocatable).toBe(false);
  await until("the host to be allocatable again", 60_000, async () => {
    const { allocatable, state } = await hostRow(stack, hostId);
    return allocatable || `in ${state}`;
  });
  const { rows } = await stack.pool.query<{ kind: string; outcome: string }>(
    "SELECT kind, outcome FROM reclamation WHERE host_id = $1 ORDER BY started_at DESC LIMIT 1",
    [hostId],
  );
  expect([rows[0], await erases()]).toEqual([{ kind: "recheck", outcome: "ready" }, before]);
});

it("one whose drive was written to in maintenance is not, until it was erased", { tags: "all" }, async () => {
  const { machine, hostId, drive } = hostOf(1);
  await perform(stack, "operator", setMaintenance, { hostId, reason: "fan" });
  await stack.fleet.write(machine.serial, drive, 1);
  await perform(stack, "operator", clearMaintenance, { hostId });
  await waitForState(stack, hostId, "Failed/ContentChanged");
  expect((await hostRow(stack, hostId)).last_error).toMatch(
    new RegExp(`the partition table.* of drive ${drive} changed since the host became Ready`),
  );
  await perform(stack, "operator", retryReclamation, { hostId });
  await waitForState(stack, hostId, "Ready");
});

it(
  "the statement of another person than who set maintenance lets it in at once",
  { tags: "all" },
  async () => {
    const { hostId } = hostOf(2);
    await perform(stack, "operator", setMaintenance, { hostId, reason: "wrong host" });
    const { boot_epoch: epoch } = await hostRow(stack, hostId);
    const says = { hostId, reason: "it was another host" };
    await expect(perform(stack, "operator", confirmUntouched, says)).rejects.toThrow(/another person/i);
    await perform(stack, "provider-admin", confirmUntouched, says);
    expect(await hostRow(stack, hostId)).toMatchObject({
      state: "Ready",
      allocatable: true,
      boot_epoch: epoch,
    });
  },
);

it(
  "a host that a repair system had gets nothing from Reclaim meanwhile, is read again, and what was written to its drives stops it",
  { tags: "all" },
  async () => {
    const { machine, hostId, drive } = hostOf(1);
    const { database } = stack.world.backend;
    const id = randomUUID();
    await database.repairSystem.create({
      data: { id, name: "fixit", hash: tokenHash("fixit"), createdBy: "test" },
    });
    const handOver = async () => {
      const { id: lease } = await until("the hand-over", 20_000, async () => {
        const given = await giveLease(
          stack.world.backend,
          stack.world.actor("operator"),
          stack.world.request(),
          {
            hostId,
            system: "fixit",
            reason: "fan",
          },
        );
        return given.ok ? given.value : given.problem.detail;
      });
      return lease;
    };
    const giveBack = (leaseId: string) =>
      returnHost(database, {
        system: { id, name: "fixit", siteId: null },
        by: stack.world.request(),
        hostId,
        leaseId,
        outcome: null,
        issue: null,
      });
    const effects = () => database.effect.count({ where: { hostId } });
    const lease = await handOver();
    const before = [await effects(), (await hostRow(stack, hostId)).generation];
    // Makes the host due, as a signal would; the controller leaves it alone.
    await stack.pool.query("UPDATE host_run SET due_at = now() WHERE host_id = $1", [hostId]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([await effects(), (await hostRow(stack, hostId)).generation]).toEqual(before);
    expect(await giveBack(lease)).toMatchObject({ ok: true });
    await until("the host to be allocatable again", 60_000, async () => {
      const { allocatable, state } = await hostRow(stack, hostId);
      return allocatable || `in ${state}`;
    });
    const again = await handOver();
    await stack.fleet.write(machine.serial, drive, 0);
    expect(await giveBack(again)).toMatchObject({ ok: true });
    await waitForState(stack, hostId, "Failed/ContentChanged");
  },
);

it(
  "a procedure holds a clean host until another person signs it off; then it is read again",
  { tags: "all" },
  async () => {
    const { machine, hostId } = hostOf(0);
    const { backend } = stack.world;
    const procedures = (list: readonly object[]) =>
      stack.pool.query("UPDATE site_policy SET body = jsonb_set(body, '{procedures}', $1)", [
        JSON.stringify(list),
      ]);
    const password = "fourteen gates";
    await backend.database.person.updateMany({ data: { passwordHash: await hashPassword(password) } });
    await procedures([testProcedure()]);
    const [instance = ""] = await assign(stack, [hostId]);
    await release(stack, [instance]);
    await waitForState(stack, hostId, "ReturnToAllocation/AwaitingProcedure");
    const now = new Date();
    const serial = (await backend.database.host.findUniqueOrThrow({ where: { id: hostId } })).serial ?? "";
    expect(serial).toBe(machine.serial);
    await perform(stack, "operator", recordProcedure, {
      hosts: [{ hostId, serial }],
      procedure: "full-ac-drain",
      version: 1,
      doneFrom: now,
      doneUntil: now,
      answers: [true, "14"],
    });
    await waitForState(stack, hostId, "ReturnToAllocation/AwaitingSignOff");
    const { id, evidence } = await backend.database.approval.findFirstOrThrow({ where: { hostId } });
    const sign = (role: "operator" | "provider-admin") =>
      decideApprovals(backend, stack.world.actor(role), stack.world.request(), {
        approvals: [{ id, evidence }],
        decision: "approved",
        password,
      });
    expect(await sign("operator")).toMatchObject({ ok: false, problem: { code: "forbidden" } });
    const boots = (await hostRow(stack, hostId)).boot_epoch;
    expect(await sign("provider-admin")).toMatchObject({ ok: true });
    await procedures([]);
    await waitForState(stack, hostId, "Ready");
    expect((await hostRow(stack, hostId)).boot_epoch).toBeGreaterThan(boots);
    const { rows } = await stack.pool.query<{ status: string; reason: string }>(
      "SELECT g.status, g.reason FROM gate g JOIN host_run r ON r.reclamation_id = g.reclamation_id WHERE r.host_id = $1 AND gate = 'assuranceSigned'",
      [hostId],
    );
    expect(rows).toMatchObject([
      { status: "satisfied", reason: expect.stringContaining("full-ac-drain signed off by") },
    ]);
  },
);

/** Becomes Ready, and its agent's restart was seen. Takes what is left of an earlier test with it. */
async function watched(hostId: string): Promise<void> {
  await until("the host to be compared with what was proven", 60_000, async () => {
    const { rows } = await stack.pool.query<{ fine: boolean; failure: string | null }>(
      `SELECT r.state = 'Ready' AND r.allocatable AND w.reclamation_id = r.reclamation_id AND w.failure IS NULL
         AND w.reading ->> 'resetMark' IS DISTINCT FROM r.context ->> 'resetMark' AS fine, w.failure
       FROM host_run r LEFT JOIN ready_watch w ON w.host_id = r.host_id WHERE r.host_id = $1`,
      [hostId],
    );
    const { state, wait_reason: waits } = await hostRow(stack, hostId);
    return rows[0]?.fine === true || `${state} (${waits ?? ""}), ${rows[0]?.failure ?? "no failure"}`;
  });
}

/** Why it left Ready last. */
async function leftReadyBecause(hostId: string): Promise<string> {
  const { rows } = await stack.pool.query<{ reason: string }>(
    `SELECT n.reason FROM state_history h JOIN state_history n ON n.host_id = h.host_id AND n.version = h.version + 1
     WHERE h.host_id = $1 AND h.state = 'Ready' ORDER BY h.version DESC LIMIT 1`,
    [hostId],
  );
  return rows[0]?.reason ?? "it did not";
}

/** A Ready host that changed is a security event, whether it was found while it waited or at its hand-over. */
async function changeTold(hostId: string, path: string): Promise<void> {
  await until("the security event", 10_000, async () => {
    const { rowCount } = await stack.pool.query(
      "SELECT 1 FROM security_event WHERE kind = 'readyChanged' AND host_id = $1 AND $2 = ANY(paths)",
      [hostId, path],
    );
    return rowCount === 1 || "there is none";
  });
}

/** A machine whose BMC reports resets: the captured Lenovo does not. */
function watchedHost(): ReturnType<typeof hostOf> {
  const index = stack.machines.findIndex(({ vendor }) => vendor !== "lenovo");
  return hostOf(index);
}

it("data that is written to a Ready host by a system that was booted reaches no tenant: the reset ends the proof", async () => {
  const { machine, hostId, drive } = watchedHost();
  if ((await hostRow(stack, hostId)).state !== "Ready")
    await perform(stack, "operator", retryReclamation, { hostId });
  await watched(hostId);
  await stack.fleet.bootAndWrite(machine.serial, drive, 0);
  await waitForState(stack, hostId, "Failed/ContentChanged");
  expect(await leftReadyBecause(hostId)).toMatch(
    /^it changed while it waited: the time of its last reset moved to .*; the host is checked again$/,
  );
  await changeTold(hostId, "while it waited");
  await perform(stack, "operator", retryReclamation, { hostId });
  await watched(hostId);
});

it(
  "a BMC that falls silent ends Ready, and leaves no event of a changed host, because nothing shows a change",
  { tags: "all" },
  async () => {
    const { machine, hostId } = hostOf(stack.machines.findLastIndex(({ vendor }) => vendor !== "lenovo"));
    expect(hostId).not.toBe(watchedHost().hostId);
    const events = async () =>
      (
        await stack.pool.query(
          "SELECT paths, count FROM security_event WHERE host_id = $1 AND kind = 'readyChanged'",
          [hostId],
        )
      ).rows;
    await watched(hostId);
    const before = await events();
    await stack.fleet.fault(machine.serial, { bmc: { mode: "error5xx" } });
    await until("Ready to end", 60_000, async () => {
      const { state } = await hostRow(stack, hostId);
      return state !== "Ready" || "it is still Ready";
    });
    expect(await leftReadyBecause(hostId)).toMatch(
      /^nothing was read while it waited that is as it was proven: /,
    );
    await stack.fleet.fault(machine.serial, { bmc: null });
    await watched(hostId);
    expect(await events()).toEqual(before);
  },
);

it("a drive that another host owes ends Ready and stops the gates, until it is erased here", async () => {
  const { hostId, drive } = watchedHost();
  await watched(hostId);
  await stack.pool.query(
    "INSERT INTO debt (id, chassis_serial, drive_serials) VALUES (gen_random_uuid(), 'ELSEWHERE', ARRAY[$1])",
    [drive],
  );
  await waitForState(stack, hostId, "Failed/GateUnsatisfied");
  expect(await leftReadyBecause(hostId)).toMatch(/ is owed a sanitization by the host with serial ELSEWHERE/);
  const { rows } = await stack.pool.query<{ reason: string }>(
    "SELECT g.reason FROM gate g JOIN host_run r ON r.reclamation_id = g.reclamation_id WHERE r.host_id = $1 AND gate = 'inventoryMatches'",
    [hostId],
  );
  expect(rows[0]?.reason).toContain(
    `drive ${drive} is owed a sanitization by the host with serial ELSEWHERE: restart the plan`,
  );
  await perform(stack, "operator", restartReclamation, { hostId });
  await watched(hostId);
  const open = await stack.pool.query(
    "SELECT 1 FROM debt WHERE chassis_serial = 'ELSEWHERE' AND cleared_at IS NULL",
  );
  expect(open.rowCount).toBe(1);
});

it("a host is compared once more before its tenant's network is requested: one with a swapped drive is taken back", async () => {
  const { machine, hostId, drive } = watchedHost();
  await stack.fleet.fault(machine.serial, { bmc: { mode: "error5xx" } });
  const [instance = ""] = await claim(stack, [hostId]);
  await stack.fleet.fault(machine.serial, { drives: { [drive]: { replace: true } }, bmc: null });
  await until("the instance to end", 60_000, async () => {
    const { rows } = await stack.pool.query<{ ended_at: Date | null }>(
      "SELECT ended_at FROM instance WHERE id = $1",
      [instance],
    );
    return rows[0]?.ended_at != null || "it goes on";
  });
  expect(await leftReadyBecause(hostId)).toMatch(
    /^it was not handed over: its BMC lists drive .*no longer lists drive /,
  );
  await changeTold(hostId, "at its hand-over");
  const { rows } = await stack.pool.query<{ said: string; networks: number }>(
    `SELECT (SELECT string_agg(status || ': ' || message, '; ' ORDER BY id) FROM instance_status_history WHERE instance_id = $1) AS said,
      (SELECT count(*)::int FROM effect WHERE host_id = $2 AND kind = 'network' AND request ->> 'tenant' IS NOT NULL AND created_at > (SELECT created_at FROM instance WHERE id = $1)) AS networks`,
    [instance, hostId],
  );
  expect(rows[0]).toEqual({
    said: expect.stringMatching(/Error: The host did not pass the check/),
    networks: 0,
  });
});
