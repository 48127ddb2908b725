// hdparm, sg3_utils and smartctl as they answered in a virtual machine, and words, sense data and texts that no drive there could produce.
import { describe, expect, it } from "vitest";
import { ataRefusal } from "@/agent/steps/erase-disks/disk-facts";
import { readIdentity, readSanitizeStatus } from "@/agent/tools/machine/disks/ata-output";
import { ataTools } from "@/agent/tools/machine/disks/ata-tools";
import { diskTools } from "@/agent/tools/machine/disks/disk-tools";
import { readOpcodes, readSense, sanitizeOf } from "@/agent/tools/machine/disks/scsi-output";
import { scsiTools } from "@/agent/tools/machine/disks/scsi-tools";
import { playBack, printing, recorded, treeOf } from "@/agent/tools/machine/testing/recorded";

const nothing = treeOf({});

describe("hdparm", () => {
  const ata = ataTools(playBack);
  /** The words of the recorded SATA drive, with some changed. */
  const words = (changes: Readonly<Record<number, number>>) => {
    const printed = Buffer.from(recorded.get("/usr/sbin/hdparm --Istdout /dev/sdc")?.stdout ?? []).toString();
    const [path = "", ...lines] = printed.trim().split("\n");
    const all = lines.join(" ").trim().split(/\s+/);
    for (const [word, value] of Object.entries(changes))
      all[Number(word)] = value.toString(16).padStart(4, "0");
    return Buffer.from(`${path}\n${all.join(" ")}\n`);
  };

  it("identifies the recorded SATA drive, which offers nothing", async () => {
    expect((await ata.identify("/dev/sdc")).value).toEqual({
      sanitize: { crypto: false, block: false },
      security: { supported: false, enabled: false, locked: false, frozen: false, enhancedErase: false },
    });
  });

  it("has no answer of a SCSI disk, for which hdparm ends with 0", async () => {
    expect(await ata.identify("/dev/sda")).toMatchObject({ exitCode: 0, value: null });
  });

  it.each([
    [{ 59: 0x1000 | 0x2000 }, { crypto: true, block: false }],
    [{ 59: 0x1000 | 0x8000 }, { crypto: false, block: true }],
    [{ 59: 0x2000 | 0x8000 }, { crypto: false, block: false }], // without the feature set the bits mean nothing
  ])("reads what is offered from word 59: %o", (changes, sanitize) => {
    expect(readIdentity(words(changes))?.sanitize).toEqual(sanitize);
  });

  it("reads the security state from word 128", () => {
    expect(readIdentity(words({ 128: 0b10_1001 }))?.security).toEqual({
      ...{ supported: true, enabled: false, locked: false, frozen: true, enhancedErase: true },
    });
    expect(readIdentity(words({ 128: 0b00_0111 }))?.security).toMatchObject({ enabled: true, locked: true });
  });

  it("has no answer where the checksum is wrong, a word is missing, or the device is no ATA device", () => {
    expect(readIdentity(words({ 255: 0x00a5 }))).toBeNull();
    expect(readIdentity(words({}).subarray(0, -6))).toBeNull();
    expect(readIdentity(words({ 0: 0x8580 }))).toBeNull();
  });

  describe("hidden sectors", () => {
    const lba48 = 0x4400;
    /** A drive with 1000h addressable sectors. */
    const drive = { 83: lba48, 100: 0x1000, 101: 0, 102: 0, 103: 0 };
    const hiddenOf = async (changes: Readonly<Record<number, number>>, said: Record<string, string> = {}) => {
      const run: typeof playBack = (path, args) =>
        printing(args[0] === "--Istdout" ? words(changes) : (said[args[0] ?? ""] ?? ""))(path, args);
      return (await ataTools(run).identify("/dev/sda")).value?.hiddenArea;
    };
    const maximum = (now: number, native: number, state: string) => ({
      "-N": `/dev/sda:\n max sectors   = ${now}/${native}, ${state}\n`,
    });

    it("are none where a drive can hide none, or what it has is what it gives", async () => {
      const hpa = { ...drive, 82: 0x4421 };
      expect(await hiddenOf(drive)).toBeUndefined();
      expect(await hiddenOf(hpa, maximum(4096, 4096, "HPA is disabled"))).toBeUndefined();
      const amax = { ...drive, 119: 0x4100 };
      const disabled = maximum(4096, 4096, "ACCESSIBLE MAX ADDRESS disabled");
      expect(await hiddenOf(amax, disabled)).toBeUndefined();
      const overlay = { ...drive, 83: lba48 | 0x800 };
      expect(await hiddenOf(overlay, { "--dco-identify": "\tReal max sectors: 4096\n" })).toBeUndefined();
    });

    it.each([
      ["a native maximum", { 82: 0x4421 }, maximum(1, 1, "HPA is disabled")],
      ["an overlay", { 83: lba48 | 0x800 }, { "--dco-identify": "\tReal max sectors: 1\n" }],
    ])("are not told by %s below what can be addressed", async (_what, changes, said) =>
      expect(await hiddenOf({ ...drive, ...changes }, said)).toMatch(
        /does not tell whether sectors are hidden/,
      ),
    );

    it.each([
      ["an HPA", { 82: 0x4421 }, maximum(4096, 8192, "HPA is enabled")],
      ["AMAX", { 119: 0x4100 }, maximum(4096, 8192, "ACCESSIBLE MAX ADDRESS enabled")],
      ["other words than the identification", { 82: 0x4421 }, maximum(8192, 8192, "HPA is disabled")],
      ["no sense", { 82: 0x4421 }, maximum(4096, 1, "HPA setting seems invalid")],
      ["no answer", { 82: 0x4421 }, {}],
      ["an overlay", { 83: lba48 | 0x800 }, { "--dco-identify": "\tReal max sectors: 8192\n" }],
      ["no answer about the overlay", { 83: lba48 | 0x800 }, {}],
      ["words that are not valid", { 83: 0 }, {}],
    ])("may be there with %s: an overwrite is refused", async (_what, changes, said) => {
      const hiddenArea = await hiddenOf({ ...drive, ...changes }, said);
      expect(hiddenArea).toEqual(expect.any(String));
      const identity = readIdentity(words({ 59: 0x1000 | 0x2000 }));
      if (identity === null || hiddenArea === undefined) throw new Error("no identification");
      const refused = { ...identity, hiddenArea };
      expect(ataRefusal(refused, "overwrite")).toContain(hiddenArea);
      expect(ataRefusal(refused, "ata-secure-erase")).toContain(hiddenArea);
      expect(ataRefusal(refused, "ata-sanitize-crypto")).toBeNull();
      expect(ataRefusal(identity, "overwrite")).toBeNull();
    });
  });

  it("takes a refusal for one, although hdparm ends with 0", async () => {
    const refusal = await ata.setPassword("/dev/sdc", "pw");
    expect(refusal).toMatchObject({ exitCode: 0, value: null });
    expect(refusal.status).toContain("bad/missing sense data");
    expect(await ata.sanitizeStatus("/dev/sdc")).toMatchObject({
      ...{ exitCode: 22, value: null, status: "SANITIZE feature set is not supported" },
    });
  });

  const status = (...lines: string[]) =>
    Buffer.from(["/dev/sda:", "Issuing SANITIZE_STATUS command", "Sanitize status:", ...lines].join("\n"));
  it.each([
    [status("    State:    SD0 Sanitize Idle"), { state: "idle", percent: 0 }],
    [
      status("    State:    SD0 Sanitize Idle", "    Last Sanitize Operation Completed Without Error"),
      { state: "completed", percent: 100 },
    ],
    [status("    State:    SD1 Sanitize Frozen"), { state: "idle", percent: 0 }],
    [
      status("    State:    SD2 Sanitize operation In Process", "    Progress: 0x41c2 (25%)"),
      { state: "running", percent: 25 },
    ],
    [status("    State:    SD3 Sanitize Operation Failed"), { state: "failed" }],
  ])("reads the sanitize state of %s", (output, expected) => {
    expect(readSanitizeStatus(output)).toMatchObject(expected);
  });

  it("says the drive's state in few words", async () => {
    const output = status("    State:    SD2 Sanitize operation In Process", "    Progress: 0x41c2 (25%)");
    const answer = await ataTools(printing(output)).sanitizeStatus("/dev/sda");
    expect(answer.status).toBe("State:    SD2 Sanitize operation In Process, Progress: 0x41c2 (25%)");
  });

  it("gives no program a path that is no whole disk", async () => {
    for (const path of ["/dev/sda1", "-i", "/etc/passwd", "/dev/sda /dev/sdb"])
      expect(await ata.secureErase(path, "p", true)).toMatchObject({ exitCode: 2, value: null });
  });
});

