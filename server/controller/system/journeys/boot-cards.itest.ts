// Hosts with a boot card on the real system: drives that only a BMC reaches are erased through it and counted (docs/design/hardware.md#dell-boss).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assign, onboard, perform, release } from "@/server/testing/acts";
import type { Machine } from "@/server/testing/fleet-control";
import { waitForState } from "@/server/testing/hosts";
import { historyProblems, leftovers, stepProblems } from "@/server/testing/records";
import { startStack, type Stack } from "@/server/testing/stack";
import { retryReclamation } from "@/server/usecases/hosts/acts/retry-reclamation";

/** Among fourteen machines, one Dell has a BOSS card and one Lenovo an M.2 kit. */
const hosts = 14;
let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ hosts, speed: 1_000, bootCards: true, policy: { times: { jobPollMs: 200 } } });
}, 480_000);
afterAll(() => stack?.stop());

interface Subject {
  readonly machine: Machine;
  readonly hostId: string;
}

const machineOf = (sku: string): Machine => {
  const found = stack.machines.find((machine) => machine.sku === sku);
  if (found === undefined) throw new Error(`no machine of ${sku}`);
  return found;
};

async function onboarded(sku: string): Promise<Subject> {
  const machine = machineOf(sku);
  const [hostId = ""] = await onboard(stack, [machine]);
  return { machine, hostId };
}

async function planOf({
  hostId,
}: Subject): Promise<
  readonly { readonly step: string; readonly status: string; readonly attempt: number }[]
> {
  const { rows } = await stack.pool.query<{ step: string; status: string; attempt: number }>(
    `SELECT t.step, t.status, t.attempt FROM reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch
     WHERE c.id = (SELECT r.id FROM reclamation r WHERE r.host_id = $1 ORDER BY r.started_at DESC LIMIT 1) ORDER BY t.position`,
    [hostId],
  );
  return rows;
}

/** The device's answer, as kept in the causes of the last failure. */
async function saidOf({ hostId }: Subject): Promise<string> {
  const { rows } = await stack.pool.query<{ raw: string }>(
    `SELECT string_agg(c.value ->> 'raw', E'\\n') AS raw FROM state_history s, jsonb_array_elements(s.causes) c
     WHERE s.host_id = $1 AND s.version = (SELECT max(l.version) FROM state_history l WHERE l.host_id = $1 AND l.causes IS NOT NULL)`,
    [hostId],
  );
  return rows[0]?.raw ?? "";
}

async function results({
  hostId,
}: Subject): Promise<
  readonly { readonly serial: string; readonly technique: string | null; readonly verdict: string }[]
> {
  const { rows } = await stack.pool.query<{ serial: string; technique: string | null; verdict: string }>(
    `SELECT d.serial, d.report ->> 'technique' AS technique, d.verdict FROM device_result d WHERE d.reclamation_id = (SELECT r.id FROM reclamation r WHERE r.host_id = $1 ORDER BY r.started_at DESC LIMIT 1) ORDER BY d.serial`,
    [hostId],
  );
  return rows;
}

async function released(subject: Subject): Promise<void> {
  const [instanceId = ""] = await assign(stack, [subject.hostId]);
  expect(
    (await stack.fleet.machine(subject.machine.serial)).drives.map(({ holdsTenantData }) => holdsTenantData),
  ).toEqual(subject.machine.drives.map(() => true));
  await release(stack, [instanceId]);
}

async function isClean(subject: Subject): Promise<void> {
  await waitForState(stack, subject.hostId, "Ready");
  const { drives, counters } = await stack.fleet.machine(subject.machine.serial);
  expect(drives.map(({ holdsTenantData }) => holdsTenantData)).toEqual(drives.map(() => false));
  expect(counters.resetsDuringErase).toBe(0);
  expect(await historyProblems(stack, [subject.hostId])).toEqual([]);
  expect(await stepProblems(stack, [subject.hostId])).toEqual([]);
  expect(await leftovers(stack, [subject.hostId])).toEqual([]);
}

