// Fingerprints are compared across releases of the agent: what goes into a digest, and in which order, must never change.
import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { takeFingerprint } from "@/agent/verification/fingerprint";
import { bytesFrom } from "@/agent/verification/stream";
import type { BlockTarget } from "@/agent/tools/tools";

const secret = "a secret";
const facts = {
  serial: "S1",
  model: "Disk 1",
  media: "ssd",
  transport: "sata",
  capacityBytes: "1000000000",
  removable: false,
} as const;

/** Blocks of every length that a tool may return, some shorter and some longer than what is digested at once. */
it.each([512, 4_096, 40_000])(
  "digests number, length and content of each block of %i bytes",
  async (blockBytes) => {
    const contentOf = (block: number) =>
      block % 7 === 3 ? null : bytesFrom(`${block}`, "noise", blockBytes);
    const asked: number[] = [];
    const read = (_target: unknown, _bytes: number, blocks: readonly number[]) => {
      asked.push(...blocks);
      return Promise.resolve({ command: "dd", exitCode: 0, status: "", value: blocks.map(contentOf) });
    };
    const target = { kind: "disk", disk: "/dev/sda" } as const;
    const taken = await takeFingerprint(
      { read, write: () => Promise.reject(new Error("a fingerprint writes nothing")) },
      {
        facts,
        areas: async () => ({ ok: true, value: [{ target, blocks: 1_000_000, blockBytes }] }),
      },
      { secret, samplesPerDevice: 16 },
    );
    if (!taken.ok) throw new Error(taken.problem);
    const hmac = createHmac("sha256", secret).update("S1 drive sampled");
    for (const block of asked.slice(-16)) {
      const content = contentOf(block);
      hmac.update(`\u0000${block} ${content === null ? "unreadable" : content.length}\u0000`);
      if (content !== null) hmac.update(content);
    }
    expect(taken.value[0]?.places.sampled).toBe(hmac.digest("base64url").slice(0, 22));
  },
);

it("is of every namespace, and fails if one of them cannot be read", async () => {
  const of = (namespace: number) => ({
    target: { kind: "nvme", controller: "/dev/nvme0", namespace } as const,
    blocks: 1_000,
    blockBytes: 512,
  });
  const answering = (unreadable: number | null) => ({
    read: (target: BlockTarget, _bytes: number, blocks: readonly number[]) =>
      Promise.resolve({
        command: "nvme read",
        exitCode: 0,
        status: "I/O error",
        value:
          target.kind === "nvme" && target.namespace === unreadable
            ? null
            : blocks.map((block) => bytesFrom(`${block}`, "noise", 512)),
      }),
    write: () => Promise.reject(new Error("a fingerprint writes nothing")),
  });
  const device = { facts, areas: async () => ({ ok: true as const, value: [of(1), of(2)] }) };
  const request = { secret, samplesPerDevice: 16 };
  const taken = await takeFingerprint(answering(null), device, request);
  expect(taken.ok && taken.value.map(({ name }) => name)).toEqual(["namespace 1", "namespace 2"]);
  expect(await takeFingerprint(answering(2), device, request)).toEqual({
    ok: false,
    problem: "nvme read answered 0: I/O error",
  });
});
