// What people read about drive models: how their erases went (docs/adr/0088-remnant-probe.md).
import { z } from "zod";
import { list, record } from "@/server/contract/define";

export const driveModelRow = record({
  model: z.string(),
  firmware: z.string().nullable(),
  technique: z.string(),
  media: z.string().nullable(),
  hosts: z.number(),
  /** Commands that a drive accepted, and those of them that completed. */
  runs: z.number(),
  completed: z.number(),
  /** Made no progress for the policy's time. */
  stalls: z.number(),
  /** The drive reported success, but content was still there, or its status log names another technique. */
  lies: z.number(),
  /** Erases with a remnant probe, and those of which a canary was left. */
  probed: z.number(),
  refuted: z.number(),
  /** All their canaries, and those that were left. */
  canaries: z.number(),
  remnants: z.number(),
  /** Largest share of places, and of erases, that goes with that at 95 % confidence; null: none was probed. */
  bound: z.number().nullable(),
  eraseBound: z.number().nullable(),
  /** Half of the completed runs, and 95 % of them, took at most this; in ms. */
  halfMs: z.number().nullable(),
  mostMs: z.number().nullable(),
  longestMs: z.number().nullable(),
  lastAt: z.date(),
});
export type DriveModelRow = z.infer<typeof driveModelRow>;

export const driveModelList = record({ rows: list(driveModelRow), nextCursor: z.string().nullable() });
export type DriveModelList = z.infer<typeof driveModelList>;
