// The real agent on simulated hardware against a small controller, over HTTP: erasing, lying, vanishing, hanging, crashing and joining.
import { describe, expect, it } from "vitest";
import { NvmeDrive } from "@/server/simulator/drives/nvme-drive";
import { disksOf, driveOf, eraseNvme, resultOf } from "@/server/simulator/testing/erasing";
import { fleetForEach, type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";

const serialsOf = (devices: readonly { serial: string }[]) => devices.map(({ serial }) => serial).sort();

let fleet: TestFleet;
fleetForEach((started) => {
  fleet = started;
});

describe("a whole cleaning", () => {
  it.each(["dell", "lenovo", "generic"])(
    "of a %s host erases every drive, in few requests",
    async (vendor) => {
      const host = fleet.host(vendor);
      fleet.server.plan(
        eraseNvme,
        { step: "erase_disks", devices: disksOf },
        { step: "verify_mem_overwrite" },
        { step: "reset_infiniband" },
        { kind: "discover" },
        { kind: "validate", tests: ["cpu-stress", "memory-pattern", "storage-read", "network-loopback"] },
      );
      fleet.bootAgent(host);
      const [validated] = await until(
        "the validation",
        () => fleet.server.validated[0] && fleet.server.validated,
      );
      expect(fleet.server.results.map(({ body }) => [body.result, body.message])).toEqual([
        ["OK", expect.stringContaining("erased and verified")],
        ["OK", expect.stringContaining("erased and verified")],
        ["OK", expect.stringContaining("memory is overwritten at the next restart")],
        ["OK", expect.stringContaining("InfiniBand")],
      ]);
      expect(validated?.tests.map((test) => test.result)).toEqual(["passed", "passed", "passed", "passed"]);
      expect(host.drives.some((drive) => drive.holdsTenantData)).toBe(false);
      expect(serialsOf(fleet.server.results.flatMap(({ body }) => body.devices))).toEqual(
        serialsOf(host.blueprint.drives),
      );
      expect(host.memoryOverwrite).toBe(1);
      const requests = fleet.server.requests.filter(
        (line) => line.includes("/agent/v1/") && !line.endsWith("poll"),
      );
      // register, erase_nvme 2, erase_disks 2 if there are disks, two more results, discovery, validation
      // One of them asks whether the TPM should prove its identity.
      expect(requests.length).toBe(vendor === "generic" ? 10 : 9);
      expect(host.counters.resetsDuringErase).toBe(0);
      expect(host.drives.map((drive) => drive.accepted.length)).toEqual(host.drives.map(() => 1));
    },
  );

  it("writes the journal with seed and digests before anything is sent", async () => {
    const host = fleet.host("dell");
    const sentBefore: number[] = [];
    fleet.server.onProgress = () => {
      sentBefore.push(...host.drives.map((drive) => drive.accepted.length));
      return { status: 200, abort: false };
    };
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    await resultOf(fleet);
    expect(sentBefore).toEqual([0, 0, 0]);
    const announced = fleet.server.progress[0]?.body.journal ?? [];
    expect(serialsOf(announced)).toEqual(serialsOf(host.blueprint.drives));
    expect(
      announced.every(
        ({ event, seed, digests }) =>
          event === "about-to-send" &&
          seed !== undefined &&
          (digests?.filter((digest) => digest !== "").length ?? 0) === 100,
      ),
    ).toBe(true);
    expect(fleet.server.progress[0]?.body.unstoppable).toBe(true);
  });

  it("sends nothing when the server does not take the journal", async () => {
    const host = fleet.host("dell");
    fleet.server.onProgress = () => ({ status: 409, abort: false });
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    expect((await resultOf(fleet)).result).toBe("ERROR");
    expect(host.drives.map((drive) => drive.accepted.length)).toEqual([0, 0, 0]);
  });

  it("makes one namespace of full capacity out of two, one of them detached", async () => {
    const host = fleet.host("generic");
    const drive = driveOf(host);
    if (!(drive instanceof NvmeDrive)) throw new Error("not NVMe");
    const before = drive.namespaces.map(({ content }) => content);
    fleet.server.plan(eraseNvme);
    fleet.bootAgent(host);
    await resultOf(fleet);
    expect(before.map((content) => content.holdsTenantData)).toEqual([false, false]);
    expect(
      drive.namespaces.map(({ attached, blocks, content }) => [
        attached,
        BigInt(blocks * content.blockBytes),
      ]),
    ).toEqual([[true, drive.identity.capacityBytes]]);
  });
});
