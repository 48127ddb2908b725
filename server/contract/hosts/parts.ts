// The parts of a host besides its drives, and what people state of those that changed (docs/parts.md).
import { z } from "zod";
import { partChange } from "@/server/domain/hosts/parts/changes";
import { canaryResults, memoryVerdicts } from "@/server/domain/hosts/device-memory/device-memory";
import { board, part, partKinds } from "@/server/domain/hosts/parts/part";
import { skuPartKinds } from "@/server/domain/hosts/parts/sku-parts";
import { act, hostId, list, read, reason, record, sha256Digest } from "@/server/contract/define";

const found = record({
  ...part.shape,
  /** What is wrong with it; null: nothing that was reported says so. */
  trouble: z.string().nullable(),
  /** What is told of its memory errors; null: it has no memory of its own. */
  errors: z.string().nullable(),
  /** What the newest gate `deviceMemoryCleared` proved of it; null: nothing is known of it there, or it is no device with memory that a tenant can write. */
  cleared: record({
    verdict: z.enum(memoryVerdicts),
    why: z.string(),
    /** What was found of the words that were written before; null: the step did not treat the device. */
    canary: z.enum(canaryResults).nullable(),
  }).nullable(),
});
export type PartRow = z.infer<typeof found>;

const statement = record({
  id: z.string(),
  words: z.string(),
  reason: z.string(),
  by: z.string(),
  at: z.date(),
  /** `taken`: the host was verified with these parts. */
  status: z.enum(["waits", "signed", "rejected", "void", "taken"]),
  decidedBy: z.string().nullable(),
});

export const hostPartsView = record({
  /** The newest report of each source; a source that reports no parts is left out. */
  sources: list(
    record({
      source: z.string(),
      collectedAt: z.date(),
      told: list(z.enum(partKinds)),
      untold: list(record({ kind: z.enum(partKinds), reason: z.string() })),
      found: list(found),
      boards: list(record(board.shape)),
    }),
  ),
  /** The newest evaluation of the gate `deviceMemoryCleared`; null: none. */
  memoryGate: record({
    gate: z.string(),
    reclamationId: z.string(),
    reclamation: z.string(),
    status: z.string(),
    reason: z.string(),
    at: z.date(),
  }).nullable(),
  /** When the parts that the agent's are compared with were verified; null: not yet. */
  knownAt: z.date().nullable(),
  /** What changed since, and the digest that a statement about exactly this needs. */
  changes: list(record({ ...partChange.shape, words: z.string() })),
  evidence: sha256Digest,
  /** What people stated of changes, the newest first. */
  statements: list(statement),
  /** Kinds that the host's SKU does not compare; null without a SKU. */
  notCompared: list(z.enum(skuPartKinds)).nullable(),
});
export type HostPartsView = z.infer<typeof hostPartsView>;

export const parts = {
  ofHost: read({
    title:
      "the GPUs, network cards and memory modules of a host, and what changed since it was last verified",
    right: "host.read",
    input: z.strictObject({ hostId }),
    output: hostPartsView,
  }),
  accept: act({
    title: "accepts changed parts of a host, once another person has signed it",
    right: "host.dispose",
    action: "host.acceptParts",
    /** `evidence`: of the changes that the person saw. */
    input: z.strictObject({ hostId, evidence: sha256Digest, reason }),
    /** `waits`: pending the signature of another person. */
    output: record({ id: z.string(), waits: z.boolean() }),
  }),
};
