// Digests and markers: what is still there is found, what is gone is not, and both follow from the seed.
import { describe, expect, it } from "vitest";
import type { BlockTarget, BlockTools } from "@/agent/tools/tools";
import type { Area } from "@/agent/verification/area";
import { compareDigests, takeDigests } from "@/agent/verification/digests";
import { writeMarkers } from "@/agent/verification/markers";
import { bytesFrom, numbersFrom } from "@/agent/verification/stream";
import { verify } from "@/agent/verification/verify";

const blockBytes = 512;
const nameOf = (target: BlockTarget) =>
  target.kind === "nvme"
    ? `${target.controller}/${target.namespace}`
    : target.kind === "disk"
      ? target.disk
      : `${target.kit}/${target.bay}`;
type Device = BlockTools & {
  readonly blocks: Map<string, Uint8Array>;
  readonly looked: Set<string>;
  broken: (block: number) => boolean;
  readOnly: boolean;
  fill: (block: number) => Uint8Array;
};

/** A device in memory, filled by a function of the block number. */
function device(fill: (block: number) => Uint8Array): Device {
  const done = <Value>(value: Value | null) =>
    Promise.resolve({ command: "dd", exitCode: value === null ? 1 : 0, status: "", value });
  const self: Device = {
    blocks: new Map(),
    looked: new Set(),
    broken: () => false,
    readOnly: false,
    fill,
    read: (target, _bytes, blocks) => {
      for (const block of blocks) self.looked.add(`${nameOf(target)}/${block}`);
      return done(
        blocks.map((block) =>
          self.broken(block) ? null : (self.blocks.get(`${nameOf(target)}/${block}`) ?? self.fill(block)),
        ),
      );
    },
    write: (target, _bytes, block, content) => {
      if (self.readOnly) return done<true>(null);
      self.blocks.set(`${nameOf(target)}/${block}`, content);
      return done<true>(true);
    },
  };
  return self;
}

const noise = (key: string) => (block: number) => bytesFrom(`${key}${block}`, "noise", blockBytes);
const zeros = () => new Uint8Array(blockBytes);
const areas: readonly Area[] = [
  { target: { kind: "nvme", controller: "/dev/nvme0", namespace: 1 }, blocks: 1_000_000, blockBytes },
  { target: { kind: "nvme", controller: "/dev/nvme0", namespace: 6 }, blocks: 5_000, blockBytes },
];
const samples = 50;

async function prepared(tools: Device, seed = "seed", markers = 8) {
  const markersWritten = await writeMarkers(tools, areas, seed, markers);
  return {
    seed,
    markers,
    markersWritten,
    samples,
    first: null,
    digests: await takeDigests(tools, areas, seed, samples),
  };
}

describe("digests", () => {
  it("match where nothing changed, and nowhere else", async () => {
    const tools = device(noise("tenant"));
    const taken = await takeDigests(tools, areas, "seed", samples);
    expect(taken.filter((digest) => digest !== "")).toHaveLength(samples);
    expect(await compareDigests(tools, areas, "seed", samples, taken)).toMatchObject({
      compared: samples,
      matches: samples,
      unreadable: 0,
    });
    tools.fill = noise("other");
    expect(await compareDigests(tools, areas, "seed", samples, taken)).toMatchObject({
      compared: samples,
      matches: 0,
    });
  });

  it("match as many characters as were taken: a later agent may take fewer", async () => {
    const tools = device(noise("tenant"));
    const taken = ["o_XJ-f", "fHRldR1tscls", "FWphM28g", "_6LPgv"];
    expect(await compareDigests(tools, areas, "seed", taken.length, taken)).toMatchObject({
      compared: taken.length,
      matches: taken.length,
    });
    tools.fill = noise("other");
    expect(await compareDigests(tools, areas, "seed", taken.length, taken)).toMatchObject({ matches: 0 });
  });

  it("look at every namespace, at places that follow from the seed", async () => {
    const [first, again, other] = [device(noise("a")), device(noise("a")), device(noise("a"))];
    const taken = await takeDigests(first, areas, "seed", samples);
    expect(await takeDigests(again, areas, "seed", samples)).toEqual(taken);
    expect(await takeDigests(other, areas, "another", samples)).not.toEqual(taken);
    expect([...first.looked].filter((place) => place.startsWith("/dev/nvme0/6/")).length).toBeGreaterThan(
      samples / 4,
    );
  });

  it("pass over blocks that are constant, and look further for others", async () => {
    const half = (block: number) => (block % 2 === 0 ? zeros() : noise("x")(block));
    const taken = await takeDigests(device(half), areas, "seed", samples);
    expect(taken.length).toBeGreaterThan(samples);
    expect(taken.filter((digest) => digest !== "").length).toBeGreaterThan(samples * 0.7);
    expect((await takeDigests(device(zeros), areas, "seed", samples)).every((digest) => digest === "")).toBe(
      true,
    );
  });

  it("never number more than the journal carries", async () => {
    expect(await takeDigests(device(zeros), areas, "seed", 2_000)).toHaveLength(2_000);
    expect(
      (await takeDigests(device(noise("n")), areas, "seed", 1_500)).filter((digest) => digest !== ""),
    ).toHaveLength(1_500);
  });
});

