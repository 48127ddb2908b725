// Reads and writes blocks of a file past the page cache.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blockTools } from "@/agent/tools/machine/blocks/block-tools";
import { DirectFile } from "@/agent/tools/machine/blocks/direct-file";
import { kitBlocks } from "@/agent/tools/machine/kit-tools";
import { treeOf } from "@/agent/tools/machine/testing/recorded";
import { root } from "@/scripts/folders.mjs";

// Beside the checkout's own files, because a temporary folder may be in memory, which does not support direct access.
const folder = mkdtempSync(join(root, "node_modules", ".direct-"));
const path = join(folder, "disk");
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(() =>
  writeFileSync(path, Buffer.concat(Array.from({ length: 8 }, (_, block) => Buffer.alloc(4096, block + 1)))),
);

it("reads and writes whole blocks at their places", async () => {
  const reading = await DirectFile.open(path, 4096, "read");
  expect(await reading.read(2)).toEqual(Uint8Array.from(Buffer.alloc(4096, 3)));
  const writing = await DirectFile.open(path, 4096, "write");
  await writing.write(2, Buffer.alloc(4096, 0xee));
  expect((await reading.read(2))?.[0]).toBe(0xee);
  expect((await reading.read(1))?.[0]).toBe(2);
  expect(readFileSync(path)[2 * 4096]).toBe(0xee);
  await Promise.all([reading.close(), writing.close()]);
});

it("has no block past the end, and takes no content of another length", async () => {
  const reading = await DirectFile.open(path, 4096, "read");
  await expect(reading.read(8)).rejects.toThrow("0 of 4096 bytes");
  await reading.close();
  const writing = await DirectFile.open(path, 4096, "write");
  await expect(writing.write(0, Buffer.alloc(512))).rejects.toThrow("512 bytes for a block of 4096");
  await writing.close();
});

it("refuses what is not there, as an answer", async () => {
  const blocks = blockTools(treeOf({}), kitBlocks);
  const nvme = { kind: "nvme", controller: "/dev/nvme0", namespace: 1 } as const;
  expect(await blocks.read(nvme, 512, [0])).toMatchObject({
    value: null,
    status: "there is no such block device",
  });
  expect(await blocks.read({ kind: "disk", disk: path }, 4096, [0])).toMatchObject({ value: null });
  expect(
    await blocks.write({ kind: "kit", kit: "/dev/nvme0", bay: 0 }, 512, 0, Buffer.alloc(512)),
  ).toMatchObject({
    value: null,
  });
});
