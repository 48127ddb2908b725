// What hardware keeps while the simulator is not running, in the format of the state file.
import { z } from "zod";
import { networkWanted } from "@/server/domain/hosts/network/network-protocol";
import { platformMemory } from "@/server/simulator/bmc/platform/memory";
import { hostFaults } from "@/server/simulator/faults";

const base = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("zeros") }),
  z.strictObject({ kind: z.literal("noise"), key: z.int() }),
  z.strictObject({ kind: z.literal("tenant"), key: z.int() }),
]);

/** `written`: number and bytes, in base64, of each block written since. */
const content = z.strictObject({ base, written: z.array(z.tuple([z.int(), z.base64()])) });
export type ContentMemory = z.infer<typeof content>;

const namespace = z.strictObject({
  id: z.int(),
  blocks: z.int(),
  format: z.int(),
  attached: z.boolean(),
  blockBytes: z.int(),
  content,
});

const body = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("nvme"), namespaces: z.array(namespace) }),
  z.strictObject({ kind: z.literal("disk"), password: z.string().nullable(), content }),
]);
export type DriveBody = z.infer<typeof body>;

const eraseKind = z.enum(["crypto", "block", "overwrite", "format"]);

/** An erase in progress: `targets` are indexes into the drive's contents; times are real milliseconds, except `hardwareMs`. */
const running = z.strictObject({
  kind: eraseKind,
  by: z.enum(["sanitize", "command", "controller"]).default("controller"),
  code: z.int(),
  targets: z.array(z.int().min(0)),
  hardwareMs: z.number(),
  totalMs: z.number(),
  elapsedMs: z.number(),
  hangs: z.boolean(),
  fails: z.boolean(),
  lies: z.boolean(),
});

const drive = z.strictObject({
  /** How many drives of the host had been replaced when this one came. Together with the place it identifies the drive. */
  replacement: z.int().min(0),
  /** How many keys the drive has used. */
  keys: z.int(),
  last: z.strictObject({
    state: z.enum(["never", "completed", "failed"]),
    kind: eraseKind.nullable(),
    code: z.int(),
  }),
  running: running.nullable(),
  faults: z
    .strictObject({
      failErase: z.boolean(),
      lieErase: z.boolean(),
      vanish: z.boolean(),
      noCrypto: z.boolean(),
      hangErase: z.boolean(),
      readErrors: z.boolean(),
      noSerial: z.boolean().default(false),
      noModel: z.boolean().default(false),
    })
    .nullable(),
  body,
});
export type DriveMemory = z.infer<typeof drive>;

const host = z.strictObject({
  power: z.enum(["On", "Off"]),
  running: z.enum(["nothing", "idle", "tenant"]),
  override: z.strictObject({ target: z.string(), enabled: z.string(), mode: z.string() }),
  version: z.int(),
  lastResetAt: z.string(),
  intrusion: z.enum(["Normal", "HardwareIntrusion"]).default("Normal"),
  network: z.enum(["tenant", "admin", "quarantine", "unknown"]),
  memoryOverwrite: z.int(),
  tpmOwned: z.boolean().default(false),
  tpmSeed: z.int().default(0),
  infiniband: z.record(z.string(), z.record(z.string(), z.string())),
  replacements: z.int(),
  faults: hostFaults,
  /** Null: its BMC is as in its tree. */
  platform: platformMemory.nullable().default(null),
});
export type HostMemory = z.infer<typeof host>;

/** The wanted network of one host, and which of its interfaces have not been acknowledged. */
const network = z.strictObject({
  wanted: networkWanted,
  sha256: z.string(),
  hadServices: z.boolean(),
  servicesRunning: z.boolean(),
  pending: z.array(z.string()),
});
export type NetworkMemory = z.infer<typeof network>;

/** The first line of a state file: which fleet it belongs to. */
export const stateHeader = z.strictObject({
  format: z.literal("reclaim-simulator-1"),
  seed: z.int(),
  hosts: z.int(),
});

/** Any other line. `at`: how long simulators of this fleet had been running. A later line about the same thing replaces an earlier one. */
export const stateLine = z.union([
  z.strictObject({ at: z.number(), host: z.int(), place: z.int(), drive }),
  z.strictObject({ at: z.number(), host: z.int(), state: host }),
  z.strictObject({ at: z.number(), network }),
  z.strictObject({ at: z.number() }),
]);
export type StateLine = z.infer<typeof stateLine>;
