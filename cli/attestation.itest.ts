// `reclaim attestation` against a real server: what is shown of a host's TPM and its boot, a new key that is accepted after a question, and bundles.
import { eventLogOf } from "@/server/simulator/host/tpm/event-log";
import { eventsOf, measuredOf } from "@/server/usecases/hosts/attestation/testing/measured";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { addReclamation } from "@/server/usecases/testing/reclamations";
import { startAgainstServer } from "@/cli/testing/against-server";
import type { TestCommand } from "@/cli/testing/command";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";

let server: ConsoleServer;
let command: TestCommand;
let stop: () => Promise<void>;
let token = "";
let adminToken = "";
const [first, second] = ["a".repeat(64), "b".repeat(64)] as const;
const at = new Date("2026-11-30T07:00:00Z");

beforeAll(async () => {
  ({ server, command, stop } = await startAgainstServer());
  token = await server.token("operator");
  adminToken = await server.token("provider-admin");
});
afterAll(() => stop());

const operator = (...args: string[]) => command.run(args, { url: server.url, token });
const admin = (...args: string[]) => command.run(args, { url: server.url, token: adminToken });

async function hostWithTpm(name: string, digest: string): Promise<void> {
  await server.world.backend.database.hostTpm.create({
    data: {
      ...{ hostId: await server.world.host(name), bootEpoch: 2, keyDigest: digest, activatedAt: at },
      attestationKey: new Uint8Array([1]),
      ...{ acceptedDigest: first, acceptedAs: "firstContact", acceptedAt: at, acceptedEpoch: 1 },
    },
  });
}

it("shows what is known of a TPM, and as JSON", async () => {
  await hostWithTpm("tpm-a", first);
  const shown = await operator("attestation", "show", "tpm-a");
  expect(shown.code).toBe(exitCodes.ok.code);
  expect(shown.stdout).toMatch(/TPM +proven/);
  expect(shown.stdout).toContain("pinned at first contact");
  const json = await operator("attestation", "show", "tpm-a", "-o", "json");
  expect(JSON.parse(json.stdout)).toMatchObject({ mode: "off", state: "proven", key: { digest: first } });
});

it("accepts another key, and says why not if there is none", async () => {
  await hostWithTpm("tpm-b", second);
  expect((await operator("attestation", "show", "tpm-b")).stdout).toContain("EndorsementKeyChanged");
  const accepted = await operator("attestation", "accept-key", "tpm-b", "--reason", "RMA 1", "--yes");
  expect(accepted.code).toBe(exitCodes.ok.code);
  const json = await operator("attestation", "show", "tpm-b", "-o", "json");
  expect(JSON.parse(json.stdout)).toMatchObject({
    state: "proven",
    accepted: { digest: second, as: "operator" },
  });
  await server.world.host("tpm-c");
  const refused = await operator("attestation", "accept-key", "tpm-c", "--reason", "x", "--yes");
  expect(refused.code).toBe(exitCodes.notNow.code);
  expect(refused.stderr).toContain("has proven no key");
});

const events = eventsOf("image 7");
const values = measuredOf(events);

async function measuredHost(name: string): Promise<void> {
  await server.world.backend.database.hostMeasurement.create({
    data: {
      ...{ hostId: await server.world.host(name), bootEpoch: 3, nonce: new Uint8Array(32), pcrs: values },
      ...{ quote: new Uint8Array([1]), signature: new Uint8Array([1]) },
      ...{ measuredAt: at, state: "PendingBundle", eventLog: new Uint8Array(eventLogOf(events)) },
    },
  });
}

