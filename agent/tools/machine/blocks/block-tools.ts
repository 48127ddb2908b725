// Blocks of a machine's drives, read and written directly by the agent itself; those of a RAID kit's drives by passthrough.
import { given, refused } from "@/agent/tools/machine/program/answers";
import { DirectFile } from "@/agent/tools/machine/blocks/direct-file";
import { diskPath } from "@/agent/tools/machine/disks/disk-path";
import type { Files } from "@/agent/tools/machine/program/files";
import type { KitBlocks } from "@/agent/tools/machine/kit-tools";
import { namespacePath } from "@/agent/tools/machine/nvme/namespace-path";
import type { Answer, BlockTarget, BlockTools } from "@/agent/tools/tools";

type OnDevice = Extract<BlockTarget, { kind: "nvme" | "disk" }>;

/** One block device, opened. */
export interface OpenedBlocks {
  /** Null for a read error of the medium; rejects for every other error. */
  read(block: number): Promise<Uint8Array | null>;
  write(block: number, content: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Rejects if the path cannot be opened in this way. */
export type OpenBlocks = (
  path: string,
  blockBytes: number,
  access: "read" | "write",
) => Promise<OpenedBlocks>;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Null: no device matches this target now. */
async function pathOf(files: Files, target: OnDevice): Promise<string | null> {
  if (target.kind === "nvme") return namespacePath(files, target.controller, target.namespace);
  return diskPath.test(target.disk) ? target.disk : null;
}

const nameOf = (target: OnDevice): string =>
  target.kind === "nvme" ? `namespace ${target.namespace} of ${target.controller}` : target.disk;

/** Opens a target's device and closes it whatever happens. */
async function onDevice<Value>(
  { files, open }: { readonly files: Files; readonly open: OpenBlocks },
  target: OnDevice,
  blockBytes: number,
  access: "read" | "write",
  work: (file: OpenedBlocks) => Promise<Value>,
): Promise<Answer<Value>> {
  const path = await pathOf(files, target);
  const command = `${access}(2), O_DIRECT, ${blockBytes} bytes, ${path ?? nameOf(target)}`;
  if (path === null) return refused(command, "there is no such block device", 2);
  let file: OpenedBlocks;
  try {
    file = await open(path, blockBytes, access);
  } catch (error) {
    return refused(command, messageOf(error), 2);
  }
  try {
    return given(command, await work(file));
  } catch (error) {
    return refused(command, messageOf(error));
  } finally {
    await file.close().catch(() => undefined);
  }
}

export const blockTools = (
  files: Files,
  kit: KitBlocks,
  open: OpenBlocks = (...args) => DirectFile.open(...args),
): BlockTools => ({
  read: (target, blockBytes, blocks) =>
    target.kind === "kit"
      ? kit.read(target, blockBytes, blocks)
      : onDevice({ files, open }, target, blockBytes, "read", async (file) => {
          const contents: (Uint8Array | null)[] = [];
          for (const block of blocks) contents.push(await file.read(block));
          return contents;
        }),
  write: (target, blockBytes, block, content) =>
    target.kind === "kit"
      ? kit.write(target, blockBytes, block, content)
      : onDevice({ files, open }, target, blockBytes, "write", async (file): Promise<true> => {
          await file.write(block, content);
          return true;
        }),
});
