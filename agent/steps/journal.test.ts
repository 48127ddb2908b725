// Which earlier erase a successor may join: only one that was announced, whose end is not recorded, on a device divided as it was.
import { describe, expect, it } from "vitest";
import { aboutToSend, earlierSend, firstDigests } from "@/agent/steps/journal";
import type { JournalEvent } from "@/agent/steps/results";
import type { Area } from "@/agent/verification/area";

const drive = { serial: "S1", model: "M" };
const at = new Date("2026-11-21T00:00:00Z");
const areas: readonly Area[] = [
  { target: { kind: "nvme", controller: "/dev/nvme0", namespace: 1 }, blocks: 100, blockBytes: 512 },
];
const announced = aboutToSend(drive, "nvme-sanitize-crypto", at, {
  seed: "s",
  digests: ["a", "", "b"],
  markersWritten: 5,
  areas,
});
const said = (event: "sent" | "observed"): JournalEvent => ({
  ...drive,
  event,
  technique: "nvme-sanitize-crypto",
  at: at.toISOString(),
});

describe("an earlier send", () => {
  it("is joined with what was prepared for it", () => {
    const expected = {
      technique: "nvme-sanitize-crypto",
      seed: "s",
      digests: ["a", "", "b"],
      markersWritten: 5,
      canaries: null,
    };
    expect(earlierSend([announced], drive, areas)).toEqual(expected);
    expect(earlierSend([announced, said("sent")], drive, areas)).toEqual(expected);
  });

  it("by another technique of the same seed uses the first one's digests", () => {
    const second = aboutToSend(drive, "nvme-sanitize-block", at, { seed: "s", markersWritten: 5, areas });
    expect(earlierSend([announced, said("sent"), said("observed"), second], drive, areas)).toMatchObject({
      technique: "nvme-sanitize-block",
      digests: ["a", "", "b"],
    });
  });

  it.each([
    ["nothing was announced", []],
    ["its end was observed", [announced, said("sent"), said("observed")]],
    ["it was another drive's", [{ ...announced, serial: "S2" }]],
    ["it was another model's of the same serial", [{ ...announced, model: "N" }]],
    [
      "there are no digests",
      [aboutToSend(drive, "nvme-sanitize-crypto", at, { seed: "s", markersWritten: 5, areas })],
    ],
    [
      "the digests belong to another seed",
      [announced, aboutToSend(drive, "nvme-sanitize-crypto", at, { seed: "t", markersWritten: 5, areas })],
    ],
  ])("is none when %s", (_why, journal) => {
    expect(earlierSend(journal, drive, areas)).toBeNull();
  });

  it("is none when the device is divided otherwise: the places to compare would be others", () => {
    const [area] = areas;
    expect(area && earlierSend([announced], drive, [{ ...area, blocks: 200 }])).toBeNull();
    expect(area && earlierSend([announced], drive, [area, area])).toBeNull();
  });
});

describe("the first digests", () => {
  const later = aboutToSend(drive, "nvme-sanitize-crypto", at, {
    seed: "t",
    digests: ["c"],
    markersWritten: 5,
    areas,
  });

  it("are those of the first attempt, whatever became of it", () => {
    expect(firstDigests([announced, said("sent"), said("observed"), later], drive, areas)).toEqual({
      seed: "s",
      digests: ["a", "", "b"],
    });
  });

  it("are none of another drive, or of one that is divided otherwise", () => {
    const [area] = areas;
    expect(firstDigests([], drive, areas)).toBeNull();
    expect(firstDigests([{ ...announced, serial: "S2" }], drive, areas)).toBeNull();
    expect(area && firstDigests([announced], drive, [{ ...area, blocks: 200 }])).toBeNull();
  });
});
