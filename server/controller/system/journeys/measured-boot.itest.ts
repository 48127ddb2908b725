// Measured boot over whole returns: the agent's own calls, the simulator's own TPMs, two people, and the gate.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { hashPassword } from "@/server/db/secrets/passwords";
import { anyStatement } from "@/server/domain/assurance/certificates/statement";
import { measuredBootFault, measuredBootOf } from "@/server/domain/assurance/certificates/verify-measured";
import { assign, enroll, granted, manage, provide, release } from "@/server/testing/acts";
import { hostRow, waitForState } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { demoteBundle } from "@/server/usecases/hosts/attestation/demote-bundle";
import { getAttestation } from "@/server/usecases/hosts/attestation/get-attestation";
import { promoteReport } from "@/server/usecases/hosts/attestation/promote-report";

const password = "fourteen gates";
const reason = "image 12";
let stack: Stack;
let hostId = "";
beforeAll(async () => {
  stack = await startStack({ hosts: 1, speed: 600 });
  await database()
    .$executeRaw`UPDATE site_policy SET body = jsonb_set(jsonb_set(body, '{attestation}', '"required"'), '{admission,atWork}', '1')`;
  await database().person.updateMany({ data: { passwordHash: await hashPassword(password) } });
  [hostId = ""] = await enroll(stack, stack.machines);
  await manage(stack, [hostId]);
});
afterAll(() => stack?.stop());

const database = () => stack.world.backend.database;
const admin = () => stack.world.actor("provider-admin");
const other = () => stack.world.actor("provider-admin", "vela");
const measurement = async () =>
  granted(await getAttestation(stack.world.backend, admin(), { hostId })).measurement;
const waitsFor = (words: string) =>
  vi.waitUntil(async () => (await hostRow(stack, hostId)).wait_reason?.includes(words), {
    ...{ timeout: 120_000, interval: 100 },
  });
const gate = async () =>
  (
    await stack.pool.query<{ status: string; reason: string }>(
      `SELECT g.status, g.reason FROM gate g JOIN reclamation c ON c.id = g.reclamation_id
       WHERE c.host_id = $1 AND g.gate = 'attestationPassed' ORDER BY c.number DESC LIMIT 1`,
      [hostId],
    )
  ).rows[0];

/** What the host's newest boot measured is expected from now on. */
async function expectThat(): Promise<string> {
  const { backend } = stack.world;
  const seen = await measurement();
  const asked = granted(
    await promoteReport(backend, admin(), stack.world.request(), {
      ...{ hostId, digest: seen?.digest ?? "", pcrs: [0, 2, 4, 7, 9], name: "image 12", reason },
    }),
  );
  const { approval } = await database().attestationBundle.findUniqueOrThrow({
    where: { id: asked.id },
    include: { approval: true },
  });
  granted(
    await decideApprovals(backend, other(), stack.world.request(), {
      approvals: [{ id: approval.id, evidence: approval.evidence }],
      ...{ decision: "approved", reason, password },
    }),
  );
  return asked.id;
}

it("holds a host before its first step until two people expect what it booted, and after each tenant", async () => {
  await provide(stack, [hostId]);
  await waitsFor("match no approved bundle");
  // Without a place there, and with its clock standing still.
  expect((await hostRow(stack, hostId)).state).toBe("WaitingForCleanup/Queued");
  expect(await database().stepAttempt.count()).toBe(0);
  const bundle = await expectThat();
  await waitForState(stack, hostId, "Ready");
  expect(await gate()).toMatchObject({ status: "satisfied", reason: expect.stringContaining("image 12") });

  const [certificate] = await database().certificate.findMany({ orderBy: { id: "desc" }, take: 1 });
  const said = anyStatement.parse(JSON.parse(certificate?.statement ?? ""));
  expect(measuredBootOf(said)).toMatchObject({
    boot: (await measurement())?.bootEpoch,
    bundle: { id: bundle },
  });
  expect(measuredBootFault(said)).toBeNull();

  // The tenant locks its TPM, so that it can prove nothing before it was cleared.
  const [instance = ""] = await assign(stack, [hostId]);
  const before = await measurement();
  await release(stack, [instance]);
  await waitForState(stack, hostId, "Ready");
  const after = await measurement();
  expect(after?.bootEpoch).toBeGreaterThan(before?.bootEpoch ?? 0);
  expect(after).toMatchObject({ state: "Measured", bundle: { id: bundle }, digest: before?.digest });

  granted(
    await demoteBundle(stack.world.backend, admin(), stack.world.request(), {
      ...{ bundle, state: "Revoked", reason: "CVE-2026-1" },
    }),
  );
  await waitForState(stack, hostId, "Failed/MeasuringFailed");
  expect(await hostRow(stack, hostId)).toMatchObject({
    allocatable: false,
    last_error: expect.stringContaining("the bundle image 12, which is revoked"),
  });
});
