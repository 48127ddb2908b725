// How long an erase may take, and until when it protects its host.
import { describe, expect, it } from "vitest";
import {
  eraseLimitMs,
  eraseMayRunUntilMs,
  eraseProtectedUntilMs,
  stepEndsAtMs,
} from "@/server/domain/cleaning/erase-time";
import type { EraseFacts } from "@/server/domain/cleaning/erase-time";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";

const minute = 60_000;
const now = Date.UTC(2026, 10, 1, 12);
const drive = (media: "nvme" | "hdd", capacityBytes: string): StorageDevice => ({
  serial: "S",
  model: "M",
  media,
  transport: media === "nvme" ? "nvme" : "sata",
  capacityBytes,
  removable: false,
});

describe("the time limit of an erase", () => {
  const policy = defaultPolicy();

  it("comes from the slowest technique that is allowed on the drive that takes longest", () => {
    expect(eraseLimitMs(policy, [drive("nvme", "2000000000000"), drive("nvme", "1000")])).toBe(
      30 * minute + 10_000_000,
    );
    // A 20 TB disk overwrites itself internally, at 50 MB/s when it is old.
    expect(eraseLimitMs(policy, [drive("hdd", "20000000000000")])).toBe(30 * minute + 400_000_000);
  });

  it("is at least four hours where the BMC erases, of which nobody hears meanwhile", () => {
    expect(eraseLimitMs(policy, [drive("nvme", "480000000000")], ["redfish-drive-secure-erase"])).toBe(
      240 * minute,
    );
    expect(eraseLimitMs(policy, [drive("hdd", "20000000000000")], ["redfish-drive-secure-erase"])).toBe(
      30 * minute + 400_000_000,
    );
  });

  it("is never longer than the policy's maximum, which holds where nothing is known", () => {
    expect(eraseLimitMs(policy, [drive("hdd", "90000000000000")])).toBe(policy.times.eraseStepMs);
    expect(eraseLimitMs(policy, [])).toBe(policy.times.eraseStepMs);
    expect(eraseLimitMs(policy, [drive("nvme", "0")])).toBe(policy.times.eraseStepMs);
  });
});

const facts = (changes: Partial<EraseFacts>): EraseFacts => ({
  deadlineAtMs: now + 100 * minute,
  ends: {},
  reportedAtMs: now,
  movedAtMs: now - 30 * minute,
  maxMs: 240 * minute,
  noProgressMs: 10 * minute,
  ...changes,
});
const until = (changes: Partial<EraseFacts>) => eraseMayRunUntilMs(facts(changes));

describe("an erase may run until", () => {
  it("the end of the drive that takes longest", () => {
    expect(until({ ends: { A: now + 20 * minute, B: now + 180 * minute, C: now } })).toBe(now + 180 * minute);
  });

  it("the step's time limit, where nobody knows of one drive, or of any", () => {
    expect(until({ ends: { A: now + 20 * minute, B: null } })).toBe(now + 100 * minute);
    expect(until({ ends: { A: now + 120 * minute, B: null } })).toBe(now + 120 * minute);
    expect(until({})).toBe(now + 100 * minute);
    expect(until({ deadlineAtMs: null })).toBeNull();
  });

  it("its next progress was due, where it went on past the time limit", () => {
    expect(until({ ends: { A: null }, deadlineAtMs: now - minute, movedAtMs: now - 2 * minute })).toBe(
      now + 8 * minute,
    );
  });

  it("no longer than the policy's maximum after it was heard of last, whatever a drive says", () => {
    expect(until({ ends: { A: now + 5_000_000 * minute } })).toBe(now + 240 * minute);
  });
});

describe("a host is protected until", () => {
  const protectedUntil = (leftUntilMs: number | null, changes: Partial<EraseFacts> = {}) =>
    eraseProtectedUntilMs({ ...facts(changes), leftUntilMs, stateSinceMs: now });

  it("the later of its present erase and of what was left behind", () => {
    expect(protectedUntil(now + 110 * minute)).toBe(now + 110 * minute);
    expect(protectedUntil(now + 90 * minute)).toBe(now + 100 * minute);
    expect(protectedUntil(null)).toBe(now + 100 * minute);
  });

  it("the policy's maximum, where nothing at all is known", () => {
    expect(protectedUntil(null, { deadlineAtMs: null, reportedAtMs: null })).toBe(now + 240 * minute);
  });

  it("no time of the far future that somebody once believed", () => {
    expect(protectedUntil(now + 5_000_000 * minute)).toBe(now + 480 * minute);
  });
});

it("a step that made progress is out of time when its next progress was due", () => {
  expect(stepEndsAtMs(now, now - minute, 10 * minute)).toBe(now + 9 * minute);
  expect(stepEndsAtMs(now, now - 30 * minute, 10 * minute)).toBe(now);
  expect(stepEndsAtMs(now, null, 10 * minute)).toBe(now);
});
