// Enrolment on a real database: each line on its own, no password disclosed, and what a stopped host is asked again.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { queryRows } from "@/server/db/sql";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { enrolmentStages } from "@/server/domain/hosts/enrolment/progress";
import { roles } from "@/server/domain/access/roles";
import { enrolment as contract } from "@/server/contract/hosts/enrolment";
import { readLines } from "@/server/usecases/hosts/enrolment/enrolment-lines";
import { confirmCertificate } from "@/server/usecases/hosts/enrolment/confirm-certificate";
import { setBmc } from "@/server/usecases/hosts/enrolment/set-bmc";
import { getHost } from "@/server/usecases/hosts/one/get-host";
import { enroll } from "@/server/usecases/hosts/enrolment/enroll";
import { getEnrolment, listEnrolments } from "@/server/usecases/hosts/enrolment/get-enrolment";
import { retryEnrolment } from "@/server/usecases/hosts/enrolment/retry";
import { addStoppedRelease } from "@/server/usecases/testing/reclamations";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";
import { sql } from "kysely";
import { until } from "@/server/testing/until";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const operator = () => world.actor("operator");
const send = (input: object, actor = operator()) =>
  enroll(world.backend, actor, world.request(), { site: "a", ...input });
const csv = (...lines: string[]) =>
  `name,bmc_address,bmc_username,bmc_password,serial\n${lines.join("\n")}\n`;
const signalsOf = async (hostId: string | null | undefined) =>
  (
    await world.backend.database.signal.findMany({
      where: { hostId: hostId ?? "" },
      orderBy: { id: "asc" },
    })
  ).map(({ kind }) => kind);
const view = async (id: string | null, over: object = {}) => {
  const input = contract.get.input.parse({ id, ...over });
  const answer = await getEnrolment(world.backend, operator(), input);
  if (!answer.ok) throw new Error(answer.problem.detail);
  return answer.value;
};

async function enrolled(input: object) {
  const answer = await send(input);
  if (!answer.ok) throw new Error(answer.problem.detail);
  return answer.value;
}

