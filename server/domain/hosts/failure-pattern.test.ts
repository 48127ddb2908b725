// Which failures belong together: examples and properties.
import { describe, expect, it } from "vitest";
import { failurePattern, patternDigest } from "@/server/domain/hosts/failure-pattern";

describe("the pattern of a message", () => {
  it.each([
    [
      "Drive PHAB1234004C3P8EGN in bay 1 refused crypto sanitize and crypto format, twice; policy asks for Purge",
      "Drive * in bay # refused crypto sanitize and crypto format, twice; policy asks for Purge",
    ],
    [
      "not seen by the agent: S64HNE0RB00871 (MZWLJ7T6HALA), known by BMC",
      "not seen by the agent: * (MZWLJ7T6HALA), known by BMC",
    ],
    ["BOSS job JID_640122871904 failed 5 times, RAC0602", "BOSS job * failed # times, RAC0602"],
    ["No answer on HTTPS from 10.24.7.93", "No answer on HTTPS from *"],
    ["GET http://10.24.7.93:8000/redfish/v1/Systems/1: 503", "GET */redfish/v1/Systems/#: #"],
    ["nvme2 84h SANACT 4 → 0x4001 Invalid Opcode", "nvme# 84h SANACT # → 0x4001 Invalid Opcode"],
    ["no progress for 600 s at 34.5 %", "no progress for # s at # %"],
    ["8 × 64 GiB found, SKU has 16 × 32", "# × # GiB found, SKU has # × #"],
    ["instance 7f3a09c2-0000-4000-8000-000000000001 is gone", "instance * is gone"],
    ["since 2026-11-21T12:00:00Z", "since #"],
    ["wwn 0x5000c500a1b2c3d4 and mac 00:25:90:ab:cd:ef", "wwn * and mac *"],
    ["two\n  lines", "two; lines"],
    [
      "2 of 3 failed\nBTLJ99812345: media error\nPHAB1229003M3P8EGN: media error",
      "# of # failed; *: media error",
    ],
  ])("%s", (message, pattern) => expect(failurePattern(message)).toBe(pattern));

  it("takes the host's own names away, whatever they look like", () => {
    expect(failurePattern("gpu-a-0417: no room on gpu-a-0417-bmc; SN-1", ["gpu-a-0417", "SN-1", "x"])).toBe(
      "*: no room on *-bmc; *",
    );
  });
  it("keeps what went wrong apart", () => {
    const patterns = ["SC 01h refused", "SC 02h refused", "RAC0602", "RAC0603", "0x4001", "0x4002"].map(
      (message) => failurePattern(message),
    );
    expect(new Set(patterns).size).toBe(patterns.length);
  });
  it("is its own pattern: nothing is left that would be replaced once more", () => {
    for (const message of [
      "Drive PHAB1234004C3P8EGN in bay 1 of 12",
      "10.0.0.1 and nvme0n1p2 at 2026-01-01",
      "7 drives, 12,5 % of 3.84 TB",
    ])
      expect(failurePattern(failurePattern(message))).toBe(failurePattern(message));
  });
  it.each(["S5XANE0R600118", "PHAB1229003M3P8EGN", "ZL2A3B4C", "WD-WX31D12345AB"])(
    "is the same for the serial %s as for another",
    (serial) => {
      expect(failurePattern(`Drive ${serial} hangs at 12 %`)).toBe(
        failurePattern(`Drive ${serial.replaceAll("1", "7").replaceAll("2", "9")} hangs at 99 %`),
      );
    },
  );
  it("has a digest of its own", () => {
    expect(patternDigest("a")).toMatch(/^[0-9a-f]{64}$/);
    expect(patternDigest("a")).not.toBe(patternDigest("b"));
  });
});
