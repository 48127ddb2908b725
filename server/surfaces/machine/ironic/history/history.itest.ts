// History in the Ironic API over real HTTP: a row per step, state and verb, stable names, pages; and the steps that a host can run.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { ironicCaller } from "@/server/surfaces/machine/ironic/testing/ironic-caller";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { send, type Answer } from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, addPerson, type TestHost } from "@/server/surfaces/machine/testing/machine-rows";
import { inventoryOf } from "@/server/surfaces/machine/testing/agent-session";

const fixture = machineServer();
const ironic = ironicCaller(fixture, "operator");

const get = (path: string, minor?: number) => ironic.get(`/v1/nodes/${path}`, minor);
const line = z.looseObject({
  uuid: z.guid(),
  created_at: z.string(),
  severity: z.enum(["ERROR", "INFO"]),
  event: z.string(),
});
const linesOf = (answer: Answer) =>
  z.looseObject({ history: z.array(line), next: z.string().optional() }).parse(answer.body);

const longMessage = "x".repeat(400);

/** A host with two states, a step that failed in its second attempt, one that is running, one that is planned, and a person's act. */
async function hostWithHistory(): Promise<TestHost & { readonly stepId: string }> {
  const host = await addHost(fixture, "Enroll");
  const [reclamationId, stepId] = [randomUUID(), randomUUID()];
  await fixture.query(
    "INSERT INTO reclamation (id, host_id, host_serial, kind, policy_version, policy) VALUES ($1, $2, $3, 'onboarding', 1, $4)",
    [reclamationId, host.id, host.serial, JSON.stringify(defaultPolicy())],
  );
  await fixture.query(
    "INSERT INTO state_history (host_id, version, state, reason, generation, at) VALUES ($1, 2, 'Manageable', 'read from the BMC', 1, '2026-11-01T10:00:00Z'), ($1, 3, 'Failed/NVMECleanFailed', $2, 1, '2026-11-01T10:10:00Z')",
    [host.id, longMessage],
  );
  const step = (id: string, position: number, name: string, status: string, times: string) =>
    fixture.query(
      `INSERT INTO step_run (id, reclamation_id, host_id, plan_epoch, position, interface, step, "where", priority, priority_source, proves, status, attempt, max_attempts, message, started_at, ended_at)
     VALUES ($1, $2, $3, 1, $4, 'deploy', $5, 'agent', 90, 'default', '{}', $6, 2, 2, 'drive 3 answered no', ${times})`,
      [id, reclamationId, host.id, position, name, status],
    );
  await step(stepId, 1, "erase_nvme", "failed", "'2026-11-01T10:01:00Z', '2026-11-01T10:09:30.5Z'");
  await step(randomUUID(), 2, "erase_disks", "planned", "NULL, NULL");
  await fixture.query(
    "INSERT INTO audit_event (id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, outcome) VALUES ($1, '2026-11-01T10:00:30Z', 'person', $2, 'Ola', 'host.provide', 'host', $3, 'done'), ($4, '2026-11-01T10:00:31Z', 'person', $2, 'Ola', 'host.provide', 'host', $3, 'refused')",
    [randomUUID(), ironic.personId(), host.id, randomUUID()],
  );
  return { ...host, stepId };
}

