// How a BMC's settings differ from its captured tree, as stored over a restart of the simulator.
import { z } from "zod";

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const settings = z.record(z.string(), value);
export type Settings = z.infer<typeof settings>;

const account = z.strictObject({ UserName: z.string(), Enabled: z.boolean(), RoleId: z.string() });
const volume = z.strictObject({ Name: z.string(), RAIDType: z.string(), drives: z.array(z.string()) });

/** What a job does when it succeeds. */
const effect = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("bios") }),
  z.strictObject({ kind: z.literal("bootOrder"), references: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("powerOff") }),
  z.strictObject({ kind: z.literal("firmware"), path: z.string(), version: z.string() }),
  z.strictObject({ kind: z.literal("makeVolume"), path: z.string(), volume }),
  z.strictObject({ kind: z.literal("removeVolumes"), paths: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("eraseDrive"), serial: z.string() }),
  /** Drives of a controller, and with them all of its volumes. */
  z.strictObject({
    kind: z.literal("decommission"),
    serials: z.array(z.string()),
    paths: z.array(z.string()),
  }),
]);
export type JobEffect = z.infer<typeof effect>;

const job = z.strictObject({
  id: z.string(),
  name: z.string(),
  state: z.enum(["waiting", "running", "completed", "failed"]),
  hardwareMs: z.number(),
  fails: z.boolean(),
  hangs: z.boolean(),
  /** The id of its message. */
  messageId: z.string().default("Base.1.8.Job"),
  /** When it was ordered; absent in a file of an earlier simulator. */
  orderedAt: z.iso.datetime().default("2026-01-01T00:00:00.000Z"),
  effect,
});
export type JobMemory = z.infer<typeof job>;

/** By path; null: what the tree has there is gone. */
export const platformMemory = z.strictObject({
  bios: settings,
  biosPending: settings,
  biosDefaultsPending: z.boolean(),
  secureBootMode: z.string().nullable(),
  attributes: settings,
  accounts: z.record(z.string(), account.nullable()),
  subscriptions: z.record(z.string(), z.string().nullable()),
  media: z.record(z.string(), z.string().nullable()),
  volumes: z.record(z.string(), volume.nullable()),
  /** Keys, boot entries, secure-boot signatures, the host interface: how each differs. */
  others: z.record(z.string(), z.record(z.string(), z.json()).nullable()).default({}),
  firmware: z.record(z.string(), z.string()),
  /** References of boot entries in their order, and the one that applies at the next restart; null: as in the tree, and none. */
  bootOrder: z.array(z.string()).nullable().default(null),
  bootOrderPending: z.array(z.string()).nullable().default(null),
  jobs: z.array(job),
  /** Counter for everything created: jobs, volumes, subscriptions. */
  made: z.int().min(0),
  lastReset: z.string().nullable(),
  /** Its defaults were loaded. */
  resetToDefaults: z.boolean().default(false),
});
export type PlatformMemory = z.infer<typeof platformMemory>;