describe("a list of hosts", () => {
  it("is enrolled line by line: one that is wrong stops no other, and no password is told anywhere", async () => {
    const planted = `planted-${randomUUID()}`;
    const text = csv(
      `one,10.1.0.1,root,${planted},SN-1`,
      `two,10.1.0.2/x,root,${planted},SN-2`,
      `three,10.1.0.3,root,${planted},`,
      `one,10.1.0.4,root,${planted},SN-4`,
    );
    const dry = await enrolled({ csv: text, dryRun: true });
    expect([dry.id, dry.enrolled, dry.refused]).toEqual([null, 2, 2]);
    expect(await world.backend.database.host.count()).toBe(0);

    const answer = await enrolled({ csv: text, fileName: "hosts.csv" });
    expect(answer).toMatchObject({ site: "a", enrolled: 2, refused: 2 });
    expect(answer.lines.map(({ line, faults }) => [line, faults.map(({ column }) => column)])).toEqual([
      [2, []],
      [3, ["bmc_address"]],
      [4, []],
      [5, ["name"]],
    ]);
    const [first, , third] = answer.lines;
    expect(await signalsOf(first?.hostId)).toEqual(["manage", "provide"]);
    expect(await signalsOf(third?.hostId)).toEqual(["manage"]);

    const shown = await view(answer.id);
    expect(shown).toMatchObject({ lines: 4, fileName: "hosts.csv", goal: "ready", over: false });
    expect(shown.counts).toMatchObject({ refused: 2, verifying: 2, stopped: 0 });
    expect((await view(answer.id, { stages: ["refused"] })).rows.map(({ line }) => line)).toEqual([3, 5]);
    const page = await view(answer.id, { limit: 3 });
    expect(page.rows).toHaveLength(3);
    expect(
      (await view(answer.id, { limit: 3, cursor: page.nextCursor })).rows.map(({ line }) => line),
    ).toEqual([5]);

    const host = await world.backend.database.host.findUniqueOrThrow({ where: { id: first?.hostId ?? "" } });
    expect(
      world.backend.secrets.open(host.bmcPassword ?? new Uint8Array(), secretPlaces.bmcPassword(host.id)),
    ).toBe(planted);
    const tables = await queryRows(
      world.backend.database,
      sql<{
        all: string;
      }>`SELECT (SELECT json_agg(a) FROM audit_event a)::text || (SELECT json_agg(l) FROM enrolment_line l)::text
        || (SELECT json_agg(h) FROM host h)::text || (SELECT json_agg(s) FROM signal s)::text AS all`,
    );
    expect(JSON.stringify([tables, dry, answer, shown])).not.toContain(planted);
  });

  it("may have 5,000 full lines", { timeout: 480_000 }, async () => {
    const lines = Array.from(
      { length: 5_000 },
      (_, n) => `many-${n},10.7.${n >> 8}.${n & 255},root,x,SN-many-${n},${randomUUID()}`,
    );
    const head = "name,bmc_address,bmc_username,bmc_password,serial,system_uuid";
    const dry = await enrolled({ csv: [head, ...lines].join("\n"), dryRun: true });
    expect([dry.enrolled, dry.refused]).toEqual([5_000, 0]);
  });

  it("knows the hosts that are enrolled, however their address was written", async () => {
    const { lines } = await enrolled({
      hosts: [{ name: "four", bmcAddress: "10.1.4.4", bmcUsername: "root", bmcPassword: "x" }],
    });
    const hostId = lines[0]?.hostId ?? "";
    await world.backend.database.host.update({
      where: { id: hostId },
      data: { bmcAddress: "https://10.1.4.4/" },
    });
    const again = await enrolled({ csv: csv("five,10.1.4.4,root,x,"), dryRun: true });
    expect(again.lines[0]?.faults).toMatchObject([
      { column: "bmc_address", message: expect.stringContaining("host four") },
    ]);
  });

  it("knows serial numbers whatever their case, and MAC addresses of hosts", async () => {
    const head = "name,bmc_address,bmc_username,bmc_password,serial,macs\n";
    const mac = "02:aa:00:00:07:01";
    const first = await enrolled({ csv: `${head}cased,10.9.0.1,root,x,Case-6,${mac}\n` });
    expect(first.refused).toBe(0);
    const again = await enrolled({ csv: `${head}cased-2,10.9.0.2,root,x,cASE-6,${mac.toUpperCase()}\n` });
    expect(again.lines[0]?.faults).toMatchObject([
      { column: "serial", message: expect.stringContaining("host cased already has this serial number") },
      { column: "macs", message: expect.stringContaining("host cased already has this MAC address") },
    ]);
  });

  it("knows names of a host that a person confirmed", async () => {
    const hostId = await world.host("renamed");
    const mark = { confirmedAt: new Date(), confirmedBy: "op", reason: "BIOS 2.4" };
    const uuid = "11f0c0de-6a3a-4b0e-9a53-0a64b9a2f009";
    await world.backend.database.hostName.createMany({
      data: [
        { hostId, source: "bmc", kind: "serial", value: "Renamed-2", ...mark },
        { hostId, source: "bmc", kind: "uuid", value: uuid, ...mark },
      ],
    });
    const head = "name,bmc_address,bmc_username,bmc_password,serial,system_uuid\n";
    const { lines } = await enrolled({ csv: `${head}late,10.9.0.3,root,x,RENAMED-2,${uuid}\n` });
    expect(lines[0]?.faults.map(({ column }) => column)).toEqual(["serial", "system_uuid"]);
  });

  it("may have several hosts at one BMC, each its own system of it, and no system twice", async () => {
    const head = "name,bmc_address,bmc_system,bmc_username,bmc_password\n";
    const system = (id: string) => `/redfish/v1/Systems/${id}`;
    const { lines } = await enrolled({
      csv: `${head}sys-1,10.8.0.1,${system("1")},root,x\nsys-2,10.8.0.1,${system("2")}/,ops,y\n`,
    });
    const [one = "", two = ""] = lines.map(({ hostId }) => hostId ?? "");
    const { database } = world.backend;
    // Ironic's clients read it there.
    expect(
      await database.nodeRecord.findMany({ where: { hostId: two }, select: { driverInfo: true } }),
    ).toEqual([{ driverInfo: { redfish_system_id: system("2") } }]);
    // As if the system had been discovered of a host that was enrolled without naming one.
    await database.host.update({
      where: { id: one },
      data: { bmcSystem: "", bmcLinks: { system: system("1") } },
    });
    const again = await enrolled({ csv: `${head}sys-3,10.8.0.1,${system("1")},root,x\n`, dryRun: true });
    expect(again.lines[0]?.faults).toMatchObject([
      { column: "bmc_system", message: expect.stringContaining("host sys-1 already has this system") },
    ]);
    const change = (hostId: string, input: object) =>
      setBmc(world.backend, operator(), world.request(), { hostId, ...input });
    expect(await change(two, { system: system("1") })).toMatchObject({
      problem: {
        code: "conflict",
        field: "system",
        detail: "Host sys-1 is already this system of this BMC.",
      },
    });
    expect(await change(two, { system: null })).toMatchObject({
      problem: { code: "conflict", field: "address" },
    });
    // Whoever changes a password is told which hosts keep theirs.
    expect(await change(two, { password: "z" })).toMatchObject({ value: { others: ["sys-1"] } });
    expect(await change(one, { system: `${system("4")}/` })).toMatchObject({ value: { others: [] } });
    expect(
      await database.host.findUnique({ where: { id: one }, select: { bmcSystem: true, record: true } }),
    ).toMatchObject({
      bmcSystem: system("4"),
      record: { driverInfo: { redfish_system_id: system("4") } },
    });
    const seen = await getHost(world.backend, operator(), { host: two });
    expect(seen).toMatchObject({ value: { bmcSystem: system("2"), bmcOthers: ["sys-1"] } });
  });

  it("has values of its references and of all hosts, sent beside it", async () => {
    const { lines } = await enrolled({
      csv: "name,bmc_address,bmc_password_from\nsix,10.1.6.1,env:PW\nseven,10.1.6.2,\n",
      credential: { username: "root", password: "shared" },
      secrets: { "env:PW": "own" },
      goal: "enrolled",
    });
    for (const [index, password] of ["own", "shared"].entries()) {
      const host = await world.backend.database.host.findUniqueOrThrow({
        where: { id: lines[index]?.hostId ?? "" },
      });
      expect(
        world.backend.secrets.open(host.bmcPassword ?? new Uint8Array(), secretPlaces.bmcPassword(host.id)),
      ).toBe(password);
      expect(await signalsOf(host.id)).toEqual([]);
    }
  });

  it("signs in with a copy of a set of the site, until it has credentials of its own", async () => {
    const { database, secrets } = world.backend;
    const setId = randomUUID();
    const password = secrets.seal("of the set", secretPlaces.credentialPassword(setId));
    await database.bmcCredential.create({
      data: { id: setId, siteId: world.siteId, name: "racks", username: "admin", password },
    });
    const { lines } = await enrolled({
      csv: "name,bmc_address\nset-1,10.6.0.1\n",
      credential: { set: "racks" },
    });
    const hostId = lines[0]?.hostId ?? "";
    const stored = () => database.host.findUniqueOrThrow({ where: { id: hostId } });
    const host = await stored();
    expect(host).toMatchObject({ bmcCredentialId: setId, bmcUsername: "admin" });
    expect(secrets.open(host.bmcPassword ?? new Uint8Array(), secretPlaces.bmcPassword(hostId))).toBe(
      "of the set",
    );
    expect(
      (await enrolled({ csv: "name,bmc_address,bmc_credentials\nset-2,10.6.0.2,none\n" })).lines[0]?.faults,
    ).toMatchObject([{ column: "bmc_credentials" }]);
    await setBmc(world.backend, operator(), world.request(), { hostId, password: "own" });
    expect(await stored()).toMatchObject({ bmcCredentialId: null, bmcUsername: "admin" });
  });

  it.each([
    [{ csv: "nonsense" }, "invalid", "csv"],
    [{}, "invalid", "csv"],
    [{ csv: "name", hosts: [{ name: "x" }] }, "invalid", "csv"],
    [{ site: "nowhere", csv: csv("x,10.9.9.9,root,x,") }, "notFound", undefined],
  ])("%j is refused as a whole", async (input, code, field) => {
    const before = await world.backend.database.host.count();
    const answer = await send(input);
    expect(answer).toMatchObject({ ok: false, problem: { code, ...(field === undefined ? {} : { field }) } });
    expect(await world.backend.database.host.count()).toBe(before);
  });

  it("of which nothing can be enrolled leaves no enrolment", async () => {
    const before = await world.backend.database.enrolment.count();
    expect(await enrolled({ csv: csv("x y,10.9.9.9,root,x,") })).toMatchObject({
      id: null,
      enrolled: 0,
      refused: 1,
    });
    expect(await world.backend.database.enrolment.count()).toBe(before);
  });

  it("is refused to who may not enroll", async () => {
    for (const role of roles) {
      const may = role === "operator" || role === "provider-admin";
      const answer = await send({ csv: csv("z,10.9.9.8,root,x,"), dryRun: true }, world.actor(role));
      expect(answer.ok, role).toBe(may);
      const list = await listEnrolments(world.backend, world.actor(role));
      expect(list.ok, role).toBe(may || role === "auditor");
    }
  });
});