describe("the verdict", () => {
  it("is passed when all is gone: zeros, or other noise", async () => {
    for (const after of [zeros, noise("new key")]) {
      const tools = device(noise("tenant"));
      const evidence = await prepared(tools);
      tools.blocks.clear();
      tools.fill = after;
      expect(await verify(tools, areas, evidence, "nvme-sanitize-block")).toMatchObject({
        kind: "markers-and-digests",
        result: "passed",
        samples,
        mismatches: 0,
        markersFound: 0,
        markersWritten: 8,
        seed: "seed",
      });
    }
  });

  it("is failed when a single block is left", async () => {
    const tools = device(noise("tenant"));
    const evidence = await prepared(tools);
    const kept = [...tools.looked].find((place) => !tools.blocks.has(place)) ?? "";
    const content = tools.fill(Number(kept.split("/").at(-1)));
    tools.blocks.clear();
    tools.fill = zeros;
    tools.blocks.set(kept, content);
    expect(await verify(tools, areas, evidence, "nvme-sanitize-block")).toMatchObject({
      result: "failed",
      mismatches: 1,
      markersFound: 0,
    });
  });

  it("is failed when a single marker is left, on a device that was empty", async () => {
    const tools = device(zeros);
    const evidence = await prepared(tools);
    const [first] = [...tools.blocks.entries()];
    tools.blocks.clear();
    if (first) tools.blocks.set(...first);
    expect(await verify(tools, areas, evidence, "nvme-sanitize-crypto")).toMatchObject({
      result: "failed",
      markersFound: 1,
    });
  });

  it("is failed when a block of the first attempt is left, whatever a later one drew", async () => {
    const tools = device(noise("tenant"));
    const first = await prepared(tools);
    const kept = [...tools.looked].find((place) => !tools.blocks.has(place)) ?? "";
    const content = tools.fill(Number(kept.split("/").at(-1)));
    tools.fill = zeros;
    tools.blocks.clear();
    tools.blocks.set(kept, content);
    const later = await prepared(tools, "another");
    tools.blocks.clear();
    tools.blocks.set(kept, content);
    expect(await verify(tools, areas, later, "nvme-sanitize-block")).toMatchObject({ result: "passed" });
    expect(await verify(tools, areas, { ...later, first }, "nvme-sanitize-block")).toMatchObject({
      result: "failed",
      mismatches: 1,
      seed: "another",
    });
    tools.blocks.clear();
    expect(await verify(tools, areas, { ...later, first }, "nvme-sanitize-block")).toMatchObject({
      result: "passed",
      samples,
    });
    expect(await verify(tools, areas, { ...first, first }, "nvme-sanitize-block")).toMatchObject({
      result: "passed",
      samples,
    });
  });

  it("rests on digests alone where no marker can be written", async () => {
    const tools = device(noise("tenant"));
    tools.readOnly = true;
    const evidence = await prepared(tools);
    tools.fill = noise("other");
    expect(await verify(tools, areas, evidence, "nvme-sanitize-crypto")).toMatchObject({
      kind: "digests",
      markersWritten: 0,
      result: "passed",
    });
  });

  it("is impossible without anything to compare", async () => {
    const tools = device(zeros);
    tools.readOnly = true;
    expect(await verify(tools, areas, await prepared(tools), "nvme-sanitize-crypto")).toMatchObject({
      result: "impossible",
      samples: 0,
    });
  });

  it("takes read errors only after a cryptographic erase", async () => {
    const tools = device(noise("tenant"));
    const evidence = await prepared(tools);
    tools.blocks.clear();
    tools.broken = () => true;
    expect(await verify(tools, areas, evidence, "nvme-sanitize-crypto")).toMatchObject({
      result: "passed",
      samples: 0,
    });
    expect(await verify(tools, areas, evidence, "nvme-sanitize-block")).toMatchObject({
      result: "impossible",
    });
  });
});

describe("streams", () => {
  it("stay below their limit and spread over it", () => {
    const number = numbersFrom("seed", "test");
    const drawn = Array.from({ length: 10_000 }, () => number(10));
    expect(new Set(drawn)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    const far = numbersFrom("seed", "far");
    expect(Math.max(...Array.from({ length: 1_000 }, () => far(2 ** 50)))).toBeGreaterThan(2 ** 49);
    expect(numbersFrom("a", "x")(1e9)).not.toBe(numbersFrom("a", "y")(1e9));
  });
});
