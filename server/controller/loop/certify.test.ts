// The certificate of a host that becomes Ready is in the same commit; without one the host does not become Ready.
import { describe, expect, it } from "vitest";
import { decide } from "@/server/controller/decide/decide";
import { certified } from "@/server/controller/loop/certify";
import type { Decided } from "@/server/controller/loop/commit-rows";
import type { ReadRecords } from "@/server/db/certificates/read-records";
import { allProven, hostView, path, reclamationId } from "@/server/controller/testing/host-view";
import {
  acksOf,
  agent,
  allSanitized,
  inventory,
  networkContext,
  planned,
  succeededPlan,
} from "@/server/controller/testing/view-parts";
import { allDrives } from "@/server/controller/testing/hardware";
import { statement } from "@/server/domain/assurance/certificates/statement";

const network = networkContext("admin");
const view = hostView("ReturnToAllocation/EvaluatingGates", {
  reclamation: planned(),
  steps: succeededPlan(),
  deviceVerdicts: allSanitized,
  agent: agent(),
  inventory: inventory(),
  acks: acksOf(network),
  context: { network, proven: allProven },
});
const id = "10000000-0000-4000-8000-000000000001";
const ids = { newId: () => id };
const decided: Decided = { view, decision: decide(view, ids) };

const at = "2026-11-23T12:00:00.000Z";
const host = { id, name: "h", systemUuid: null, manufacturer: null, model: null, sku: null };
const place = { site: "s", demo: true, rack: null, slot: null, hardwareType: "redfish", skuComponents: null };
const reclamation = {
  id: reclamationId,
  number: "1",
  hostSerial: "S",
  kind: "release",
  instanceId: null,
  tenantId: null,
  requestedBy: null,
  startedAt: at,
  endedAt: at,
  outcome: null,
  standing: null,
  cleanedNothing: false,
  restsOn: null,
  message: null,
  policyVersion: 1,
  policy: {},
  devices: null,
};
const results = allDrives.map(({ serial, model, media }) => ({
  serial,
  model,
  media,
  technique: "nvme-sanitize-crypto",
  standard: "ieee-2883",
  level: "purge",
  techniqueTable: 2,
  verdict: "sanitized",
  reason: "verified",
  report: {},
  at,
}));
const records = {
  host: { ...host, ...place },
  reclamation,
  results,
  gates: [],
  measuredBoot: null,
  exceptions: [],
  procedures: [],
  boots: [],
};
const reading = (found: ReadRecords["records"] | null) => () =>
  Promise.resolve(
    new Map(
      found === null ? [] : [[decided.decision.reclamation?.row.id ?? "", { issuer: "log", records: found }]],
    ),
  );
const certifyBy = (
  read: Parameters<typeof certified>[0]["read"],
  batch: readonly Decided[],
  passes = false,
) =>
  certified(
    {
      read,
      ...ids,
      decide: (one, certificateFault) => decide(one, { ...ids, certificateFault }),
      failed: () => passes,
    },
    batch,
  );
const certify = async (found: ReadRecords["records"] | null) =>
  (await certifyBy(reading(found), [decided])).whole;

describe("a host that becomes Ready", () => {
  it("has its certificate in the commit, with what the decision itself knows", async () => {
    expect(path(decided.decision)).toEqual(["Ready"]);
    const [item] = await certify(records);
    const said = statement.parse(JSON.parse(item?.certificate?.statement ?? "null"));
    expect(said.predicate.devices.map(({ serial, result }) => [serial, result])).toEqual(
      allDrives.map(({ serial }) => [serial, "sanitized"]).sort(),
    );
    expect(said.predicate.gates).toHaveLength(decided.decision.gates.length);
  });
  it.each([
    ["without a result of a drive", { ...records, results: results.slice(1) }, "has no result"],
    ["whose records cannot be read", "host.name: wrong", "cannot be read"],
    ["that is not on record", null, "not on record"],
  ])("%s does not, and says why", async (_what, found, why) => {
    const [item] = await certify(found);
    expect(item?.certificate).toBeUndefined();
    expect(path(item?.decision ?? decided.decision)).toEqual(["Failed/ManualInterventionRequired"]);
    expect(item?.decision.entered.at(-1)?.reason).toContain(why);
  });
});

describe("a host whose certificate cannot be made for another reason", () => {
  const otherId = "20000000-0000-4000-8000-000000000002";
  const ended = decided.decision.reclamation;
  if (ended === null || ended === undefined) throw new Error("no reclamation ends");
  const other: Decided = {
    view,
    decision: { ...decided.decision, reclamation: { ...ended, row: { ...ended.row, id: otherId } } },
  };
  const step: Decided = { view, decision: { ...decided.decision, reclamation: null } };
  const answer = (asked: readonly string[], found: ReadRecords["records"]) =>
    new Map(asked.map((one) => [one, { issuer: "log", records: found }]));
  it.each([
    [
      "its records throw",
      (asked: readonly string[]) =>
        answer(
          asked.filter((one) => one !== otherId),
          records,
        ),
    ],
    ["the database refuses its row", (asked: readonly string[]) => answer(asked, records)],
  ])("%s: it waits alone and says why", async (what, found) => {
    const bad = {
      issuer: "log",
      get records(): never {
        throw new Error("a bad row");
      },
    };
    const read = (asked: readonly string[]) =>
      what.startsWith("the database") && asked.includes(otherId)
        ? Promise.reject(new Error("a bad row"))
        : Promise.resolve(
            what.startsWith("its records")
              ? new Map([...found(asked), [otherId, bad] as const])
              : found(asked),
          );
    const { whole, refused } = await certifyBy(read, [step, decided, other]);
    expect(whole.map(({ certificate }) => certificate !== undefined)).toEqual([false, true]);
    expect(refused).toEqual([
      expect.objectContaining({ message: expect.stringContaining("a bad row"), afterMs: 30_000 }),
    ]);
  });
  it("the database is away: those that end wait, and it is asked once", async () => {
    let asked = 0;
    const read = () => {
      asked += 1;
      return Promise.reject(new Error("away"));
    };
    const { whole, refused } = await certifyBy(read, [step, decided, other], true);
    expect([whole.length, refused.map(({ afterMs, message }) => [afterMs, message]), asked]).toEqual([
      1,
      [
        [1000, null],
        [1000, null],
      ],
      1,
    ]);
  });
});