describe("sg3_utils", () => {
  const scsi = scsiTools(playBack);

  it("takes a drive that does not know the question for one that offers nothing", async () => {
    expect(await scsi.supported("/dev/sda")).toMatchObject({
      value: { sanitizeCrypto: false, sanitizeBlock: false },
      status: "does not report its operation codes",
    });
  });

  it("takes an empty list of operation codes for no answer", async () => {
    expect(await scsi.supported("/dev/sdc")).toMatchObject({ exitCode: 0, value: null });
  });

  // Written from the source of `sg_opcodes`, because no drive of the virtual machine has such a list to record.
  it("reads operation codes with their service actions", () => {
    const list = (...lines: string[]) =>
      Buffer.from([" 00        Test Unit Ready", " 12        Inquiry", ...lines].join("\n"));
    expect(
      readOpcodes(
        list(
          " 04        Format Unit",
          " 48,1      Sanitize, overwrite",
          " 48,3      Sanitize, cryptographic erase",
        ),
      ),
    ).toEqual({ sanitizeCrypto: true, sanitizeBlock: false });
    expect(readOpcodes(list(" 48,2      Sanitize, block erase"))).toMatchObject({ sanitizeBlock: true });
    expect(readOpcodes(Buffer.from(" 48,2      Sanitize, block erase"))).toBeNull();
  });

  const fixed = (key: number, code: number, progress?: number) => {
    const bytes = Buffer.alloc(18);
    bytes[0] = 0x70;
    bytes[2] = key;
    bytes[7] = 10;
    bytes.writeUInt16BE(code, 12);
    if (progress !== undefined) {
      bytes[15] = 0x80;
      bytes.writeUInt16BE(progress, 16);
    }
    return bytes;
  };
  const descriptor = (key: number, code: number, progress: number) =>
    Buffer.from([
      0x72,
      key,
      code >> 8,
      code & 0xff,
      0,
      0,
      0,
      8,
      2,
      6,
      0,
      0,
      0x80,
      progress >> 8,
      progress & 0xff,
      0,
    ]);

  it.each([
    [fixed(2, 0x041b, 0x8000), { state: "running", percent: 50 }],
    [descriptor(2, 0x041b, 0x4000), { state: "running", percent: 25 }],
    [fixed(3, 0x3103), { state: "failed" }],
    [fixed(0, 0), { state: "idle" }],
    [fixed(5, 0x2000), null],
    [fixed(2, 0x0404), null],
  ])("reads the sanitize state from sense data %#", (bytes, expected) => {
    const sense = readSense(bytes);
    const state = sense === null ? null : sanitizeOf(sense);
    if (expected === null) expect(state).toBeNull();
    else expect(state).toMatchObject(expected);
  });

  it("asks again past what an earlier command left, and past a reset", async () => {
    const answers = [fixed(5, 0x2000), fixed(6, 0x2900), fixed(2, 0x041b, 0x1000)];
    const run: typeof playBack = (path, args) => printing(answers.shift() ?? new Uint8Array())(path, args);
    expect(await scsiTools(run).sanitizeStatus("/dev/sda")).toMatchObject({ value: { state: "running" } });
    const always = await scsiTools(printing(fixed(5, 0x2000))).sanitizeStatus("/dev/sda");
    expect(always).toMatchObject({ value: null, status: "sense key 5h, ASC/ASCQ 20h/00h" });
  });

  it("sends once more after a unit attention, and not without end", async () => {
    let sent = 0;
    const run: typeof playBack = (path, args) => {
      sent += 1;
      return printing("", { exitCode: 6, stderr: "Sanitize failed: Unit attention\n" })(path, args);
    };
    const answer = await scsiTools(run).sanitize("/dev/sdb", "block");
    expect(answer).toMatchObject({ exitCode: 6, value: null });
    expect(sent).toBe(5);
  });

  it("does not believe a sanitize that the drive refused", async () => {
    expect(await scsi.sanitize("/dev/sdb", "block")).toMatchObject({ exitCode: 9, value: null });
  });
});

describe("any disk", () => {
  it("reads SMART health", async () => {
    expect((await diskTools(playBack, nothing).health("/dev/sdc")).value).toEqual({ passed: true });
  });

  it("takes the freeze off by a suspend", async () => {
    expect((await diskTools(playBack, nothing).unfreeze()).value).toBe(true);
  });

  it("overwrites exactly as many bytes as there are, and nothing of unknown size", async () => {
    const files = treeOf({ "/sys/block/sda/size": "131072\n" });
    const answer = await diskTools(printing(""), files).overwrite("/dev/sda");
    expect(answer).toMatchObject({ value: true });
    expect(answer.command).toContain("/usr/bin/dd if=/dev/zero of=/dev/sda bs=4M count=67108864");
    expect(await diskTools(printing(""), nothing).overwrite("/dev/sdb")).toMatchObject({ value: null });
    const broken = printing("", { exitCode: 1, stderr: "dd: error writing '/dev/sda': Input/output error" });
    expect(await diskTools(broken, files).overwrite("/dev/sda")).toMatchObject({ value: null });
  });
});
