// Canaries: over the whole drive, only where the drive accepted them, and never in place of a sample.
import { describe, expect, it } from "vitest";
import { countOf } from "@/server/domain/cleaning/sanitization/probe";
import type { BlockTools } from "@/agent/tools/tools";
import type { Area } from "@/agent/verification/area";
import { findCanaries, writeCanaries } from "@/agent/verification/canaries";

const blockBytes = 512;
const request = { secret: "of the plan", samplesPerDevice: 8, canaries: 64 };
const drive = { serial: "S1", model: "M" };
const areas: readonly Area[] = [
  { target: { kind: "nvme", controller: "/dev/nvme0", namespace: 1 }, blocks: 6_400, blockBytes },
  { target: { kind: "nvme", controller: "/dev/nvme0", namespace: 6 }, blocks: 3_200, blockBytes },
];

/** Blocks of both namespaces in memory, numbered over both. */
function blocksInMemory(takes: (block: number) => boolean = () => true) {
  const written = new Map<number, Uint8Array>();
  const at = (target: { kind: string; namespace?: number }, block: number) =>
    block + (target.namespace === 6 ? 6_400 : 0);
  const tools: BlockTools = {
    read: (target, _bytes, blocks) =>
      Promise.resolve({
        ...{ command: "dd", exitCode: 0, status: "" },
        value: blocks.map((block) => written.get(at(target, block)) ?? new Uint8Array(blockBytes)),
      }),
    write: (target, _bytes, block, content) => {
      if (takes(at(target, block))) written.set(at(target, block), content);
      return Promise.resolve({ command: "dd", exitCode: 0, status: "", value: true });
    },
  };
  return { written, tools };
}

describe("canaries", () => {
  it("are one in each slice of the whole drive, over all namespaces, at places that follow from secret and drive", async () => {
    const { written, tools } = blocksInMemory();
    expect(countOf((await writeCanaries(tools, drive, areas, request, [])) ?? "")).toBe(64);
    const slices = [...written.keys()].map((block) => Math.floor(block / 150));
    expect(slices).toEqual(Array.from({ length: 64 }, (_, slice) => slice));
    const other = blocksInMemory();
    await writeCanaries(other.tools, drive, areas, { ...request, secret: "of another plan" }, []);
    expect([...other.written.keys()]).not.toEqual([...written.keys()]);
    expect(new Set([...written.values()].map((content) => Buffer.from(content).toString("hex"))).size).toBe(
      64,
    );
  });

  it("are no more than the blocks, and none where none is asked for", async () => {
    const { tools } = blocksInMemory();
    const small = areas.slice(0, 1).map((area) => ({ ...area, blocks: 5 }));
    expect(countOf((await writeCanaries(tools, drive, small, request, [])) ?? "")).toBe(5);
    const { canaries: _, ...without } = request;
    expect(await writeCanaries(tools, drive, areas, without, [])).toBeNull();
    expect(await findCanaries(tools, drive, areas, without)).toBeNull();
    expect(await writeCanaries(tools, drive, areas, undefined, [])).toBeNull();
  });

  it("leave the places of samples and markers alone", async () => {
    const first = blocksInMemory();
    await writeCanaries(first.tools, drive, areas, request, []);
    const [place = 0] = first.written.keys();
    const again = blocksInMemory();
    const written = await writeCanaries(again.tools, drive, areas, request, [{ area: 0, block: place }]);
    expect(countOf(written ?? "")).toBe(63);
    expect(again.written.has(place)).toBe(false);
  });

  it("count only where the drive holds them: one that takes a write and keeps nothing has none", async () => {
    const { tools } = blocksInMemory((block) => block < 4_800);
    expect(countOf((await writeCanaries(tools, drive, areas, request, [])) ?? "")).toBe(32);
  });

  it("are found one by one, and noise in their place is none", async () => {
    const { written, tools } = blocksInMemory();
    await writeCanaries(tools, drive, areas, request, []);
    const left = [...written].slice(10, 12);
    for (const block of written.keys()) written.set(block, Buffer.alloc(blockBytes, `noise ${block}`));
    const found = async () => countOf((await findCanaries(tools, drive, areas, request))?.found ?? "");
    expect(await found()).toBe(0);
    for (const [block, content] of left) written.set(block, content);
    expect(await found()).toBe(2);
    expect(
      countOf((await findCanaries(tools, { ...drive, serial: "S2" }, areas, request))?.found ?? ""),
    ).toBe(0);
  });
});
