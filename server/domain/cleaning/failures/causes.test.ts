// The table of causes: every key has a text, statuses are translated, unknown ones stay as they are, and the first cause stays first.
import { lockedDown } from "@/server/domain/hardware/lockdown-text";
import { describe, expect, it } from "vitest";
import { causeKeys, otherCause, readCauses, storable } from "@/server/domain/cleaning/failures/cause";
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import { firstCause } from "@/server/domain/cleaning/failures/earlier";
import { groupOf } from "@/server/domain/cleaning/failures/group";
import { deviceCause } from "@/server/domain/cleaning/failures/of-device";
import type { DeviceStatus } from "@/server/domain/cleaning/failures/status";
import { meaningOf, statusCode } from "@/server/domain/cleaning/failures/statuses/meaning";
import { causeTable } from "@/server/domain/cleaning/failures/table/table";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { causeBrief, causeText, checkNext, rawAnswers } from "@/server/domain/cleaning/failures/text";
import { read, result } from "@/server/domain/cleaning/sanitization/testing/device-results";

const drive = { kind: "drive", serial: "S6XNNA0T", model: "CM6", slot: "3", firmware: "1.2" } as const;
const refused: Cause = {
  key: "eraseRefused",
  device: drive,
  technique: "nvme-sanitize-crypto",
  status: { bus: "nvme", sct: 0, sc: 1 },
  raw: "nvme sanitize answered 1: NVMe status: Invalid Command Opcode (0x2001)",
};

