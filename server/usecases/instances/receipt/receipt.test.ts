// What a tenant reads about the return of its machine: each step, each drive, the result and what it does not prove.
import { describe, expect, it } from "vitest";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { leftOutMedia, receiptDrives } from "@/server/usecases/instances/receipt/receipt-drives";
import {
  receiptParts,
  receiptResult,
  type ReturnFacts,
} from "@/server/usecases/instances/receipt/receipt-parts";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const facts = (over: Partial<ReturnFacts> = {}): ReturnFacts => ({
  releaseRequestedAt: at(1),
  endedAt: at(2),
  debt: { clearedAt: null },
  gone: false,
  fake: false,
  reclamationEnded: false,
  standing: null,
  leftOut: [],
  ...over,
});
const result = (serial: string, over: object = {}) => ({
  serial,
  model: "PM9A3",
  media: "nvme",
  technique: "nvme-sanitize-crypto",
  level: "purge",
  standard: "ieee-2883",
  techniqueTable: 2,
  verdict: "sanitized",
  report: {},
  at: at(5),
  ...over,
});
const device = (serial: string, over: object = {}) => ({
  serial,
  model: "PM9A3",
  media: "nvme",
  capacityBytes: "1000",
  ...over,
});
const open = { voided: false, isSettled: false };
const states = (drives: readonly { readonly state: string }[]) => drives.map(({ state }) => state);

describe("the result", () => {
  it.each<readonly [string, Partial<ReturnFacts>]>([
    ["open", { endedAt: null, debt: null }],
    ["open", {}],
    ["open", { reclamationEnded: true }],
    ["open", { debt: null }],
    // The host waits for a repair tenant: its reclamation has not ended.
    ["open", { debt: { clearedAt: at(9) } }],
    ["proven", { debt: { clearedAt: at(9) }, standing: "proven" }],
    ["proven", { debt: { clearedAt: at(9) }, standing: "proven", gone: true }],
    ["provenWithExceptions", { debt: { clearedAt: at(9) }, standing: "provenWithExceptions" }],
    // An exception settles a debt, and proves nothing.
    ["notSanitized", { debt: { clearedAt: at(9) }, standing: "notSanitized" }],
    ["unproven", { debt: { clearedAt: at(9) }, standing: "notProven", gone: true }],
    ["unproven", { debt: { clearedAt: at(9) }, standing: "notChecked" }],
    ["open", { standing: "proven" }],
    ["unproven", { gone: true }],
    ["nothing", { debt: null, fake: true, reclamationEnded: true }],
    ["nothing", { debt: null, fake: true, gone: true }],
    ["open", { debt: null, fake: true }],
    // If there was a machine, a missing debt proves nothing.
    ["open", { debt: null, reclamationEnded: true }],
    ["unproven", { debt: null, gone: true }],
  ])("is %s for %o", (expected, over) => expect(receiptResult(facts(over))).toBe(expected));
});

describe("the steps", () => {
  const steps = (over: Partial<ReturnFacts>, drives: Parameters<typeof receiptParts>[1] = []) =>
    states(receiptParts(facts(over), drives, new Map()).steps);
  const both = receiptDrives(["a", "b"], null, { results: [result("a"), result("b")], progress: [] }, open);
  it("follow one another", () => {
    expect(steps({ releaseRequestedAt: null, endedAt: null })).toEqual([
      "current",
      "ahead",
      "ahead",
      "ahead",
    ]);
    expect(steps({ endedAt: null })).toEqual(["done", "current", "ahead", "ahead"]);
    expect(steps({})).toEqual(["done", "done", "current", "ahead"]);
    expect(steps({}, both)).toEqual(["done", "done", "done", "current"]);
    expect(steps({ debt: { clearedAt: at(9) }, standing: "proven" }, both)).toEqual([
      "done",
      "done",
      "done",
      "done",
    ]);
  });
  it("end where the machine left unproven", () =>
    expect(steps({ gone: true })).toEqual(["done", "done", "never", "never"]));
});