describe("a host that stopped", () => {
  it("is asked again for what its enrolment wants, and only one that stopped", async () => {
    const { id, lines } = await enrolled({
      csv: csv("r1,10.2.0.1,root,x,R1", "r2,10.2.0.2,root,x,", "r3,10.2.0.3,root,x,R3"),
    });
    const [r1, r2, r3] = lines.map(({ hostId }) => hostId ?? "");
    await world.backend.database.signal.deleteMany({ where: { hostId: { in: [r1 ?? "", r2 ?? ""] } } });
    await world.backend.database.hostRun.update({
      where: { hostId: r1 ?? "" },
      data: { lastError: "the BMC answered 401" },
    });
    // The lines are cached for a second.
    await expect.poll(async () => (await view(id)).counts.stopped, { timeout: 5_000 }).toBe(2);
    const stopped = (await view(id, { stages: ["stopped"] })).rows;
    expect(stopped.map(({ name, says, acts }) => [name, says, acts])).toEqual([
      ["r1", "the BMC answered 401", ["setBmc", "retry", "delete"]],
      ["r2", expect.stringContaining("was not requested"), ["setBmc", "retry", "delete"]],
    ]);
    // The messages of the lines, once for all hosts that share one.
    expect((await view(id)).reasons).toMatchObject([
      { name: "r1", hosts: 1, says: "the BMC answered 401", acts: ["setBmc", "retry", "delete"] },
      { name: "r2", hosts: 1 },
    ]);
    const ask = (input: object) =>
      retryEnrolment(world.backend, operator(), world.request(), { id: id ?? "", ...input });
    expect(await ask({ hostIds: [r2 ?? "", r3 ?? ""] })).toMatchObject({ value: { asked: 1 } });
    expect(await ask({})).toMatchObject({ value: { asked: 1 } });
    expect(await ask({})).toMatchObject({ value: { asked: 0 } });
    expect([await signalsOf(r1), await signalsOf(r2)]).toEqual([["manage", "provide"], ["manage"]]);
  });

  it("is not asked for the job of the BMC that it had before", async () => {
    const { lines } = await enrolled({ csv: csv("job-1,10.4.9.1,root,x,") });
    const hostId = lines[0]?.hostId ?? "";
    const { database } = world.backend;
    await database.$executeRaw`UPDATE host_run SET context = jsonb_set(context, '{cleaning}', '{"job": {"handle": {"task": "/Tasks/1"}}}') WHERE host_id = ${hostId}::uuid`;
    const kept = async () =>
      (
        await database.$queryRaw<
          ReadonlyArray<{ readonly job: unknown }>
        >`SELECT context #> '{cleaning,job}' AS job FROM host_run WHERE host_id = ${hostId}::uuid`
      )[0]?.job;
    const change = (input: object) =>
      setBmc(world.backend, operator(), world.request(), { hostId, ...input });
    expect(await change({ password: "y" })).toMatchObject({ ok: true });
    expect(await kept()).toMatchObject({ handle: { task: "/Tasks/1" } });
    expect(await change({ address: "10.4.9.2", password: "y" })).toMatchObject({ ok: true });
    expect(await kept()).toBeNull();
  });

  it("goes on when its BMC was corrected: address, credentials, what it must say, and cables", async () => {
    const { id, lines } = await enrolled({ csv: csv("s1,10.4.0.1,root,x,S1", "s2,10.4.0.2,root,x,") });
    const [s1 = "", s2 = ""] = lines.map(({ hostId }) => hostId ?? "");
    await world.backend.database.signal.deleteMany({ where: { hostId: s1 } });
    const change = (input: object, hostId = s1) =>
      setBmc(world.backend, operator(), world.request(), { hostId, ...input });
    expect(await change({ address: "https://10.4.0.2", password: "x" })).toMatchObject({
      problem: { code: "conflict", field: "address" },
    });
    expect(await change({ address: "10.4.0.9/x" })).toMatchObject({
      problem: { code: "invalid", field: "address" },
    });
    const password = `planted-${randomUUID()}`;
    // A stored password is never sent to an address that was given without it, whatever certificate that one must show.
    expect(await change({ address: "10.4.0.9", certificate: "ef".repeat(32) })).toMatchObject({
      problem: { code: "invalid", field: "password" },
    });
    expect(await change({ expectedSerial: "Default string" })).toMatchObject({
      problem: { code: "invalid", field: "expectedSerial" },
    });
    expect(await change({ address: "https://10.4.0.1", retry: false })).toMatchObject({ ok: true });
    expect(
      await change({
        address: "10.4.0.9",
        username: "ops",
        password,
        expectedSerial: null,
        certificate: "AB:".repeat(31) + "AB",
        macs: ["AA-BB-CC-00-00-07"],
      }),
    ).toMatchObject({ ok: true });
    expect(await signalsOf(s1)).toEqual(["manage"]);
    const host = await world.backend.database.host.findUniqueOrThrow({
      where: { id: s1 },
      include: { ports: true },
    });
    expect(host).toMatchObject({
      bmcAddress: "https://10.4.0.9",
      bmcUsername: "ops",
      bmcCertificate: "ab".repeat(32),
      expectedSerial: null,
      macs: expect.arrayContaining(["aa:bb:cc:00:00:07"]),
      ports: [{ address: "aa:bb:cc:00:00:07" }],
    });
    expect(
      world.backend.secrets.open(host.bmcPassword ?? new Uint8Array(), secretPlaces.bmcPassword(s1)),
    ).toBe(password);
    expect(await change({ macs: ["aa:bb:cc:00:00:07"] }, s2)).toMatchObject({
      problem: { code: "conflict", field: "macs" },
    });
    const events = await world.backend.database.auditEvent.findMany({ where: { targetId: s1 } });
    expect(JSON.stringify(events)).toContain("passwordChanged");
    expect(JSON.stringify([events, await view(id)])).not.toContain(password);
    // The serial is known: the expected serial may be corrected only if it differs (a server of an earlier release learned it).
    const systemUuid = randomUUID();
    const learned = (expectedSerial: string | null) =>
      world.backend.database.host.update({
        where: { id: s1 },
        data: {
          serial: "S-1",
          systemUuid,
          networkInterfaces: ["aa:bb:cc:00:00:07"],
          expectedSerial,
        },
      });
    for (const expected of [null, "S-1"]) {
      await learned(expected);
      expect(await change({ expectedSerial: "OTHER" })).toMatchObject({
        problem: { code: "notAllowedNow", field: "expectedSerial" },
      });
    }
    await learned("OTHER");
    expect(await change({ expectedSerial: null })).toMatchObject({ ok: true });
    const ready = await world.host();
    await world.put(ready, "Ready");
    expect(await change({ username: "x" }, ready)).toMatchObject({ problem: { code: "notAllowedNow" } });
    expect(
      await setBmc(world.backend, world.actor("auditor"), world.request(), { hostId: s1, username: "x" }),
    ).toMatchObject({ problem: { code: "forbidden" } });
  });

  it("has the certificate confirmed that its BMC showed, and no other", async () => {
    const { id, lines } = await enrolled({ csv: csv("t1,10.5.0.1,root,x,T1") });
    const hostId = lines[0]?.hostId ?? "";
    const [shown, other] = ["ab".repeat(32), "cd".repeat(32)];
    const confirm = (sha256: string) =>
      confirmCertificate(world.backend, operator(), world.request(), { hostId, sha256 });
    expect(await confirm(shown)).toMatchObject({ problem: { code: "notAllowedNow" } });
    await world.backend.database.signal.deleteMany({ where: { hostId } });
    const day = "2026-01-01T00:00:00.000Z";
    const certificateSeen = {
      sha256: shown,
      subject: "CN=bmc",
      issuer: "CN=bmc",
      validFrom: day,
      validTo: day,
      trusted: false,
    };
    await world.backend.database.host.update({ where: { id: hostId }, data: { certificateSeen } });
    expect((await view(id)).rows[0]).toMatchObject({
      certificate: { sha256: shown, confirmed: false },
      acts: ["confirmCertificate", "setBmc", "delete"],
    });
    expect(await confirm(other)).toMatchObject({ problem: { code: "conflict", field: "sha256" } });
    expect(await confirm(shown)).toMatchObject({ ok: true });
    expect(await readLines(world.backend.database, id ?? "", "ready")).toMatchObject([
      { pinned: shown, certificate: { confirmed: true } },
    ]);
    expect(await signalsOf(hostId)).toEqual(["manage", "provide"]);
    expect(await world.backend.database.host.findUniqueOrThrow({ where: { id: hostId } })).toMatchObject({
      bmcCertificate: shown,
    });

    // Already pinned: the host is still asked again if its BMC stopped it; a host stopped by something else is not retried.
    await world.backend.database.signal.deleteMany({ where: { hostId } });
    const networkInterfaces = ["02:00:00:00:05:01"];
    const identity = { serial: "T1", systemUuid: randomUUID(), networkInterfaces };
    await world.backend.database.host.update({ where: { id: hostId }, data: identity });
    await addStoppedRelease(world, hostId);
    await world.put(hostId, "Failed/BmcCertificateChanged");
    expect(await confirm(shown)).toMatchObject({ ok: true });
    expect(await signalsOf(hostId)).toEqual(["retry"]);
    await world.backend.database.signal.deleteMany({ where: { hostId } });
    await world.put(hostId, "Failed/NVMECleanFailed");
    expect(await confirm(shown)).toMatchObject({ ok: true });
    const corrected = { hostId, address: "10.5.0.2", password: "x" };
    expect(await setBmc(world.backend, operator(), world.request(), corrected)).toMatchObject({ ok: true });
    expect(await signalsOf(hostId)).toEqual([]);
    // A certificate shown at the old address cannot be used to confirm the new one.
    expect(await confirm(shown)).toMatchObject({ problem: { code: "notAllowedNow" } });
  });

  it("waits for the commit of a decision before it locks the host's row", async () => {
    const hostId = await world.host();
    await world.put(hostId, "Manageable");
    const { database } = world.backend;
    const act = await database.$transaction(async (tx) => {
      const [mine] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      await tx.$executeRaw`UPDATE host_run SET due_at = now() WHERE host_id = ${hostId}::uuid`;
      const waiting = setBmc(world.backend, operator(), world.request(), { hostId, username: "x" });
      // Queried outside the transaction, in which pg_stat_activity would stay as first read.
      await until("the act waits", 4_000, async () => {
        const [row] = await database.$queryRaw<{ waits: boolean }[]>`
          SELECT EXISTS (SELECT 1 FROM pg_stat_activity a WHERE ${mine?.pid ?? 0}::int = ANY(pg_blocking_pids(a.pid))) AS waits`;
        return row?.waits === true || "nobody waits";
      });
      // In the same order as the commit; the opposite order would deadlock.
      await tx.$executeRaw`UPDATE host SET power_state = 'on' WHERE id = ${hostId}::uuid`;
      return { waiting };
    });
    expect(await act.waiting).toMatchObject({ ok: true });
  });

  it("is not asked by who may not manage hosts", async () => {
    const { id } = await enrolled({ csv: csv("q1,10.2.1.1,root,x,Q1") });
    expect(
      await retryEnrolment(world.backend, world.actor("auditor"), world.request(), { id: id ?? "" }),
    ).toMatchObject({ problem: { code: "forbidden" } });
    expect(Object.keys((await view(id)).counts).sort()).toEqual([...enrolmentStages].sort());
  });
});