describe("a cause", () => {
  it.each(causeKeys)("%s has a sentence and a next check, whatever it lacks", (key) => {
    const row = causeTable[key];
    const bare: Cause = { key, raw: "what it answered" };
    for (const words of [row.says(bare), row.check(bare, true), row.check(bare, false)]) {
      expect(words).toMatch(/^[A-Za-z…].*[.?]$/s);
      expect(words).not.toMatch(/undefined|\[object|\.\.$| {2}/);
    }
    expect(row.label).toMatch(/^[A-Z]/);
    expect(causeBrief([bare])).toMatch(/^\S.*[^.]$/);
    expect(causeBrief([bare])).not.toMatch(/undefined|\[object| {2}|\n/);
  });

  it("begins in a list with what happened, and says then where", () => {
    const bay = { ...refused, device: { ...drive, slot: "Drive 0" } };
    expect(causeBrief([refused])).toBe("Sanitize refused: drive 3, CM6");
    expect(causeBrief([bay])).toBe("Sanitize refused: drive 0, CM6");
    expect(causeText([bay])).toMatch(/^Drive S6XNNA0T \(bay 0, CM6\) refused/);
    expect(causeBrief([{ ...refused, device: { ...drive, slot: "Rear bay B" } }])).toBe(
      "Sanitize refused: drive in Rear bay B, CM6",
    );
    expect(causeBrief([refused, { ...bay }])).toBe("Sanitize refused: drive 3, CM6; 1 more");
    expect(causeBrief([{ key: "bmcSilent", facts: { tries: 3 }, raw: "GET" }, refused])).toBe(
      "BMC silent: 3 tries failed",
    );
  });

  it("names device, slot and meaning, and tells what to check next with the firmware", () => {
    expect(causeText([refused])).toBe(
      "Drive S6XNNA0T (slot 3, CM6) refused Sanitize (crypto erase): its firmware does not know this command (Invalid Command Opcode).",
    );
    expect(checkNext([refused], "Failed/NVMECleanFailed")).toMatch(
      /firmware 1\.2 of CM6 .* drive S6XNNA0T in slot 3/,
    );
    expect(rawAnswers([refused])).toEqual([
      { of: "S6XNNA0T, NVMe status type 0h, code 01h", text: refused.raw },
    ]);
  });

  it("says how to get past a BMC that is locked down, and not to look at its jobs", () => {
    const job = { key: "jobFailed", device: { kind: "bmc" }, step: "management.clear_tpm" } as const;
    expect(checkNext([{ ...job, raw: lockedDown }], "Failed/PlatformCleanFailed")).toMatch(
      /lockdown by hand, then retry.* set lockdown in its baseline/,
    );
    expect(checkNext([{ ...job, raw: "Job failed." }], "Failed/PlatformCleanFailed")).toMatch(/job queue/);
  });

  it.each(["bmcSilent", "bmcError", "bmcIgnored", "bmcGarbled", "networkFails"] as const)(
    "%s says that Reclaim goes on by itself only where it does",
    (key) => {
      const causes = [{ key, raw: "what it answered" }] as const;
      for (const state of ["Failed/BmcUnreachable", "WaitingForCleanup/HostCleanup"] as const)
        expect(checkNext(causes, state)).toMatch(/ (continues|retries) automatically/);
      for (const state of ["Failed/PlatformCleanFailed", "Failed/BossCleanFailed"] as const) {
        expect(checkNext(causes, state)).not.toMatch(/automatically/);
        expect(checkNext(causes, state)).toMatch(/[Rr]etry( when .*)?\.$/);
      }
    },
  );

  it("of an erase that hangs names the act that lets the power be switched", () =>
    expect(checkNext([{ key: "eraseHangs", raw: "" }], "Failed/StepTimeout")).toMatch(
      new RegExp(`${hostActions.skipEraseWait.words}.* power cycle the host`),
    ));

  it("of several drives that failed alike is told once", () => {
    const others = ["4", "5"].map((slot) => ({ ...refused, device: { ...drive, serial: `S${slot}`, slot } }));
    expect(causeText([refused, ...others])).toMatch(/\. The same on drives S4 in slot 4 and S5 in slot 5\.$/);
  });

  it("is stored within bounds, and read without those that are not known", () => {
    expect(storable([otherCause("x".repeat(9_000))])[0]?.raw).toHaveLength(4_000);
    expect(readCauses([{ key: "ofANewerRelease", raw: "" }, refused])).toEqual([refused]);
    for (const nothing of [null, [], "text", [{ key: "ofANewerRelease" }]])
      expect(readCauses(nothing)).toBeNull();
  });
});

describe("the first cause", () => {
  const silent: Cause = { key: "bmcSilent", raw: "GET got no answer" };
  const overdue: Cause = { key: "releaseOverdue", facts: { seconds: 3_600 }, raw: "" };
  it("stays before a later time-out, which is told after it", () => {
    expect(firstCause([silent], [overdue])).toEqual([silent, overdue]);
    expect(causeText(firstCause([silent], [overdue]))).toMatch(
      /^The BMC does not respond\.\nThe release did not finish/,
    );
  });
  it("gives way to another cause, and one time-out to the next", () => {
    expect(firstCause([silent], [refused])).toEqual([refused]);
    expect(firstCause([overdue], [{ ...overdue, key: "stepTimeout" }])).toMatchObject([
      { key: "stepTimeout" },
    ]);
    expect(firstCause(null, [overdue])).toEqual([overdue]);
  });
});

describe("a status", () => {
  it.each<[DeviceStatus, RegExp]>([
    [{ bus: "nvme", sct: 0, sc: 0x1c }, /last sanitize failed/],
    [{ bus: "nvme", sct: 1, sc: 0x0a }, /format is invalid/],
    [{ bus: "nvme", sct: 2, sc: 0x81 }, /could not be read/],
    [{ bus: "nvmeSanitize", sstat: 3 }, /sanitize failed/],
    [{ bus: "nvmeSanitize", sstat: 2 }, /a sanitize is in progress/],
    [{ bus: "nvmeSanitize", sstat: 2, sans: 5 }, /is still in the media verification state/],
    [{ bus: "ata", status: 0x51, error: 0x04 }, /aborted the command/],
    [{ bus: "ata", status: 0x51, error: 0x44 }, /could not be read/],
    [{ bus: "ata", status: 0x71, error: 0x04 }, /has a fault/],
    [{ bus: "scsi", key: 5, asc: 0x20, ascq: 0 }, /does not know this command/],
    [{ bus: "scsi", key: 3, asc: 0x31, ascq: 3 }, /sanitize failed/],
    [{ bus: "scsi", key: 5, asc: 0xee, ascq: 1 }, /Illegal Request/],
    [
      { bus: "redfish", http: 400, messageIds: ["Base.1.12.ActionNotSupported"] },
      /does not offer this action/,
    ],
    [
      { bus: "redfish", http: 400, messageIds: ["Base.1.0.GeneralError", "Base.1.0.LicenseRequired"] },
      /licence/,
    ],
    [{ bus: "redfish", http: 503, messageIds: ["IDRAC.2.8.SYS999"] }, /temporarily unavailable/],
  ])("%j has a meaning", (status, meaning) => expect(meaningOf(status)).toMatch(meaning));

  it("that no table has is shown as it is", () => {
    const unknown: DeviceStatus = { bus: "nvme", sct: 1, sc: 0x7f };
    expect([meaningOf(unknown), statusCode(unknown)]).toEqual([null, "NVMe status type 1h, code 7Fh"]);
    expect(causeText([{ ...refused, status: unknown }])).toMatch(/: NVMe status type 1h, code 7Fh\.$/);
  });
});

describe("a device's report", () => {
  const keyOf = (change: object) =>
    deviceCause({ ...result("A"), result: "ERROR", message: "words", ...change }, "words").key;
  it("becomes a cause by its members, and by no words", () => {
    const [tried] = result("A").tries;
    const untold = { technique: undefined, verification: undefined };
    expect(keyOf({ missing: true })).toBe("driveMissing");
    expect(keyOf({ problem: "hangs" })).toBe("eraseHangs");
    expect(keyOf({ ...untold, tries: [{ ...tried, completed: false, exitCode: 1 }] })).toBe("eraseRefused");
    expect(keyOf({ ...untold, tries: [{ ...tried, completed: false, exitCode: 0 }] })).toBe("eraseFailed");
    expect(keyOf({ verification: { ...read, mismatches: 2, result: "failed" } })).toBe("contentLeft");
    expect(keyOf({ verification: { ...read, result: "impossible" } })).toBe("notReadBack");
    expect(keyOf({ ...untold, tries: [] })).toBe("notErased");
  });
});

describe("a group", () => {
  const failure = (causes: readonly [Cause] | null, message = "words", hostModel = "R750") =>
    groupOf({ causes, message, names: ["gpu-1"], hostModel });
  it("is a cause at a model of device, whatever serial numbers say", () => {
    const other: Cause = { ...refused, device: { ...drive, serial: "OTHER", slot: "9" } };
    expect(failure([refused])).toEqual(failure([other], "other words", "R650"));
    expect(failure([refused])).toMatchObject({
      words:
        "Erase refused, Sanitize (crypto erase): its firmware does not know this command (Invalid Command Opcode)",
      model: "CM6",
    });
    expect(failure([refused]).key).not.toBe(
      failure([{ ...refused, device: { ...drive, model: "PM9A3" } }]).key,
    );
    expect(failure([refused]).key).not.toBe(
      failure([{ ...refused, status: { bus: "nvme", sct: 0, sc: 2 } }]).key,
    );
  });
  it("of what has text only is what the texts have in common", () =>
    expect(failure(null, "gpu-1: drive PHAB1229003M3P8EGN failed")).toMatchObject({
      words: "*: drive * failed",
      model: "R750",
    }));
});
