// A plan as a list of rows: attempts are expanded for failed devices, and on request.
import { describe, expect, it } from "vitest";
import { runRowClass, runRows } from "@/components/reclamations/step-runs/run-rows";
import type { DeviceLine, StepRunLine } from "@/server/surfaces/trpc/types";

const attempt = {
  technique: "block erase",
  status: "Invalid Opcode",
  code: null,
  refused: "Invalid Opcode",
  completed: false,
  command: "nvme sanitize",
  exitCode: 1,
  attempt: 1,
  startedAt: new Date(0),
  tookMs: 10,
};
const device = (serial: string, tone: DeviceLine["tone"], tries = 1): DeviceLine => ({
  serial,
  tone,
  slot: null,
  model: "PM9A3",
  media: "nvme",
  technique: null,
  firmware: null,
  result: "",
  percent: null,
  verification: "",
  level: null,
  startedAt: null,
  endedAt: null,
  passedOver: [],
  tries: Array.from({ length: tries }, () => attempt),
});
const run = (devices: readonly DeviceLine[], args: StepRunLine["args"] = {}): StepRunLine => ({
  id: "run",
  planEpoch: 1,
  position: 0,
  interface: "deploy",
  step: "deploy.erase_nvme",
  status: "running",
  tone: "working",
  result: "",
  message: null,
  attempt: 1,
  maxAttempts: 3,
  startedAt: new Date(0),
  endedAt: null,
  expectedMs: null,
  expectedEndAt: null,
  deadlineAt: null,
  priority: 90,
  prioritySource: "default",
  timeLimitMs: null,
  proves: [],
  restarts: false,
  where: "agent",
  abortable: true,
  erases: true,
  args,
  devices: [...devices],
});
const ids = (devices: readonly DeviceLine[], toggled: readonly string[] = []) =>
  runRows([run(devices)], [], new Set(toggled)).map(({ id }) => id);

describe("the rows of a plan", () => {
  it("show the attempts of a failed device", () =>
    expect(ids([device("A", "good"), device("B", "failed", 2)])).toEqual([
      "run",
      "run A",
      "run B",
      "run B 0",
      "run B 1",
    ]));
  it("open and close on request", () =>
    expect(ids([device("A", "good"), device("B", "failed")], ["run A", "run B"])).toEqual([
      "run",
      "run A",
      "run A 0",
      "run B",
    ]));
  it("show all of an attempt on request, and the message of a run", () => {
    expect(ids([device("B", "failed")], ["run B 0"])).toEqual(["run", "run B", "run B 0", "run B 0 answer"]);
    const rows = runRows([{ ...run([]), message: "line 1\nline 2" }], [], new Set(["run"]));
    expect(rows).toMatchObject([{ kind: "run" }, { kind: "message", message: "line 1\nline 2" }]);
  });
  it("show what was not sent before what was", () => {
    const passedOver = [{ technique: "nvme-sanitize-crypto", why: "not in SANICAP 2h" }];
    const rows = runRows([run([{ ...device("B", "failed"), passedOver }])], [], new Set());
    expect(rows.map(({ kind }) => kind)).toEqual(["run", "device", "passedOver", "attempt"]);
    const nothingSent = runRows([run([{ ...device("B", "failed", 0), passedOver }])], [], new Set());
    expect(nothingSent.map(runRowClass)).toEqual([
      "step-run",
      "device",
      "attempt last-of-device last-of-run",
    ]);
  });
  it("are all open on paper", () =>
    expect(
      runRows([run([device("A", "good")])], [], new Set(["run A"]), true).map(({ kind }) => kind),
    ).toEqual(["run", "device", "attempt", "answer"]));
  it("end the line of a run at its last row", () =>
    expect(
      runRows([run([device("A", "good"), device("B", "failed")])], [], new Set()).map(runRowClass),
    ).toEqual(["step-run", "device", "device", "attempt last-of-device last-of-run"]));
  it("say the arguments below the step", () =>
    expect(runRows([run([], { seconds: 5 })], [], new Set()).map(({ kind }) => kind)).toEqual([
      "run",
      "args",
    ]));
});
