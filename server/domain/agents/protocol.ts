// The wire between agent and server, `/agent/v1` and `/boot` (docs/design/agent.md#protocol). Both sides parse with these.
import { z } from "zod";
import { knownMembers } from "@/server/domain/stored";
import { heardUntilMs } from "@/server/domain/agents/signs-of-life";
import { hardwareInventory, storageDevice } from "@/server/domain/inventory/inventory";
import { contentReading, fingerprintRequest } from "@/server/domain/sanitization/content";
import { deviceResult, journalEvent } from "@/server/domain/sanitization/device-result";
import { techniques } from "@/server/domain/sanitization/techniques";

export const agentProtocolVersion = 1;

/** Largest body of a call, and of one piece of log, in bytes. */
export const bodyLimitBytes = 1024 * 1024;
export const logPieceLimitBytes = 256 * 1024;

/** Counts attempts, pieces, versions and boots; the database keeps them in four bytes. */
const counter = z.int().min(1).max(2_147_483_647);

/** A command's id: it names one execution and is never used again. */
export const commandId = z.string().min(1).max(128);

/** How the devices of one medium are to be erased: policy of the site, copied into the command. */
export const erasePolicy = z.strictObject({
  /** Techniques in order of preference, by medium. */
  techniques: z.strictObject({
    nvme: z.array(z.enum(techniques)),
    ssd: z.array(z.enum(techniques)),
    hdd: z.array(z.enum(techniques)),
    "raid-kit": z.array(z.enum(techniques)),
  }),
  /** Go on to the next technique when the device refuses one. */
  fallback: z.boolean(),
  /** Random non-constant blocks to take keyed digests of, per device. */
  samplesPerDevice: z.int().min(1).max(2000),
  /** Markers of random content to write, per device. */
  markersPerDevice: z.int().min(0).max(64),
  /** No progress for this long means that the device hangs. */
  noProgressTimeoutMs: z.int().min(1),
});
export type ErasePolicy = z.infer<typeof erasePolicy>;

export const executeCommand = z.strictObject({
  kind: z.literal("execute"),
  id: commandId,
  stepRunId: z.guid(),
  attempt: counter,
  interface: z.string(),
  step: z.string(),
  args: z.record(z.string(), z.json()),
  /** The devices that this step is expected to treat: all of them, and no result may lack one. */
  devices: z.array(storageDevice),
  erase: erasePolicy,
  /** Take a fingerprint of each device once it is erased. */
  fingerprint: fingerprintRequest.optional(),
  /** What earlier attempts wrote into the journal: an agent sends nothing that it says was sent without reading the status first. */
  journal: z.array(journalEvent),
  deadline: z.iso.datetime(),
});
export type ExecuteCommand = z.infer<typeof executeCommand>;

export const command = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  executeCommand,
  z.strictObject({ kind: z.literal("abort"), id: commandId, stepRunId: z.guid(), attempt: counter }),
  z.strictObject({ kind: z.literal("discover"), id: commandId }),
  z.strictObject({
    kind: z.literal("validate"),
    id: commandId,
    tests: z.array(z.string().max(128)),
    /** Read every drive's content again, before the tests. */ fingerprint: fingerprintRequest.optional(),
  }),
  /** Read the erase status of every drive, and change nothing. Only for an agent that knows it: `mayLook`. */
  z.strictObject({ kind: z.literal("look"), id: commandId }),
  /** Restart the host; it boots from disk because no boot window is open. */
  z.strictObject({ kind: z.literal("restart"), id: commandId }),
]);
export type Command = z.infer<typeof command>;

export const identity = z.strictObject({
  systemUuid: z.guid(),
  serial: z.string().min(1).max(128),
  macs: z
    .array(z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/))
    .min(1)
    .max(128),
});
export type AgentIdentity = z.infer<typeof identity>;

/** What a site's own step takes (docs/agent.md#adding-a-step). */
export const offeredTypes = ["string", "integer", "boolean"] as const;

const offeredArgument = z.strictObject({
  name: z.string().min(1).max(64),
  description: z.string().max(500),
  type: z.enum(offeredTypes),
  required: z.boolean(),
});

/** The optional members are those of a site's own steps: of ours the server has a declaration. */
export const offeredStep = z.strictObject({
  interface: z.string().max(32),
  step: z.string().max(64),
  priority: z.int().min(0),
  abortable: z.boolean(),
  summary: z.string().max(500).exactOptional(),
  args: z.array(offeredArgument).max(32).exactOptional(),
  /** Longest that one run of it takes: then the agent ends it. */
  timeLimitMs: z
    .int()
    .min(1)
    .max(7 * 86_400_000)
    .exactOptional(),
  /** It writes to drives, so it must run before they are erased. */
  writes: z.boolean().exactOptional(),
});
export type OfferedStep = z.infer<typeof offeredStep>;
export const hardwareManager = z.strictObject({
  name: z.string().max(128),
  version: z.string().max(64),
  steps: z.array(offeredStep).max(256),
  /** Files of steps that it cannot offer, and why: no automated plan is made while there are any. */
  faults: z
    .array(z.strictObject({ file: z.string().max(256), message: z.string().max(1000) }))
    .max(256)
    .exactOptional(),
});
export type HardwareManager = z.infer<typeof hardwareManager>;

/** Those of an agent, as they are stored: without what the version beside this one also keeps of them (docs/adr/0024-rolling-upgrade.md). */
export const storedManagers = knownMembers(z.array(hardwareManager));

/** `GET /boot/token?uuid=…&mac=…` → this, while a boot window is open. */
export const bootTokenAnswer = z.strictObject({ bootToken: z.string().min(20) });

