// What people read about drive models: how their erases went (docs/adr/0088-remnant-probe.md).
import { z } from "zod";
import { list, record } from "@/server/contract/define";

export const driveModelRow = record({
  model: z.string(),
  firmware: z.string().nullable(),
  technique: z.string(),
  media: z.string().nullable(),
  hosts: z.number(),
  /** Commands that a drive accepted, and how many of them completed. */
  runs: z.number(),
  completed: z.number(),
  /** Commands without progress for the time that the policy allows. */
  stalls: z.number(),
  /** The drive reported success, but content was still there, or its status log names another technique. */
  lies: z.number(),
  /** Erases with a remnant probe, and how many of them left a canary. */
  probed: z.number(),
  refuted: z.number(),
  /** Canaries in all these probes, and how many of them were left. */
  canaries: z.number(),
  remnants: z.number(),
  /** Upper bounds at 95 % confidence on the share of places, and of erases, that leave a canary; null if none was probed. */
  bound: z.number().nullable(),
  eraseBound: z.number().nullable(),
  /** Median and 95th percentile of the time that completed runs took, in ms. */
  halfMs: z.number().nullable(),
  mostMs: z.number().nullable(),
  longestMs: z.number().nullable(),
  lastAt: z.date(),
});
export type DriveModelRow = z.infer<typeof driveModelRow>;

export const driveModelList = record({ rows: list(driveModelRow), nextCursor: z.string().nullable() });
export type DriveModelList = z.infer<typeof driveModelList>;
