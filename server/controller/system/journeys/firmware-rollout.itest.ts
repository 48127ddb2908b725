// A rollout on the real system: one host takes the new firmware, the next keeps the old one and is as wanted with it, another file than was approved is not
// written, an update that fails stops its host and pauses the rollout, and a retry writes it (docs/adr/0148-firmware-rollouts.md).
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { granted, onboard, perform, provide } from "@/server/testing/acts";
import { hostRow, requireBaseline, untilRead, waitForState, waitForStates } from "@/server/testing/hosts";
import { baselines } from "@/server/controller/system/testing/baselines";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { allRequired } from "@/server/domain/cleaning/policy/policy";
import { hashPassword } from "@/server/db/secrets/passwords";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { manageHost } from "@/server/usecases/hosts/acts/manage-host";
import { retryReclamation } from "@/server/usecases/hosts/acts/retry-reclamation";
import { getRollout } from "@/server/usecases/hosts/rollouts/list-rollouts";
import { advanceRollout, resumeRollout } from "@/server/usecases/hosts/rollouts/rollout-acts";
import { startRollout } from "@/server/usecases/hosts/rollouts/start-rollout";

/** What the site's server of files has. */
let file = Buffer.from("bios 1.9.2");
const checksum = createHash("sha256").update(file).digest("hex");
const files = createServer((_request, response) => response.end(file));
const password = "fourteen gates";
let stack: Stack;
let first: string;
let second: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", () => resolve()));
  stack = await startStack({
    hosts: 10,
    speed: 100_000,
    policy: { validationTests: [], times: { jobPollMs: 200 } },
  });
  const machines = stack.machines.filter(({ vendor }) => vendor === "dell").slice(0, 2);
  [first = "", second = ""] = await onboard(stack, machines);
  await requireBaseline(stack, first, {
    ...baselines.dell,
    firmware: [{ component: "BIOS", version: "1.8.2" }],
  });
  const { database } = stack.world.backend;
  const { skuId } = await database.host.findUniqueOrThrow({ where: { id: first } });
  await database.host.update({ where: { id: second }, data: { skuId } });
  await database.person.updateMany({ data: { passwordHash: await hashPassword(password) } });
});
afterAll(async () => {
  files.close();
  await stack?.stop();
});

/** Cleans a Ready host as *Manage* and *Provide* do. */
async function returns(hostId: string): Promise<void> {
  await perform(stack, "operator", manageHost, { hostId });
  await waitForState(stack, hostId, "Manageable");
  await provide(stack, [hostId]);
}

async function bios(hostId: string): Promise<unknown> {
  const { rows } = await stack.pool.query<{ version: string }>(
    "SELECT f ->> 'found' AS version FROM reclamation c, jsonb_array_elements(c.platform -> 'items') f WHERE c.host_id = $1 AND f ->> 'name' = 'firmware BIOS' ORDER BY c.number DESC LIMIT 1",
    [hostId],
  );
  return rows[0]?.version;
}

it(
  "lets one host take it, keeps the other as it is, and pauses when a host fails",
  { timeout: 600_000 },
  async () => {
    await stack.setPolicy({
      requires: { ...allRequired, attestationPassed: false, platformAtBaseline: true },
    });
    const { world } = stack;
    const { database } = world.backend;
    const { sku } = await database.host.findUniqueOrThrow({ where: { id: first }, include: { sku: true } });
    const { port } = files.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/bios-1.9.2.exe`;
    const { id: rollout } = await perform(stack, "provider-admin", startRollout, {
      ...{ sku: sku?.name ?? "", images: [{ component: "BIOS", version: "1.9.2", url, checksum }] },
      ...{ stages: [{ hosts: 1 }, { percent: 100 }], maxFailures: 1, reason: "test" },
    });
    const { approval } = await database.firmwareRollout.findUniqueOrThrow({
      where: { id: rollout },
      include: { approval: true },
    });
    const approver = world.actor("provider-admin", "vela");
    granted(
      await decideApprovals(world.backend, approver, world.request(), {
        approvals: [{ id: approval.id, evidence: approval.evidence }],
        ...{ decision: "approved", password },
      }),
    );
    const line = async () => granted(await getRollout(world.backend, world.actor("auditor"), { rollout }));
    await returns(first);
    await waitForStates(stack, [first], ["Ready"], 300_000);
    expect(await bios(first)).toBe("1.9.2");
    await returns(second);
    await waitForStates(stack, [second], ["Ready"], 300_000);
    expect(await bios(second)).toBe("1.8.2");
    await until("the first host is done", 30_000, async () => (await line()).hosts.done === 1 || "not yet");
    expect(await line()).toMatchObject({ taken: 1, places: 1, hosts: { pending: 1, done: 1 } });

    await perform(stack, "provider-admin", advanceRollout, { rollout, stage: 0, reason: "test" });
    file = Buffer.from("somebody else's");
    await returns(second);
    await waitForState(stack, second, "Failed/PlatformCleanFailed", 300_000);
    expect((await hostRow(stack, second)).last_error).toMatch(/BIOS is not updated: the SHA-256 of http/);
    await until("it pauses", 30_000, async () => (await line()).state === "paused" || "not yet");
    file = Buffer.from("bios 1.9.2");
    await perform(stack, "provider-admin", resumeRollout, { rollout, reason: "test" });

    const machine = stack.machines.filter(({ vendor }) => vendor === "dell")[1];
    await stack.fleet.fault(machine?.serial ?? "", { jobs: { fails: 20 } });
    await perform(stack, "operator", retryReclamation, { hostId: second });
    await untilRead(stack, second, "retry");
    await waitForState(stack, second, "Failed/PlatformCleanFailed", 300_000);
    expect((await hostRow(stack, second)).last_error).not.toMatch(/SHA-256/);
    await until("it pauses", 30_000, async () => (await line()).state === "paused" || "not yet");
    await stack.fleet.heal(machine?.serial ?? "");
    await perform(stack, "provider-admin", resumeRollout, { rollout, reason: "test" });
    // The BMC said that its update ended badly, so it is told again.
    await perform(stack, "operator", retryReclamation, { hostId: second });
    await untilRead(stack, second, "retry");
    await waitForState(stack, second, "Ready", 300_000);
    expect(await bios(second)).toBe("1.9.2");
  },
);
