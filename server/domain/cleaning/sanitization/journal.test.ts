// What is passed on to a later attempt: the digests of the tenant's data as first sampled, and the last send.
import { describe, expect, it } from "vitest";
import type { JournalEvent } from "@/server/domain/cleaning/sanitization/device-result";
import { goOnOverReset, journalToHandOn } from "@/server/domain/cleaning/sanitization/journal";
import { techniques } from "@/server/domain/cleaning/sanitization/techniques";

const line = (event: JournalEvent["event"], more: Partial<JournalEvent> = {}): JournalEvent => ({
  serial: "S1",
  model: "M",
  event,
  technique: "nvme-sanitize-crypto",
  at: "2026-11-21T00:00:00.000Z",
  ...more,
});
const first = line("about-to-send", { seed: "a", digests: ["1"] });
const second = line("about-to-send", { seed: "b", digests: ["2"] });
const third = line("about-to-send", { seed: "c", digests: ["3"] });
const fallback = line("about-to-send", { seed: "c", technique: "nvme-sanitize-block" });

it.each<[string, JournalEvent[], JournalEvent[]]>([
  [
    "one attempt is handed on whole",
    [first, line("sent"), line("observed")],
    [first, line("sent"), line("observed")],
  ],
  [
    "of several, the first digests and the last send",
    [first, line("sent"), line("observed"), second, line("sent"), third, line("sent")],
    [first, third, line("sent")],
  ],
  [
    "a fallback comes with the digests that were taken for it",
    [first, line("observed"), third, line("sent"), line("observed"), fallback],
    [first, third, fallback],
  ],
  ["nothing of nothing", [], []],
])("%s", (_what, journal, expected) => expect(journalToHandOn(journal)).toEqual(expected));

it("keeps devices apart", () => {
  const other = { ...first, serial: "S2" };
  expect(journalToHandOn([first, other, second, line("observed"), third])).toEqual([first, other, third]);
});

describe("a reset of the host", () => {
  it.each(techniques)("may be made during %s only if it is an NVMe sanitize", (technique) => {
    expect(goOnOverReset([line("about-to-send", { technique })], ["S1"])).toBe(
      technique.startsWith("nvme-sanitize-"),
    );
  });

  it.each<[string, boolean, JournalEvent[], string[]]>([
    ["if every drive was announced one", true, [first, { ...first, serial: "S2" }], ["S1", "S2"]],
    ["not if nothing was announced for a drive", false, [first], ["S1", "S2"]],
    ["not if a drive's line announces nothing", false, [line("observed")], ["S1"]],
    [
      "not if anything else was announced, whatever came after it",
      false,
      [line("about-to-send", { technique: "nvme-format-user-data" }), second],
      ["S1"],
    ],
    [
      "nor for a drive that nobody expected",
      false,
      [first, line("about-to-send", { serial: "S3", technique: "blkdiscard" })],
      ["S1"],
    ],
    ["not if no drive is known", false, [first], []],
  ])("%s", (_what, may, journal, drives) => expect(goOnOverReset(journal, drives)).toBe(may));
});
