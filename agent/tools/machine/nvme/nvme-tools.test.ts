// nvme-cli as it answered in a virtual machine, and the drive's own structures, bit by bit (NVMe Base Specification 2.0).
import { describe, expect, it } from "vitest";
import { namespacePath } from "@/agent/tools/machine/nvme/namespace-path";
import { readCreated, readNamespace, readSanitizeLog } from "@/agent/tools/machine/nvme/nvme-output";
import { nvmeTools } from "@/agent/tools/machine/nvme/nvme-tools";
import { playBack, printing, recorded, treeOf } from "@/agent/tools/machine/testing/recorded";

const controllers = (transports: Readonly<Record<string, string>>) =>
  treeOf(
    Object.fromEntries(
      Object.entries(transports).map(([name, value]) => [`/sys/class/nvme/${name}/transport`, `${value}\n`]),
    ),
  );
const nothing = treeOf({});
const nvme = nvmeTools(playBack, controllers({ nvme0: "pcie", nvme1: "pcie" }));

describe("nvme-cli as recorded", () => {
  it("lists the controllers in the order of their numbers", async () => {
    expect((await nvme.list()).value).toEqual(["/dev/nvme0", "/dev/nvme1"]);
  });

  it("has no list where nvme-cli and the kernel do not list the same", async () => {
    const empty = printing('{"Devices":[]}');
    expect(await nvmeTools(empty, controllers({ nvme0: "pcie" })).list()).toMatchObject({ value: null });
    expect((await nvmeTools(empty, nothing).list()).value).toEqual([]);
    for (const kernel of [{ nvme0: "pcie" }, { nvme0: "pcie", nvme1: "pcie", nvme2: "pcie" }])
      expect(await nvmeTools(playBack, controllers(kernel)).list()).toMatchObject({ value: null });
    const other = controllers({ nvme0: "pcie", nvme1: "tcp" });
    expect(await nvmeTools(playBack, other).list()).toMatchObject({ value: null });
  });

  it("gives no step a controller over a network", async () => {
    const text = Buffer.from(recorded.get("/usr/sbin/nvme list -v -o json")?.stdout ?? []).toString();
    const remote = printing(text.replace('"Transport":"pcie"', '"Transport":"tcp"')); // the first is nvme1
    const kernel = controllers({ nvme0: "pcie", nvme1: "tcp" });
    expect((await nvmeTools(remote, kernel).list()).value).toEqual(["/dev/nvme0"]);
  });

  it("identifies a controller", async () => {
    expect((await nvme.identify("/dev/nvme0")).value).toEqual({
      ...{ sn: "RCNVMEA".padEnd(20), mn: "QEMU NVMe Ctrl".padEnd(40), fr: "7.2.22".padEnd(8) },
      ...{ cntlid: 0, oacs: 0x10a, fna: 0, sanicap: 0, nn: 256 },
      ...{ tnvmcapBytes: 0n, unvmcapBytes: 0n },
    });
  });

  it("has no answer of a controller that is not there, nor for a path that is none", async () => {
    expect(await nvme.identify("/dev/nvme7")).toMatchObject({ exitCode: 1, value: null });
    for (const path of ["/dev/sda", "--help", "/dev/nvme0n1", "/dev/nvme0; reboot", ""])
      expect(await nvme.format(path, 1, 1)).toMatchObject({ exitCode: 2, value: null });
  });

  it("tells attached namespaces from all", async () => {
    expect((await nvme.namespaces("/dev/nvme0", "all")).value).toEqual([1, 3, 6]);
    expect((await nvme.namespaces("/dev/nvme0", "attached")).value).toEqual([1, 6]);
  });

  it("identifies an attached namespace, and one that is not: the first answer of that is zeros, with success", async () => {
    const attached = await nvme.identifyNamespace("/dev/nvme0", 1);
    expect(attached.value).toMatchObject({ nsze: 131_072, format: 0, fpiPercentLeft: 0 });
    expect(attached.value?.formats[0]).toEqual({ dataBytes: 512, metadataBytes: 0, relativePerformance: 0 });
    expect(attached.value?.formats[4]).toMatchObject({ dataBytes: 4096, metadataBytes: 0 });
    const detached = await nvme.identifyNamespace("/dev/nvme0", 3);
    expect(detached.command).toContain("--force");
    expect(detached.value?.nsze).toBe(131_072);
  });

  it("takes a namespace of zeros for no answer where the controller does not know the second question", async () => {
    const run: typeof playBack = (path, args) =>
      args.includes("--force")
        ? printing("", { exitCode: 1, stderr: "NVMe status: Invalid Field in Command" })(path, args)
        : printing(new Uint8Array(4096))(path, args);
    expect(await nvmeTools(run, nothing).identifyNamespace("/dev/nvme0", 9)).toMatchObject({
      exitCode: 0,
      value: null,
    });
  });

  it("takes what the drive refused for refused, in its words", async () => {
    const answers = [
      await nvme.sanitizeLog("/dev/nvme0"),
      await nvme.sanitize("/dev/nvme0", 2),
      await nvme.remove("/dev/nvme0", 6),
    ];
    expect(answers.map(({ value }) => value)).toEqual([null, null, null]);
    expect(answers.map(({ status }) => status)).toEqual([
      expect.stringContaining("Invalid Field in Command"),
      expect.stringContaining("Invalid Command Opcode"),
      expect.stringContaining("Invalid Command Opcode"),
    ]);
  });

  it("attaches, and reads health", async () => {
    expect((await nvme.attach("/dev/nvme0", 3, 0)).value).toBe(true);
    expect((await nvme.health("/dev/nvme0")).value).toEqual({
      ...{ criticalWarning: 0, percentageUsed: 0, mediaErrors: 0 },
    });
  });

  it("believes no format that does not say so", async () => {
    expect(await nvmeTools(printing(""), nothing).format("/dev/nvme0", 1, 1)).toMatchObject({ value: null });
    const done = await nvmeTools(printing("Success formatting namespace:1\n"), nothing).format(
      "/dev/nvme0",
      1,
      1,
    );
    expect(done.value).toBe(true);
  });
});

