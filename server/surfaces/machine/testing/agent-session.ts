// An agent of a test host: how it boots and registers, the step that it runs, and the bodies that it sends.
import { randomUUID } from "node:crypto";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import { post, send } from "@/server/surfaces/machine/testing/machine-fixture";
import type { MachineFixture } from "@/server/surfaces/machine/testing/machine-fixture";
import { openReclamation, openWindow } from "@/server/surfaces/machine/testing/machine-rows";
import type { TestHost } from "@/server/surfaces/machine/testing/machine-rows";

export function inventoryOf(host: TestHost): HardwareInventory {
  return {
    system: {
      manufacturer: "Dell Inc.",
      product: "PowerEdge R750",
      serial: host.serial,
      uuid: host.systemUuid,
      biosVersion: "1.9.2",
    },
    cpus: [
      { model: "Xeon Gold 6354", cores: 18 },
      { model: "Xeon Gold 6354", cores: 18 },
    ],
    memoryBytes: String(256 * 2 ** 30),
    storage: [
      {
        serial: `${host.serial}-D1`,
        model: "PM9A3",
        manufacturer: "Samsung",
        media: "nvme",
        transport: "nvme",
        capacityBytes: "1920383410176",
        removable: false,
      },
    ],
    nics: [{ name: "eno1", mac: host.mac, model: "BCM5720" }],
    infiniband: [],
  };
}

export const registerBodyOf = (host: TestHost, change: Record<string, unknown> = {}) => ({
  protocol: 1,
  identity: { systemUuid: host.systemUuid, serial: host.serial, macs: [host.mac] },
  run: "0123456789abcdef0123456789abcdef",
  agentVersion: "0.1.0",
  hardwareManagers: [
    {
      name: "generic",
      version: "1",
      steps: [{ interface: "deploy", step: "erase_nvme", priority: 90, abortable: false }],
    },
  ],
  inventory: inventoryOf(host),
  ...change,
});

export async function bootTokenOf(fixture: MachineFixture, host: TestHost): Promise<string> {
  const { status, body, text } = await send(
    fixture,
    "GET",
    `/boot/token?uuid=${host.systemUuid}&mac=${host.mac}`,
  );
  if (status !== 200 || typeof body.bootToken !== "string")
    throw new Error(`no boot token: ${status} ${text}`);
  return body.bootToken;
}

/** Boots and registers. Returns the session token. */
export async function registered(fixture: MachineFixture, host: TestHost): Promise<string> {
  await openWindow(fixture, host);
  const { status, body, text } = await post(
    fixture,
    "/agent/v1/register",
    await bootTokenOf(fixture, host),
    registerBodyOf(host),
  );
  if (status !== 200 || typeof body.sessionToken !== "string")
    throw new Error(`not registered: ${status} ${text}`);
  return body.sessionToken;
}

export interface RunningStep {
  readonly stepRunId: string;
  readonly attempt: number;
  readonly command: Record<string, unknown>;
}

/** Makes a step run in its first attempt in the newest boot, as the controller's commit does. */
export async function runStep(fixture: MachineFixture, host: TestHost): Promise<RunningStep> {
  const stepRunId = randomUUID();
  const [open] = await fixture.query<{ id: string }>(
    "SELECT id::text FROM reclamation WHERE host_id = $1 AND ended_at IS NULL",
    [host.id],
  );
  const reclamationId = open?.id ?? (await openReclamation(fixture, host));
  await fixture.query(
    `INSERT INTO step_run (id, reclamation_id, host_id, plan_epoch, position, interface, step, "where", priority, priority_source, proves, status, attempt, max_attempts, started_at)
     VALUES ($1, $2, $3, 1, (SELECT count(*) + 1 FROM step_run WHERE reclamation_id = $2), 'deploy', 'erase_nvme', 'agent', 90, 'default', ARRAY['storageSanitized'], 'running', 1, 2, now())`,
    [stepRunId, reclamationId, host.id],
  );
  await fixture.query(
    "INSERT INTO step_attempt (step_run_id, attempt, boot_epoch) SELECT $1, 1, boot_epoch FROM host_run WHERE host_id = $2",
    [stepRunId, host.id],
  );
  const command = executeOf(stepRunId, host);
  await fixture.query(
    "UPDATE host_run SET reclamation_id = $2, command = $3, command_epoch = boot_epoch, generation = generation + 1 WHERE host_id = $1",
    [host.id, reclamationId, command],
  );
  return { stepRunId, attempt: 1, command };
}

export const executeOf = (stepRunId: string, host: TestHost) => ({
  kind: "execute",
  id: `${stepRunId}:1`,
  stepRunId,
  attempt: 1,
  interface: "deploy",
  step: "erase_nvme",
  args: {},
  devices: inventoryOf(host).storage,
  erase: defaultPolicy().sanitization.erase,
  journal: [],
  deadline: "2030-01-01T00:00:00Z",
});

export const progressOf = (change: Record<string, unknown> = {}) => ({
  attempt: 1,
  sequence: 1,
  percent: 10,
  message: "erasing",
  devices: [],
  journal: [],
  unstoppable: true,
  ...change,
});
export const resultOf = (change: Record<string, unknown> = {}) => ({
  attempt: 1,
  result: "OK",
  message: "done",
  devices: [],
  journal: [],
  ...change,
});