describe("history", () => {
  it("has a row for each state, step that began, and verb, oldest first", async () => {
    const host = await hostWithHistory();
    const { history, next } = linesOf(await get(`${host.id}/history`));
    expect(next).toBeUndefined();
    expect(history.map(({ created_at: at, severity, event }) => [at, severity, event.slice(0, 60)])).toEqual([
      ["2026-11-01T10:00:00.000+00:00", "INFO", "Entered Manageable: read from the BMC"],
      ["2026-11-01T10:00:30.000+00:00", "INFO", "host.provide requested by Ola"],
      [
        "2026-11-01T10:01:00.000+00:00",
        "ERROR",
        "Clean step deploy.erase_nvme failed after 510.5 s in attempt",
      ],
      ["2026-11-01T10:10:00.000+00:00", "ERROR", `Entered Failed/NVMECleanFailed: ${"x".repeat(28)}`],
    ]);
    expect(history[2]).toMatchObject({
      uuid: host.stepId,
      event: expect.stringContaining("in attempt 2: drive 3 answered no"),
      links: [
        { rel: "self", href: `http://reclaim.test/v1/nodes/${host.id}/history/${host.stepId}` },
        { rel: "bookmark" },
      ],
    });
    expect(Object.keys(history[0] ?? {}).sort()).toEqual([
      "created_at",
      "event",
      "links",
      "severity",
      "uuid",
    ]);
    // Long texts are truncated in lists only.
    expect(history[3]?.event).toHaveLength(254);
    expect((await get(`${host.id}/history/${history[3]?.uuid ?? ""}`)).body.event).toBe(
      `Entered Failed/NVMECleanFailed: ${longMessage}`,
    );
  });

  it("in detail also says type, conductor and user; at the client's own address, too", async () => {
    const host = await hostWithHistory();
    const detailed = await get(`${host.id}/history?detail=true`);
    expect(linesOf(detailed).history).toMatchObject([
      { event_type: "provisioning", conductor: null, user: null },
      { event_type: "provisioning", user: ironic.personId() },
      { event_type: "cleaning" },
      { event_type: "cleaning" },
    ]);
    expect((await get(`${host.id}/history/detail`)).body).toEqual(detailed.body);
  });

  it("names its rows for ever, and finds them by it", async () => {
    const host = await hostWithHistory();
    for (const { uuid, created_at: at } of linesOf(await get(`${host.id}/history`)).history) {
      expect((await get(`${host.id}/history/${uuid.toUpperCase()}`)).body).toMatchObject({
        uuid,
        created_at: at,
        event_type: expect.any(String),
      });
    }
    const other = await addHost(fixture, "Enroll");
    for (const path of [
      `${other.id}/history/${host.stepId}`,
      `${host.id}/history/${randomUUID()}`,
      `${host.id}/history/none`,
      `${randomUUID()}/history`,
    ])
      expect((await get(path)).status, path).toBe(404);
  });

  it("comes in pages, in either direction, and each row once", async () => {
    const host = await hostWithHistory();
    for (const sort of ["", "&sort_dir=desc", "&sort_key=severity", "&sort_key=uuid&sort_dir=desc"]) {
      const all = linesOf(await get(`${host.id}/history?${sort.slice(1)}`)).history;
      const found = [];
      let path: string | undefined = `${host.id}/history?limit=1${sort}`;
      while (path !== undefined) {
        const { history, next } = linesOf(await get(path));
        found.push(...history);
        path = next?.replace("http://reclaim.test/v1/nodes/", "");
      }
      expect(found, sort).toEqual(all);
      expect(found).toHaveLength(4);
    }
  });

  it("of more than 300 rows is whole", async () => {
    const host = await addHost(fixture, "Enroll");
    await fixture.query(
      "INSERT INTO state_history (host_id, version, state, generation) SELECT $1, g, 'Manageable', 1 FROM generate_series(2, 1101) g",
      [host.id],
    );
    const first = linesOf(await get(`${host.id}/history`));
    expect(first.history).toHaveLength(1000);
    expect(
      linesOf(await get((first.next ?? "").replace("http://reclaim.test/v1/nodes/", ""))).history,
    ).toHaveLength(100);
  });

  it.each([
    ["limit=0", 400],
    ["limit=x", 400],
    ["marker=x", 400],
    [`marker=${randomUUID()}`, 404],
    ["sort_key=event", 400],
    ["sort_dir=up", 400],
    ["detail=maybe", 400],
    ["colour=red", 400],
  ])("%s is %i", async (query, status) => {
    const host = await addHost(fixture, "Enroll");
    expect((await get(`${host.id}/history?${query}`)).status).toBe(status);
  });

  it("is not there before 1.78, nor for a tenant", async () => {
    const host = await addHost(fixture, "Enroll");
    expect((await get(`${host.id}/history`, 77)).status).toBe(404);
    const tenant = await addPerson(fixture, "tenant-admin", "acme");
    expect(
      (
        await send(fixture, "GET", `/v1/nodes/${host.id}/history`, {
          token: tenant.token,
          headers: { "x-openstack-ironic-api-version": "1.112" },
        })
      ).status,
    ).toBe(403);
  });
});