describe("a sanitize that is passed on, for media verification", () => {
  const said = "Admin Command Sanitize is Success and result: 0x00000000\n";
  it.each([
    ["nvme-cli 2.3 says so on stderr", "", said, true],
    ["later releases on stdout", said, "", true],
    ["nothing is said", "", "", null],
    ["an error is said", "", "passthru: Input/output error\n", null],
    ["something else is said", "", "Identify: unsuccessful\n", null],
  ])("%s", async (_what, stdout, stderr, value) => {
    const { exitMediaVerification } = nvmeTools(printing(stdout, { stderr }), nothing);
    expect((await exitMediaVerification("/dev/nvme0")).value).toBe(value);
  });
});

describe("structures", () => {
  const log = (sprog: number, sstat: number, scdw10: number, ...seconds: number[]) => {
    const bytes = Buffer.alloc(512);
    bytes.writeUInt16LE(sprog, 0);
    bytes.writeUInt16LE(sstat, 2);
    bytes.writeUInt32LE(scdw10, 4);
    seconds.forEach((value, index) => bytes.writeUInt32LE(value, 8 + index * 4));
    return bytes;
  };

  it("reads the sanitize log, and estimates that are not there", async () => {
    const bytes = log(0x8000, 2, 4, 0xffffffff, 90, 3);
    expect(readSanitizeLog(bytes)).toEqual({
      ...{ sprog: 0x8000, sstat: 2, scdw10: 4 },
      estimateSeconds: { overwrite: null, block: 90, crypto: 3 },
    });
    const answer = await nvmeTools(printing(bytes), nothing).sanitizeLog("/dev/nvme0");
    expect(answer.status).toBe("SSTAT 2h, SPROG 8000h, SCDW10 4h");
  });

  it("takes a log of another length for none", () => {
    expect(readSanitizeLog(log(0, 1, 4).subarray(1))).toBeNull();
    expect(readSanitizeLog(new Uint8Array())).toBeNull();
  });

  const namespace = (change: (bytes: Buffer) => void) => {
    const ran = recorded.get("/usr/sbin/nvme id-ns /dev/nvme0 -n 1 --raw-binary");
    const bytes = Buffer.from(ran?.stdout ?? []);
    change(bytes);
    return readNamespace(bytes);
  };

  it("reads the Format Progress Indicator only where it is supported", () => {
    expect(namespace((bytes) => bytes.writeUInt8(0x80 | 42, 32))?.fpiPercentLeft).toBe(42);
    expect(namespace((bytes) => bytes.writeUInt8(42, 32))?.fpiPercentLeft).toBe(0);
  });

  it("has no answer of a namespace whose size of blocks is none", () => {
    expect(namespace((bytes) => bytes.writeUInt8(3, 130))).toBeNull();
    expect(namespace((bytes) => bytes.writeUInt8(15, 26))).toBeNull();
  });

  it.each([
    ["create-ns: Success, created nsid:2\n", 2],
    ["create-ns: Success, created nsid:0\n", null],
    ["NVMe status: Invalid Field", null],
  ])("reads what was created from %j", (said, nsid) => {
    expect(readCreated(Buffer.from(said))).toBe(nsid);
  });
});

describe("the block device of a namespace", () => {
  const files = treeOf({
    "/sys/class/nvme/nvme0/nvme0c0n1/nsid": "1\n",
    "/sys/class/nvme/nvme0/nvme0c0n2/nsid": "6\n",
    "/sys/class/nvme/nvme0/model": "x",
    "/sys/class/nvme/nvme1/nvme1n1/nsid": "1\n",
    "/sys/class/nvme/nvme1/nvme1n2/nsid": "1\n",
  });
  it("is found by its id, whatever its name", async () => {
    expect(await namespacePath(files, "/dev/nvme0", 6)).toBe("/dev/nvme0n2");
    expect(await namespacePath(files, "/dev/nvme0", 1)).toBe("/dev/nvme0n1");
  });
  it("is none where there is none, or where two say that they are it", async () => {
    expect(await namespacePath(files, "/dev/nvme0", 2)).toBeNull();
    expect(await namespacePath(files, "/dev/nvme1", 1)).toBeNull();
    expect(await namespacePath(files, "/dev/nvme9", 1)).toBeNull();
    expect(await namespacePath(files, "/dev/../etc", 1)).toBeNull();
  });
});
