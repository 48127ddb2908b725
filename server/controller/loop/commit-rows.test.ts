// The rows of a commit: the fence, and what must not be overwritten.
import { describe, expect, it } from "vitest";
import { commitRows, requestHash, runRow } from "@/server/controller/loop/commit-rows";
import {
  by,
  decideOn,
  hostId,
  hostView,
  instanceId,
  minute,
  now,
  reclamationId,
  stepId,
} from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  attempt,
  instance,
  inventory,
  networkContext,
  plan,
  planned,
  reclamation,
} from "@/server/controller/testing/view-parts";
import { allDrives, deviceResultOf } from "@/server/controller/testing/hardware";
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/hosts/record/view";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { JudgedDevice } from "@/server/domain/hosts/record/reclamation";
import { read, reading, watch } from "@/server/controller/testing/hand-over-look";
import { freezeDevices } from "@/server/domain/cleaning/sanitization/known-devices";

const decided = (view: HostView) => ({ view, decision: decideOn(view) });
const row = (view: HostView) => runRow(decided(view));
const network = networkContext("admin");

describe("the fence", () => {
  it("carries generation and wake sequence of the claim", () => {
    expect(row(hostView("Ready"))).toMatchObject({
      hostId,
      generation: "7",
      wakeSeq: "3",
      strict: false,
      expectEvidenceSeq: null,
      keepLease: false,
    });
  });

  it("is strict where Ready is left without an instance: one may have come meanwhile", () => {
    expect(row(hostView("Ready", { signals: [{ kind: "manage", payload: { by } }] })).strict).toBe(true);
    expect(row(hostView("Ready", { instance: instance() })).strict).toBe(false);
    const signals = [{ kind: "decommission" as const, payload: { by, reason: "sold", keepAccount: false } }];
    expect(
      row(hostView("ReturnToAllocation/AwaitingRepair", { reclamation: planned(), signals })).strict,
    ).toBe(true);
  });

  it("is strict where maintenance changes: a person may have set it meanwhile", () => {
    const failedRetry = hostView("Failed/NVMECleanFailed", {
      reclamation: planned({ stoppedIn: "WaitingForCleanup/HostCleanup" }),
      steps: plan(),
      context: { network },
      acks: acksOf(network),
      run: { maintenance: true, maintenanceBy: "failure" },
      signals: [{ kind: "retry", payload: { by } }],
    });
    expect(row(failedRetry)).toMatchObject({
      strict: true,
      maintenanceSet: true,
      maintenance: false,
      maintenanceBy: null,
    });
    expect(
      row(
        hostView("Failed/NVMECleanFailed", {
          reclamation: planned({ stoppedIn: "WaitingForCleanup/HostCleanup" }),
          steps: plan(),
          context: { network },
          run: { maintenance: true, maintenanceBy: "person" },
        }),
      ),
    ).toMatchObject({ strict: false, maintenanceSet: false });
  });

  it("is strict where a Ready host is left out of allocation: a person may have let it in meanwhile", () => {
    expect(
      row(hostView("Ready", { run: { maintenance: true, maintenanceBy: "person", allocatable: false } })),
    ).toMatchObject({ strict: true, allocatable: false, maintenanceSet: false });
    expect(
      row(
        hostView("Ready", {
          run: { maintenance: true, maintenanceBy: "person", allocatable: false },
          instance: instance(),
        }),
      ),
    ).toMatchObject({ allocatable: false });
  });

  it("is strict where an attempt is given up: its report may have come meanwhile", () => {
    const steps = plan({
      erase_nvme: {
        status: "running",
        attempt: 1,
        startedAtMs: now - 9 * minute,
        deadlineAtMs: now + minute,
      },
    });
    const silent = hostView("WaitingForCleanup/HostCleanup", {
      reclamation: planned(),
      agent: agent({ lastSeenMs: now - 5 * minute }),
      context: { network, minEpoch: 3 },
      acks: acksOf(network),
      steps,
      attempt: attempt(),
    });
    expect(row(silent)).toMatchObject({ strict: true });
    const brought = attempt({
      report: { attempt: 1, result: "ERROR", message: "no", devices: [], journal: [] },
    });
    // The report is judged as it is, which needs no such fence. Nor does it set maintenance while retries are left.
    const judged = { ...silent, attempt: brought, steps: steps.map((step) => ({ ...step, maxAttempts: 2 })) };
    expect(decideOn(judged).attempts).toMatchObject([{ verdict: "failed" }]);
  });

  it("keeps the lease while an effect is under way", () => {
    expect(row(hostView("Enroll", { signals: [{ kind: "manage", payload: { by } }] })).keepLease).toBe(true);
  });
});

describe("the command", () => {
  it("is kept, set or taken away", () => {
    expect(row(hostView("Ready"))).toMatchObject({ commandSet: false });
    const step = hostView("WaitingForCleanup/HostCleanup", {
      reclamation: planned(),
      steps: plan(),
      agent: agent(),
      context: { network, minEpoch: 3 },
    });
    expect(row(step)).toMatchObject({
      commandSet: true,
      commandEpoch: 3,
      cleanBegins: true,
      cleanStep: "deploy.erase_nvme",
      erasingSet: true,
      erasing: true,
    });
    expect(row(hostView("Ready", { instance: instance(), effects: [read(reading)], watch }))).toMatchObject({
      commandSet: true,
      command: null,
      commandEpoch: null,
    });
  });
});