describe("the clean steps of a host", () => {
  const step = z.strictObject({
    interface: z.string(),
    step: z.string(),
    priority: z.number(),
    abortable: z.boolean(),
    args: z.array(z.strictObject({ name: z.string(), description: z.string(), required: z.boolean() })),
  });
  const stepsOf = (answer: Answer) => z.array(step).parse(JSON.parse(answer.text));

  async function knownHost(): Promise<TestHost> {
    const host = await addHost(fixture, "Manageable");
    await fixture.query("INSERT INTO host_inventory (host_id, source, body) VALUES ($1, 'agent', $2)", [
      host.id,
      inventoryOf(host),
    ]);
    return host;
  }

  it("are not known before its BMC was read, and nobody knows when they will be", async () => {
    const host = await addHost(fixture, "Enroll");
    const answer = await get(`${host.id}/cleaning/steps`);
    expect([answer.status, answer.headers.get("retry-request-after"), answer.body.message]).toEqual([
      202,
      "-1",
      expect.stringContaining(host.id),
    ]);
  });

  it("come highest priority first, with the arguments that each takes", async () => {
    const host = await knownHost();
    const steps = stepsOf(await get(`${host.id}/cleaning/steps`));
    expect(steps[0]).toEqual({
      interface: "deploy",
      step: "erase_nvme",
      priority: 90,
      abortable: false,
      args: [{ name: "devices", description: expect.any(String), required: false }],
    });
    expect(steps.map(({ priority }) => priority)).toEqual(
      steps.map(({ priority }) => priority).toSorted((a, b) => b - a),
    );
    expect(steps.find((row) => row.step === "wait")).toEqual({
      interface: "power",
      step: "wait",
      priority: 0,
      abortable: true,
      args: [{ name: "seconds", description: expect.any(String), required: true }],
    });
    // It has no disks, and steps that it has nothing for are not listed.
    expect(steps.map((row) => row.step)).not.toContain("erase_disks");
  });

  it("from a priority on, with what was set for this host", async () => {
    const host = await knownHost();
    await fixture.query(
      "INSERT INTO step_override (scope, scope_id, interface, step, priority) VALUES ('host', $1, 'deploy', 'erase_devices_metadata', 99), ('site', $2, 'deploy', 'erase_nvme', 0)",
      [host.id, fixture.siteId],
    );
    expect(
      stepsOf(await get(`${host.id}/cleaning/steps?min_priority=60`)).map((row) => [row.step, row.priority]),
    ).toEqual([
      ["erase_devices_metadata", 99],
      ["verify_mem_overwrite", 60],
    ]);
    expect(
      stepsOf(await get(`${host.id}/cleaning/steps`)).find((row) => row.step === "erase_nvme")?.priority,
    ).toBe(0);
    await fixture.query("DELETE FROM step_override WHERE scope_id = $1", [fixture.siteId]);
  });

  it.each([
    ["min_priority=x", 400],
    ["min_priority=-1", 400],
    ["min_priority=.5", 400],
    ["min_priority=89.5", 200],
    ["priority=1", 400],
  ])("%s is %i", async (query, status) => {
    const host = await knownHost();
    expect((await get(`${host.id}/cleaning/steps?${query}`)).status).toBe(status);
  });

  it("are not there before the version that brought manual cleaning", async () => {
    const host = await knownHost();
    expect((await get(`${host.id}/cleaning/steps`, 14)).status).toBe(404);
    expect((await get(`${host.id}/cleaning/steps`, 15)).status).toBe(200);
  });

  it("of no host are 404", async () =>
    expect((await get(`${randomUUID()}/cleaning/steps`)).status).toBe(404));
});