describe.sequential("a Dell host with a BOSS card", { timeout: 480_000 }, () => {
  let subject: Subject;

  it("becomes Ready after a release with its card erased by the BMC, and VD_0 made again after a restart", async () => {
    subject = await onboarded("dell-r750-boss");
    await released(subject);
    await isClean(subject);
    expect((await planOf(subject)).map(({ step, status }) => `${step} ${status}`)).toEqual(
      [
        "secure_erase_boss",
        "erase_nvme",
        "verify_mem_overwrite",
        "reset_infiniband",
        "create_boss_volume",
      ].map((step) => `${step} succeeded`),
    );
    const techniques = new Map(
      (await results(subject)).map(({ serial, technique, verdict }) => [
        serial,
        `${technique ?? ""} ${verdict}`,
      ]),
    );
    expect(subject.machine.drives.map(({ serial, media }) => [media, techniques.get(serial)])).toEqual([
      ...[1, 2, 3].map(() => ["nvme", "nvme-sanitize-crypto sanitized"]),
      ...[1, 2].map(() => ["ssd", "dell-boss-decommission sanitized"]),
    ]);
  });

  it("one of whose card's drives is gone stops, and goes on when it is back", async () => {
    const gone = subject.machine.drives.at(-1)?.serial ?? "";
    const [instanceId = ""] = await assign(stack, [subject.hostId]);
    await stack.fleet.fault(subject.machine.serial, { drives: { [gone]: { vanish: true } } });
    await release(stack, [instanceId]);
    const stopped = await waitForState(stack, subject.hostId, "Failed/DeviceMissing");
    expect(stopped.last_error).toContain(gone);
    await stack.fleet.heal(subject.machine.serial);
    await perform(stack, "operator", retryReclamation, { hostId: subject.hostId });
    await isClean(subject);
  });
});

describe.sequential("a BOSS card whose job fails", { timeout: 480_000 }, () => {
  const subject = async (): Promise<Subject> => {
    const machine = machineOf("dell-r750-boss");
    const { id } = await stack.world.backend.database.host.findUniqueOrThrow({
      where: { serial: machine.serial },
      select: { id: true },
    });
    return { machine, hostId: id };
  };

  it("is tried again after the host was off and its BMC restarted, each time", async () => {
    const host = await subject();
    const before = (await stack.fleet.machine(host.machine.serial)).counters.powerActions.length;
    const [instanceId = ""] = await assign(stack, [host.hostId]);
    await stack.fleet.fault(host.machine.serial, { jobs: { fails: 2 } });
    await release(stack, [instanceId]);
    await isClean(host);
    const [erase] = await planOf(host);
    expect(erase).toMatchObject({ step: "secure_erase_boss", status: "succeeded", attempt: 3 });
    const actions = (await stack.fleet.machine(host.machine.serial)).counters.powerActions
      .slice(before)
      .map(({ action }) => action);
    expect(actions.filter((action) => action === "ForceOff")).toHaveLength(2);
    // After each, the host is switched on into the agent, never into what is on the drives.
    expect(actions.flatMap((action, index) => (action === "ForceOff" ? [actions[index + 1]] : []))).toEqual([
      "On",
      "On",
    ]);
  });

  it("five times stops the host with what every job said, powered on, and a retry begins anew", async () => {
    const host = await subject();
    const [instanceId = ""] = await assign(stack, [host.hostId]);
    await stack.fleet.fault(host.machine.serial, { jobs: { fails: 5 } });
    await release(stack, [instanceId]);
    await waitForState(stack, host.hostId, "Failed/BossCleanFailed", 240_000);
    expect(
      (await saidOf(host)).match(/attempt \d: Configure: BOSS.SL.14-1: Exception: Job failed\./g),
    ).toHaveLength(5);
    expect((await stack.fleet.machine(host.machine.serial)).power).toBe("On");
    await perform(stack, "operator", retryReclamation, { hostId: host.hostId });
    await isClean(host);
  });
});

describe.sequential("a Lenovo host with an M.2 RAID kit", { timeout: 480_000 }, () => {
  let subject: Subject;
  const inKit = () =>
    subject.machine.drives.filter(({ media }) => media === "raid-kit").map(({ serial }) => serial);

  it("becomes Ready after a release with each drive of its kit erased and read back", async () => {
    subject = await onboarded("lenovo-sr670-kit");
    await released(subject);
    await isClean(subject);
    expect((await planOf(subject)).map(({ step }) => step)).toEqual([
      "erase_nvme",
      "erase_raid_kit",
      "verify_mem_overwrite",
      "reset_infiniband",
    ]);
    const techniques = new Map(
      (await results(subject)).map(({ serial, technique, verdict }) => [
        serial,
        `${technique ?? ""} ${verdict}`,
      ]),
    );
    expect(inKit().map((serial) => techniques.get(serial))).toEqual(
      [1, 2].map(() => "raid-kit-format sanitized"),
    );
  });

  it("one of whose drives lies is found out, and erased by a retry when it does not", async () => {
    const [liar = ""] = inKit();
    await stack.fleet.fault(subject.machine.serial, { drives: { [liar]: { lieErase: true } } });
    await released(subject);
    const stopped = await waitForState(stack, subject.hostId, "Failed/NVMECleanFailed");
    expect(stopped.last_error).toContain(liar);
    await stack.fleet.heal(subject.machine.serial);
    await perform(stack, "operator", retryReclamation, { hostId: subject.hostId });
    await isClean(subject);
  });
});