const verdictOf = (drive: StorageDevice): JudgedDevice => ({
  serial: drive.serial,
  model: drive.model,
  media: drive.media,
  technique: deviceResultOf(drive).technique ?? null,
  standard: "ieee-2883",
  level: "purge",
  techniqueTable: 2,
  verdict: "sanitized",
  reason: "",
  report: deviceResultOf(drive),
});

describe("the documents of a reclamation", () => {
  const known = planned();
  const { content } = known;
  const rowOf = (change: Partial<NonNullable<Decision["reclamation"]>["row"]>, isNew = false) => {
    const view = hostView("WaitingForCleanup/HostCleanup", { reclamation: known, steps: plan() });
    const decision = {
      ...decideOn(view),
      reclamation: { row: { ...known, ...change }, isNew, outcome: null },
    };
    return commitRows([{ view, decision }], () => "row-id").reclamations[0];
  };
  const unchanged = {
    devicesSet: false,
    devices: null,
    planSet: false,
    plan: null,
    contentSet: false,
    content: null,
  };

  it("are not written again while they are as they were", () =>
    expect(rowOf({ message: "stopped" })).toMatchObject({ ...unchanged, message: "stopped" }));

  it("are written when they changed, and all of a new one", () => {
    const devices = freezeDevices([], [], [], []);
    expect(rowOf({ devices })).toMatchObject({ ...unchanged, devicesSet: true, devices });
    expect(rowOf({}, true)).toMatchObject({ devicesSet: true, planSet: true, contentSet: true });
    expect(rowOf({ content: null })).toMatchObject({ contentSet: true, content: null, contentRead: null });
  });

  it("name a reading of the content beside it: its digests are written only with an erase", () => {
    if (content === null) throw new Error("this reclamation has content");
    const read = { epoch: 4, at: "2026-11-22T00:00:00.000Z" };
    expect(rowOf({ content: { ...content, read } })).toMatchObject({ ...unchanged, contentRead: read });
    expect(rowOf({ content: { ...content, read: null } })).toMatchObject({
      ...unchanged,
      contentRead: null,
    });
    const { read: _, ...stored } = { ...content, drives: [] };
    expect(rowOf({ content: { ...content, drives: [], read: null } })).toMatchObject({
      contentSet: true,
      content: stored,
      contentRead: null,
    });
  });

  it("hold a drive's fingerprint once: its verdict names none", () => {
    const view = hostView("WaitingForCleanup/HostCleanup", { reclamation: planned(), steps: plan() });
    const deviceResults = allDrives.map((drive) => ({
      ...verdictOf(drive),
      stepRunId: stepId(1),
      attempt: 1,
      standard: "ieee-2883" as const,
    }));
    const { devices } = commitRows(
      [{ view, decision: { ...decideOn(view), deviceResults } }],
      () => "row-id",
    );
    expect(devices).toHaveLength(allDrives.length);
    for (const device of devices) expect(device).not.toHaveProperty("report.fingerprint");
  });
});

describe("the rows of a host", () => {
  it("name the reclamation that they belong to, and number the history from the version before", () => {
    const view = hostView("WaitingForCleanup/Queued", {
      reclamation: reclamation(),
      agent: agent(),
      inventory: inventory(),
      context: { network, minEpoch: 3 },
      acks: acksOf(network),
    });
    const rows = commitRows([decided(view)], () => "row-id");
    expect(rows.history).toMatchObject([
      { n: 1, entered: 2, state: "WaitingForCleanup/Init", reclamationId },
      { n: 2, entered: 2, state: "WaitingForCleanup/HostCleanup" },
    ]);
    expect(rows.reclamations).toMatchObject([
      { id: reclamationId, isNew: false, policy: null, planEpoch: 1 },
    ]);
    expect(rows.steps).toHaveLength(4);
    expect(rows.feed).toEqual([{ hostId, tenantId: null }]);
  });

  it("touch an attempt only once: the last word counts", () => {
    const view = hostView("WaitingForCleanup/HostCleanup", {
      reclamation: planned(),
      agent: agent(),
      context: { network, minEpoch: 3 },
      acks: acksOf(network),
      steps: plan({
        erase_nvme: { status: "running", attempt: 1, startedAtMs: now, deadlineAtMs: now + minute },
      }),
      attempt: attempt({ report: { attempt: 1, result: "ERROR", message: "no", devices: [], journal: [] } }),
    });
    const rows = commitRows([decided(view)], () => "row-id");
    expect(rows.attempts).toMatchObject([
      { stepRunId: stepId(1), attempt: 1, ended: true, verdict: "failed" },
    ]);
  });

  it("end an instance with its debt", () => {
    const view = hostView("Assigned/WaitingForNetworkReconfig", {
      reclamation: reclamation(),
      instance: instance({ releaseRequestedMs: now }),
      context: { network },
      acks: acksOf(network),
      inventory: inventory(),
    });
    const rows = commitRows([decided(view)], () => "debt-id");
    expect(rows.instances).toEqual([{ hostId, id: instanceId, ended: true, ready: false }]);
    expect(rows.debts).toMatchObject([
      {
        id: "debt-id",
        chassisSerial: "CHASSIS1",
        instanceId,
        driveSerials: ["NVME1", "NVME2", "SSD1"],
      },
    ]);
  });
});

it("equal requests have equal hashes, whatever the order of their members", () => {
  expect(requestHash("network", { a: 1, b: 2 })).toBe(requestHash("network", { b: 2, a: 1 }));
  expect(requestHash("network", { a: 1 })).not.toBe(requestHash("bootAgent", { a: 1 }));
});