describe("the drives", () => {
  const list = {
    expected: [device("a"), device("b"), device("later")],
    missing: [device("c")],
    answered: [device("d", { disposition: { kind: "removed-destroyed", at: at(3).toISOString() } })],
  };
  const progress = [{ devices: [{ serial: "b", percent: 40, status: "erasing" }] }];

  it("are those that the machine had, each as far as it is", () => {
    const drives = receiptDrives(["d", "c", "b", "a", "e"], list, { results: [result("a")], progress }, open);
    expect(drives.map(({ serial, state }) => [serial, state])).toEqual([
      ["a", "erased"],
      ["b", "erasing"],
      ["c", "missing"],
      ["d", "stated"],
      ["e", "waiting"],
    ]);
    expect(drives[0]).toMatchObject({
      technique: "nvme-sanitize-crypto",
      level: "purge",
      capacityBytes: "1000",
    });
    expect(drives[1]?.percent).toBe(40);
    expect(drives[3]?.statement).toBe("removed and destroyed");
    // A former tenant does not learn of a drive that was added after the release.
    expect(JSON.stringify(drives)).not.toContain("later");
  });

  it("that failed, or whose erase counts no more, are not erased", () => {
    const failed = { results: [result("a"), result("a", { verdict: "failed" })], progress: [] };
    expect(states(receiptDrives(["a"], list, failed, open))).toEqual(["waiting"]);
    const once = { results: [result("a")], progress: [] };
    expect(states(receiptDrives(["a"], list, once, { ...open, voided: true }))).toEqual(["waiting"]);
  });
});

describe("what it does not prove", () => {
  const gates = new Map(gateNames.map((gate) => [gate as string, "satisfied"]));
  const proven = facts({ debt: { clearedAt: at(9) }, standing: "proven" });
  const parts = (serials: readonly string[], statuses = gates) =>
    receiptParts(
      proven,
      receiptDrives(
        serials,
        null,
        { results: [result("a")], progress: [] },
        { voided: false, isSettled: true },
      ),
      statuses,
    );
  it("is said of each receipt, and of what is missing from this one", () => {
    const without = new Map([...gates, ["attestationPassed", "not implemented"]]);
    const { limits, checks } = parts(["a", "x"], without);
    expect(limits.join("\n")).toMatch(/not signed/);
    expect(limits).toContain("No result is on record for: x.");
    expect(limits).toContain("Not read back: a.");
    expect(limits).toContain("Not checked, or left out by the provider: attestationPassed.");
    expect(checks.find(({ gate }) => gate === "attestationPassed")?.status).toBe("notChecked");
    // A gate that was never evaluated was not checked either.
    expect(parts(["a"], new Map()).checks.every(({ status }) => status === "notChecked")).toBe(true);
  });
  it("is said of media that the site's policy leaves out, and of none that is the BMC's own", () => {
    const devices = {
      expected: [device("a")],
      excluded: [
        { serial: "U1", model: "Cruzer", reason: "excluded by the site's policy: of a technician" },
        { serial: "V1", model: "Virtual CD", reason: "virtual medium of the BMC" },
      ],
    };
    const leftOut = leftOutMedia(devices);
    expect(leftOut).toEqual(["Cruzer U1"]);
    expect(leftOutMedia(null)).toEqual([]);
    const drives = receiptDrives(["a"], devices, { results: [result("a")], progress: [] }, open);
    const { limits } = receiptParts({ ...proven, leftOut }, drives, gates);
    expect(limits.join("\n")).toMatch(/excludes/);
    expect(limits).toContain("Excluded by the site's policy, so not erased and not listed above: Cruzer U1.");
    expect(limits.join("\n")).not.toMatch(/V1|technician/);
  });
  it("names nothing that the provider asks for the next tenant", () => {
    const named = parts(["a"]).checks.map(({ gate }) => gate);
    for (const gate of ["healthy", "assuranceSigned", "validationPassed", "cleanupCompleted"])
      expect(named).not.toContain(gate);
  });
});
