// What counts as sanitized. Anything that is not proven has failed.
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { ResultBody } from "@/server/domain/agents/protocol";
import type { DeviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import { judgeDevice, judgeStep } from "@/server/domain/cleaning/sanitization/judge";
import {
  countsWithoutException,
  levelOf,
  levels,
  reaches,
  standards,
  techniqueTable,
  techniques,
} from "@/server/domain/cleaning/sanitization/techniques";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import { device, read, result, tries } from "@/server/domain/cleaning/sanitization/testing/device-results";

const policy = defaultPolicy().sanitization;

const by = (technique: Technique): Partial<DeviceResult> => ({ technique, tries: tries(technique) });

const reported = (devices: readonly DeviceResult[]): ResultBody => ({
  ...{ attempt: 1, result: "OK", message: "", journal: [] },
  devices: [...devices],
});

const without = (key: "technique" | "verification"): DeviceResult => {
  const { [key]: _left, ...rest } = result("A");
  return rest;
};

describe("a device", () => {
  it("is sanitized by technique, its own completion, and nothing found again", () => {
    expect(judgeDevice(result("A"), "nvme", policy)).toMatchObject({
      verdict: "sanitized",
      level: "purge",
      reason: "purge by nvme-sanitize-crypto; 0 of 1000 samples and 0 of 16 markers found again",
    });
  });

  it("that still holds a canary is not sanitized, whatever the agent says of it", () => {
    const probe = { areas: "1/100/512", written: "Bw", read: "Bw", found: "Ag", renewed: false };
    expect(judgeDevice(result("A", { probe }), "nvme", policy)).toMatchObject({
      verdict: "failed",
      reason: "1 canaries of the remnant probe were found again",
    });
    const refuted = result("A", { probe, result: "ERROR", message: "left" });
    expect(judgeStep([device("A")], reported([refuted]), policy).causes).toMatchObject([
      { key: "remnantFound", device: { serial: "A" }, facts: { found: 1, canaries: 3 } },
    ]);
    expect(judgeDevice(result("A", { probe: { ...probe, found: "" } }), "nvme", policy).verdict).toBe(
      "sanitized",
    );
  });

  it("says how its erase was probed where the policy asks for canaries", () => {
    const asks = { ...policy, canariesPerDevice: 3 };
    const fingerprint = [
      { name: "drive", blocks: 1, blockBytes: 512, places: { bootRecord: "a", sampled: "b" } },
    ];
    const probe = { areas: "1/100/512", written: "Bw", read: "Bw", found: "", renewed: false };
    const reason = (changes: Partial<DeviceResult>) =>
      judgeDevice(result("A", { fingerprint, ...changes }), "nvme", asks, "agent", true).reason;
    expect(reason({})).toMatch(/not probed: the agent has no remnant probe$/);
    expect(reason({ probe: { ...probe, written: "" } })).toMatch(/not probed: it took no canary$/);
    expect(reason({ probe })).toMatch(/0 of 3 canaries found again right after it$/);
    expect(reason({ probe: { ...probe, read: "Aw" } })).toMatch(/0 of 2 canaries found again/);
    expect(reason({ probe: { ...probe, read: "" } })).toMatch(/none of its 3 canaries could be read/);
  });

  it("that was not probed is sanitized, unless the policy requires a probe and it is asked for", () => {
    const requires = { ...policy, requireProbe: true };
    const content = [
      { name: "drive", blocks: 1, blockBytes: 512, places: { bootRecord: "a", sampled: "b" } },
    ];
    const verdict = (changes: Partial<DeviceResult>, asked = true) =>
      judgeStep(
        [device("A")],
        reported([result("A", { fingerprint: content, ...changes })]),
        requires,
        "agent",
        asked,
      );
    const probe = { areas: "1/100/512", written: "", read: "Bw", found: "", renewed: false };
    for (const changes of [{}, { probe }])
      expect(verdict(changes)).toMatchObject({
        ok: false,
        devices: [{ reason: expect.stringContaining("not probed") }],
        causes: [{ key: "notProbed", device: { serial: "A" } }],
      });
    expect(verdict({ probe: { ...probe, written: "Bw" } }).ok).toBe(true);
    expect(verdict({}, false).ok).toBe(true);
    // Later readings of recreated namespaces do not count, so this one must.
    const unread = { ...probe, written: "Bw", read: "" };
    expect(verdict({ probe: unread }).ok).toBe(true);
    expect(verdict({ probe: { ...unread, renewed: true } })).toMatchObject({
      ok: false,
      causes: [{ key: "notProbed", raw: expect.stringContaining("none of its canaries could be read") }],
    });
    expect(verdict({ probe: { ...unread, read: "AQ", renewed: true } }).ok).toBe(true);
  });

  it("that a BMC erased by a technique of its own is sanitized by the status of the job; from an agent that is not enough", () => {
    const erased = result("A", {
      ...by("redfish-drive-secure-erase"),
      verification: { ...read, kind: "status-only", samples: 0, markersWritten: 0, result: "impossible" },
    });
    expect(judgeDevice(erased, "nvme", policy, "bmc")).toMatchObject({
      verdict: "sanitized",
      level: "purge",
    });
    const requires = { ...policy, requireProbe: true };
    expect(judgeStep([device("A")], reported([erased]), requires, "bmc", true)).toMatchObject({
      ok: false,
      devices: [{ reason: "erased by its BMC, which reads nothing back; the policy requires a probe" }],
      causes: [{ key: "notProbed", device: { serial: "A" } }],
    });
    expect(judgeDevice(erased, "nvme", requires, "bmc").verdict).toBe("sanitized");
    expect(judgeDevice(erased, "nvme", policy)).toMatchObject({
      verdict: "failed",
      reason: "the device could not be sampled",
    });
    expect(judgeDevice({ ...erased, ...by("nvme-sanitize-crypto") }, "nvme", policy, "bmc").verdict).toBe(
      "failed",
    );
    expect(
      judgeDevice(
        { ...erased, tries: tries("redfish-drive-secure-erase", { completed: false }) },
        "nvme",
        policy,
        "bmc",
      ).verdict,
    ).toBe("failed");
  });

  it.each<[string, DeviceResult, RegExp]>([
    ["the agent says so", result("A", { result: "ERROR", message: "media error" }), /^media error$/],
    ["the agent says so without words", result("A", { result: "ERROR" }), /reports an error/],
    ["no technique completed", without("technique"), /no technique completed/],
    ["nothing was sent", result("A", { tries: [] }), /the last command sent was not/],
    [
      "another command was sent last",
      result("A", { tries: [...tries("nvme-sanitize-crypto"), ...tries("blkdiscard")] }),
      /the last command sent was not nvme-sanitize-crypto/,
    ],
    [
      "the device did not complete it",
      result("A", { tries: tries("nvme-sanitize-crypto", { completed: false, status: "SSTAT 3h" }) }),
      /did not complete: exit 0, SSTAT 3h/,
    ],
    [
      "the command failed",
      result("A", { tries: tries("nvme-sanitize-crypto", { exitCode: 1 }) }),
      /did not complete: exit 1/,
    ],
    [
      "its level is below the minimum",
      result("A", by("nvme-format-user-data")),
      /is clear under ieee-2883; policy asks for purge/,
    ],
    ["its technique never counts", result("A", by("blkdiscard")), /never counts/],
    [
      "its technique counts only by exception",
      result("A", by("nvme-format-crypto")),
      /only with an approved exception/,
    ],
    ["it was not read back", without("verification"), /not read back/],
    [
      "only its status was read",
      result("A", { verification: { ...read, kind: "status-only" } }),
      /could not be sampled/,
    ],
    [
      "it could not be sampled",
      result("A", { verification: { ...read, result: "impossible" } }),
      /could not be sampled/,
    ],
    [
      "nothing was sampled",
      result("A", { verification: { ...read, samples: 0, markersWritten: 0 } }),
      /could not be sampled/,
    ],
    [
      "a sample was found again",
      result("A", { verification: { ...read, mismatches: 1 } }),
      /1 of 1000 samples/,
    ],
    [
      "a marker was found again",
      result("A", { verification: { ...read, markersFound: 1 } }),
      /1 of 16 markers/,
    ],
    ["reading back failed", result("A", { verification: { ...read, result: "failed" } }), /old content/],
  ])("has failed when %s", (_what, report, reason) => {
    const verdict = judgeDevice(report, "nvme", policy);
    expect(verdict.verdict).toBe("failed");
    expect(verdict.reason).toMatch(reason);
  });

  it("cannot choose its medium, and with it a lower minimum", () => {
    const kit = result("A", { ...by("raid-kit-format"), media: "raid-kit" });
    expect(judgeDevice(kit, "raid-kit", policy).verdict).toBe("sanitized");
    expect(judgeDevice(kit, "nvme", policy).verdict).toBe("failed");
    expect(
      judgeStep([device("A")], { attempt: 1, result: "OK", message: "", devices: [kit], journal: [] }, policy)
        .ok,
    ).toBe(false);
  });

  it("whatever the minimum, is not sanitized by what no standard calls so", () => {
    const lax = {
      ...policy,
      minimum: { nvme: "none", ssd: "none", hdd: "none", "raid-kit": "none" },
    } as const;
    for (const technique of techniques.filter((row) => levelOf(row, "ieee-2883") === "none"))
      expect(judgeDevice(result("A", by(technique)), "nvme", lax).verdict).toBe("failed");
    for (const technique of ["nvme-sanitize-crypto", "nvme-sanitize-block"] as const)
      expect(
        judgeDevice(result("A", by(technique)), "nvme", { ...lax, standard: "sp-800-88r1" }).verdict,
      ).toBe("failed");
  });
});

describe("the table of techniques", () => {
  it.each(techniques)("%s has a level under every standard", (technique) => {
    for (const standard of standards) expect(levels).toContain(levelOf(technique, standard));
    expect(techniqueTable[technique].unstoppable).toBeTypeOf("boolean");
  });

  it("has two labels for one command", () => {
    expect(levelOf("nvme-format-user-data", "ieee-2883")).toBe("clear");
    expect(levelOf("nvme-format-user-data", "sp-800-88r1")).toBe("purge");
  });

  it("keeps one technique to exceptions, and orders the levels", () => {
    expect(techniques.filter((row) => !countsWithoutException(row))).toEqual(["nvme-format-crypto"]);
    for (const [low, level] of levels.entries())
      for (const [high, minimum] of levels.entries()) expect(reaches(level, minimum)).toBe(low >= high);
  });
});