/** `POST /agent/v1/register`, with the boot token as bearer. */
export const registerBody = z.strictObject({
  protocol: z.literal(agentProtocolVersion),
  identity,
  /** Made up once by each run of the agent: whose answer was lost asks again with the same one. Without it a boot takes one registration only. */
  run: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  agentVersion: z.string().min(1).max(64),
  hardwareManagers: z.array(hardwareManager).max(32),
  inventory: hardwareInventory,
});
export type RegisterBody = z.infer<typeof registerBody>;

/** The answer to `register`. `sessionToken` is the bearer of every other call. */
export const registerAnswer = z.strictObject({
  sessionToken: z.string().min(20),
  bootEpoch: counter,
  heartbeatMs: z.int().min(1),
  command,
});
export type RegisterAnswer = z.infer<typeof registerAnswer>;

/** `POST /agent/v1/poll`: held open until there is a command, 25 s at most. */
export const pollBody = z.strictObject({
  /** The command that is being carried out now. */
  working: commandId.nullable(),
  /** Commands that are over and acknowledged: they are not given again. */
  finished: z.array(commandId).max(64),
});
export type PollBody = z.infer<typeof pollBody>;

export const commandAnswer = z.strictObject({ command });
export type CommandAnswer = z.infer<typeof commandAnswer>;

/** How far an erase of one drive is. Durations and no times: the agent's clock is nobody's (docs/adr/0022-durations-travel.md). */
const deviceProgress = z.strictObject({
  serial: z.string().max(128),
  percent: z.number().min(0).max(100),
  status: z.string().max(500),
  /** For how long the drive expects to erase on, in ms; 0: it does not erase. Null or left out: it may, and nobody knows for how long. */
  remainingMs: z.number().min(0).nullable().optional(),
  /** Of agents of the release before: a time by the agent's own clock. Taken, and not believed. */
  expectedEndAt: z.iso.datetime().optional(),
});

/** `POST /agent/v1/step-runs/{id}/progress` */
export const progressBody = z.strictObject({
  attempt: counter,
  sequence: counter,
  percent: z.number().min(0).max(100),
  message: z.string().max(2000),
  devices: z.array(deviceProgress).max(512),
  journal: z.array(journalEvent).max(2048),
  /** The technique under way cannot be stopped; no power action may fall into it. */
  unstoppable: z.boolean(),
});
export type ProgressBody = z.infer<typeof progressBody>;
export const progressAnswer = z.strictObject({ abort: z.boolean() });

/** `POST /agent/v1/step-runs/{id}/result` → commandAnswer. Idempotent by run and attempt. */
export const resultBody = z.strictObject({
  attempt: counter,
  result: z.enum(["OK", "ERROR"]),
  message: z.string().max(8000),
  devices: z.array(deviceResult).max(512),
  journal: z.array(journalEvent).max(2048),
  /** A drive erases still, or does not tell. Left out by agents of the release before. */
  erasing: z.boolean().optional(),
});
export type ResultBody = z.infer<typeof resultBody>;

/** `POST /agent/v1/discovery` → commandAnswer */
export const discoveryBody = z.strictObject({ command: commandId, inventory: hardwareInventory });
export type DiscoveryBody = z.infer<typeof discoveryBody>;

/** `POST /agent/v1/validation` → commandAnswer */
export const validationBody = z.strictObject({
  command: commandId,
  tests: z
    .array(
      z.strictObject({
        name: z.string().max(128),
        result: z.enum(["passed", "failed", "skipped"]),
        message: z.string().max(2000),
        startedAt: z.iso.datetime(),
        endedAt: z.iso.datetime(),
      }),
    )
    .max(256),
  /** One for each drive that the agent sees, where the command asked for it. */
  content: z.array(contentReading).max(512).optional(),
});
export type ValidationBody = z.infer<typeof validationBody>;

/** `POST /agent/v1/drives` → commandAnswer: what was asked for with `look`. */
export const drivesBody = z.strictObject({
  command: commandId,
  /** It carries out a step, so what it could say of its drives is old at once. */
  busy: z.boolean(),
  drives: z
    .array(
      z.strictObject({
        serial: z.string().max(128),
        state: z.enum(["idle", "erasing", "unknown"]),
        status: z.string().max(500),
        remainingMs: z.number().min(0).nullable(),
      }),
    )
    .max(512),
});
export type DrivesBody = z.infer<typeof drivesBody>;

/** The first version of the agent that knows the command `look`. */
const looksSince = [0, 2] as const;

/** Whether an agent of this version may be given the command `look`: an older one would not understand any answer with it. Pure. */
export function mayLook(agentVersion: string): boolean {
  const [major = NaN, minor = NaN] = agentVersion.split(".").map(Number);
  return major > looksSince[0] || (major === looksSince[0] && minor >= looksSince[1]);
}

/** Whether somebody can say what the drives do: an agent that may be asked, or one whose reports still come. Pure. */
export function drivesAreHeard({
  nowMs,
  agent,
  reportedAtMs,
  agentFreshMs,
}: {
  readonly nowMs: number;
  readonly agent: { readonly version: string; readonly seenMs: number } | null;
  readonly reportedAtMs: number | null;
  readonly agentFreshMs: number;
}): boolean {
  const fresh = (atMs: number | null): boolean => atMs !== null && nowMs <= heardUntilMs(atMs, agentFreshMs);
  return fresh(reportedAtMs) || (agent !== null && mayLook(agent.version) && fresh(agent.seenMs));
}

/** `POST /agent/v1/logs` → 204 */
export const logsBody = z.strictObject({ sequence: counter, text: z.string().max(logPieceLimitBytes) });
export type LogsBody = z.infer<typeof logsBody>;
