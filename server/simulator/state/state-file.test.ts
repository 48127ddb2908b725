// The state file of a simulated fleet: what a kill leaves of it, and what is refused.
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";
import { nvme, stateBench } from "@/server/simulator/testing/state-bench";

const state = stateBench();
const { start, stop } = state;

/** Like `kill -9`: the next process finds only what is in the file now. */
async function kill(fleet: TestFleet): Promise<void> {
  const left = readFileSync(state.file);
  await stop(fleet);
  writeFileSync(state.file, left);
}

const bytesOf = (host: SimulatedHost): string[] =>
  host.drives.flatMap((drive) =>
    drive
      .contents()
      .map((content) => Array.from({ length: 40 }, (_, block) => content.read(block).toString("hex")).join()),
  );

describe("after a kill", () => {
  it("an erase of which anybody was told has happened", async () => {
    const first = await start();
    const drive = nvme(first.host("dell"));
    drive.sanitize(4);
    expect(drive.lastErase().state).toBe("completed");
    const bytes = bytesOf(first.host("dell"));
    await kill(first);
    const second = await start();
    expect(bytesOf(second.host("dell"))).toEqual(bytes);
  });

  it("in the middle of a write, everything before it is there, and the file is whole again", async () => {
    const first = await start();
    nvme(first.host("dell")).sanitize(4);
    nvme(first.host("dell")).lastErase();
    nvme(first.host("lenovo")).sanitize(4);
    nvme(first.host("lenovo")).lastErase();
    const left = statSync(state.file).size;
    await kill(first);
    truncateSync(state.file, left - 20);
    const second = await start();
    expect(second.log.filter((line) => line.includes("bytes are ignored"))).toHaveLength(1);
    expect([nvme(second.host("dell")).holdsTenantData, nvme(second.host("lenovo")).holdsTenantData]).toEqual([
      false,
      true,
    ]);
    await stop(second);
    const third = await start();
    expect(third.log).toEqual([]);
    expect(nvme(third.host("dell")).holdsTenantData).toBe(false);
  });

  it("a change of a second ago is there", async () => {
    const first = await start();
    first.host("dell").setOverride({ target: "Pxe", enabled: "Once", mode: "UEFI" });
    await until("the change to be in the file", () => readFileSync(state.file, "utf8").includes('"Pxe"'));
    await kill(first);
    expect((await start()).host("dell").override.target).toBe("Pxe");
  });
});

describe("the file", () => {
  it("is its owner's, and holds only what changed", async () => {
    const first = await start({ hosts: 50 });
    nvme(first.host("dell")).sanitize(4);
    nvme(first.host("dell")).lastErase();
    await stop(first);
    expect(statSync(state.file).mode & 0o777).toBe(0o600);
    expect(readFileSync(state.file, "utf8").length).toBeLessThan(2_000);
  });

  it("does not grow without bound", async () => {
    const fleet = await start();
    const drive = nvme(fleet.host("dell"));
    const block = Buffer.alloc(4096, 1);
    const sizes: number[] = [];
    // 200 blocks of 4 KiB are 1.1 MB a line
    for (let number = 0; number < 200; number += 1) drive.write(1, number, block);
    for (let round = 0; round < 40; round += 1) {
      fleet.host("dell").script({ drives: { [drive.identity.serial]: { vanish: true } } });
      fleet
        .host("dell")
        .script({ drives: { [fleet.host("dell").drives[1]?.identity.serial ?? ""]: { replace: true } } });
      drive.onChange(true);
      sizes.push(statSync(state.file).size);
    }
    expect(Math.max(...sizes)).toBeLessThan(20 * 1024 * 1024);
    expect(sizes.some((size, index) => size < (sizes[index - 1] ?? 0))).toBe(true);
    await stop(fleet);
    expect(nvme((await start()).host("dell")).faults.vanish).toBe(true);
  });

  it("serves a fleet that has grown, and no smaller one, nor one of another seed", async () => {
    const first = await start({ hosts: 5 });
    for (const host of first.simulator.hosts) nvme(host).sanitize(4);
    await stop(first);
    const second = await start({ hosts: 8 });
    expect(second.simulator.hosts.map((host) => nvme(host).holdsTenantData)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
    await stop(second);
    await expect(start({ hosts: 5 })).rejects.toThrow(/fleet of 8 hosts.*not shrink to 5/);
    await expect(start({ hosts: 8, seed: 8 })).rejects.toThrow("of seed 7, not 8");
    expect(nvme((await start({ hosts: 8 })).host("dell")).holdsTenantData).toBe(false);
  });

  it("that is damaged, or something else, is refused and left alone", async () => {
    writeFileSync(state.file, "a shopping list\n");
    await expect(start()).rejects.toThrow("damaged in line 1");
    writeFileSync(state.file, '{"format":"reclaim-simulator-1","seed":7,"hosts":5}\n{"at":3}\n');
    appendFileSync(state.file, '{"at":4,\n{"at":5}\n');
    const content = readFileSync(state.file, "utf8");
    await expect(start()).rejects.toThrow("damaged in line 3");
    expect(readFileSync(state.file, "utf8")).toBe(content);
  });
});