it("shows what a boot measured, requests a bundle of it, and trusts one less", async () => {
  await measuredHost("boot-a");
  const shown = await operator("attestation", "show", "boot-a");
  expect(shown.stdout).toMatch(/measured boot +without a bundle/);
  expect(shown.stdout).toContain(values["4"] ?? "no value");
  expect((await operator("attestation", "pending")).stdout).toContain("boot-a");
  const none = await operator("attestation", "bundles");
  expect([none.stdout, none.stderr]).toEqual(["", expect.stringContaining("No bundles.")]);

  const of = ["--name", "image 7", "--reason", "watched its boot", "--yes"];
  const program = await admin("attestation", "promote", "boot-a", "--registers", "0,4", ...of);
  expect(program.stderr).toContain("registers 4 and 9");
  const wrong = await admin("attestation", "promote", "boot-a", "--registers", "4-9", ...of);
  expect([wrong.code, wrong.stderr]).toEqual([
    exitCodes.usage.code,
    expect.stringContaining("such as 0,2,4,7,9"),
  ]);
  const asked = await admin("attestation", "promote", "boot-a", "--registers", "9,4", ...of);
  expect([asked.code, asked.stderr]).toEqual([exitCodes.ok.code, expect.stringContaining("another person")]);
  const bundles = await operator("attestation", "bundles", "-o", "json");
  expect(JSON.parse(bundles.stdout)).toMatchObject([
    { name: "image 7", standing: "waits", values: [{ pcr: 4 }, { pcr: 9 }], hosts: 0 },
  ]);

  const demoted = ["attestation", "demote", "image 7", "--to", "Revoked", "--reason", "a mistake", "--yes"];
  expect((await operator(...demoted)).code).toBe(exitCodes.forbidden.code);
  const waits = await admin(...demoted);
  expect([waits.code, waits.stderr]).toEqual([exitCodes.notNow.code, expect.stringContaining("Reject it")]);
  const { database } = server.world.backend;
  await database.$executeRaw`UPDATE approval SET decision = 'approved', decided_by = p.id, decided_by_name = p.name, decided_at = now(), decided_reason = 'r', decided_with = 'password'
    FROM person p WHERE approval.kind = 'bundle' AND p.id <> approval.asked_by AND p.role = 'provider-admin'`;
  expect((await admin(...demoted)).stderr).toContain("image 7: revoked.");
  expect((await operator("attestation", "bundles")).stdout).toMatch(/image 7 +revoked/);
  const gone = await admin("attestation", "demote", "image 8", ...demoted.slice(3));
  expect([gone.code, gone.stderr]).toEqual([
    exitCodes.notFound.code,
    expect.stringContaining("no bundle image 8"),
  ]);
});

it("prints NICo's lists for programs that read them: how each machine was measured, and what its components measured", async () => {
  const shown = await operator("attestation", "measured-boot", "machine", "show", "-o", "json");
  const { id: machine_id } = await server.world.backend.database.host.findUniqueOrThrow({
    where: { name: "boot-a" },
  });
  expect(JSON.parse(shown.stdout)).toContainEqual({ machine_id, state: "MeasuringFailed" });
  expect((await operator("attestation", "spdm", "list")).stderr).toContain("No host with measurements");
  const item = (name: string, verdict: string) => ({
    name,
    wanted: "2 ab",
    found: "2 ab",
    verdict,
    named: true,
  });
  for (const [name, items] of [
    ["spdm-a", [item("measurements GPU_0", "same"), item("measurements GPU_1", "same")]],
    ["spdm-b", [item("measurements GPU_0", "unknown"), item("measurements GPU_1", "same")]],
    ["spdm-c", [item("measurements", "notNamed"), item("accounts", "same")]],
  ] as const) {
    const hostId = await server.world.host(name);
    await addReclamation(server.world, hostId, {
      kind: "release",
      platform: { epoch: 1, readAt: "2026-12-01T00:00:00Z", sku: "R750", tpm: "there", items },
    });
  }
  const spdm = await operator("attestation", "spdm", "list", "-o", "json");
  const ids = await server.world.backend.database.host.findMany({
    where: { name: { in: ["spdm-a", "spdm-b"] } },
    orderBy: { name: "asc" },
  });
  expect(JSON.parse(spdm.stdout)).toEqual([
    [ids[0]?.id, "SPDM_ATT_PASSED"],
    [ids[1]?.id, "SPDM_ATT_FAILED"],
  ]);
});

it("says why nothing can be promoted", async () => {
  await server.world.host("boot-b");
  const refused = await admin("attestation", "promote", "boot-b", "--name", "x", "--reason", "x", "--yes");
  expect([refused.code, refused.stderr]).toEqual([
    exitCodes.notNow.code,
    expect.stringContaining("No boot of this host"),
  ]);
});
