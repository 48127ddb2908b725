// The protocol between agent and server, `/agent/v1` and `/boot` (docs/design/agent.md#protocol). Both sides parse with these schemas.
import { z } from "zod";
import { knownMembers } from "@/server/domain/stored";
import { heardUntilMs } from "@/server/domain/agents/signs-of-life";
import { clearedDevice, maxMemoryDevices } from "@/server/domain/hosts/device-memory/device-memory";
import { hardwareInventory, storageDevice } from "@/server/domain/hosts/inventory/inventory";
import { contentReading, fingerprintRequest } from "@/server/domain/cleaning/sanitization/content";
import { deviceResult, journalEvent } from "@/server/domain/cleaning/sanitization/device-result";
import { techniques } from "@/server/domain/cleaning/sanitization/techniques";

export const agentProtocolVersion = 1;

/** Maximum size of a request body, and of one log piece, in bytes. */
export const bodyLimitBytes = 1024 * 1024;
export const logPieceLimitBytes = 256 * 1024;

/** Counts attempts, pieces, versions and boots. The database stores them in four bytes. */
const counter = z.int().min(1).max(2_147_483_647);

/** A command's id. It names one execution and is never reused. */
export const commandId = z.string().min(1).max(128);

/** How devices are to be erased, by medium: the site's policy, copied into the command. */
export const erasePolicy = z.strictObject({
  /** Techniques in order of preference, by medium. */
  techniques: z.strictObject({
    nvme: z.array(z.enum(techniques)),
    ssd: z.array(z.enum(techniques)),
    hdd: z.array(z.enum(techniques)),
    "raid-kit": z.array(z.enum(techniques)),
  }),
  /** Try the next technique when the device rejects one. */
  fallback: z.boolean(),
  /** Random non-constant blocks per device to take keyed digests of. */
  samplesPerDevice: z.int().min(1).max(2000),
  /** Markers of random content to write per device. */
  markersPerDevice: z.int().min(0).max(64),
  /** A device without progress for this long counts as hung. */
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
  /** The devices that this step is expected to treat. The result must include every one of them. */
  devices: z.array(storageDevice),
  erase: erasePolicy,
  /** Take a fingerprint of each device once it is erased. */
  fingerprint: fingerprintRequest.optional(),
  /** The journal of earlier attempts. If a command was sent according to it, the agent reads the drive's status before it sends anything. */
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
    /** Read every drive's content again before the tests. */ fingerprint: fingerprintRequest.optional(),
  }),
  /** Read the erase status of every drive without changing anything. Only for agents that know it: `mayLook`. */
  z.strictObject({ kind: z.literal("look"), id: commandId }),
  /** Restart the host. It boots from disk because no boot window is open. */
  z.strictObject({ kind: z.literal("restart"), id: commandId }),
]);
export type Command = z.infer<typeof command>;

export const identity = z.strictObject({
  /** Zeros if the firmware tells none. */
  systemUuid: z.guid(),
  /** Empty if the firmware tells none. */
  serial: z.string().max(128),
  macs: z
    .array(z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/))
    .min(1)
    .max(128),
});
export type AgentIdentity = z.infer<typeof identity>;

/** Types of the arguments of a site's own steps (docs/agent.md#adding-a-step). */
export const offeredTypes = ["string", "integer", "boolean"] as const;

const offeredArgument = z.strictObject({
  name: z.string().min(1).max(64),
  description: z.string().max(500),
  type: z.enum(offeredTypes),
  required: z.boolean(),
});

/** The optional members are for a site's own steps. For ours, the server has the declaration. */
export const offeredStep = z.strictObject({
  interface: z.string().max(32),
  step: z.string().max(64),
  priority: z.int().min(0),
  abortable: z.boolean(),
  summary: z.string().max(500).exactOptional(),
  args: z.array(offeredArgument).max(32).exactOptional(),
  /** Time limit of one run; the agent then ends it. */
  timeLimitMs: z
    .int()
    .min(1)
    .max(7 * 86_400_000)
    .exactOptional(),
  /** The step writes to drives, so it must run before they are erased. */
  writes: z.boolean().exactOptional(),
});
export type OfferedStep = z.infer<typeof offeredStep>;
export const hardwareManager = z.strictObject({
  name: z.string().max(128),
  version: z.string().max(64),
  steps: z.array(offeredStep).max(256),
  /** Step files that the agent cannot offer, and why. No automated plan is made while there are any. */
  faults: z
    .array(z.strictObject({ file: z.string().max(256), message: z.string().max(1000) }))
    .max(256)
    .exactOptional(),
});
export type HardwareManager = z.infer<typeof hardwareManager>;

/** An agent's hardware managers as stored, without members that another version running at the same time adds (docs/adr/0024-rolling-upgrade.md). */
export const storedManagers = knownMembers(z.array(hardwareManager));

/** Answer to `GET /boot/token?uuid=…&mac=…` while a boot window is open. */
export const bootTokenAnswer = z.strictObject({ bootToken: z.string().min(20) });

/** `POST /agent/v1/register`, with the boot token as bearer. */
export const registerBody = z.strictObject({
  protocol: z.literal(agentProtocolVersion),
  identity,
  /** Generated once per run of the agent, so that it can retry with the same value if the answer is lost. Without it, a boot accepts one registration only. */
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

/** `POST /agent/v1/poll`: a long poll. The server holds it open until there is a command, 25 s by default. */
export const pollBody = z.strictObject({
  /** The command in progress. */
  working: commandId.nullable(),
  /** Commands that have ended and are acknowledged; they are not sent again. */
  finished: z.array(commandId).max(64),
});
export type PollBody = z.infer<typeof pollBody>;

export const commandAnswer = z.strictObject({ command });
export type CommandAnswer = z.infer<typeof commandAnswer>;

/** Progress of the erase of one drive. Durations instead of times, because the agent's clock is not trusted (docs/adr/0022-durations-travel.md). */
const deviceProgress = z.strictObject({
  serial: z.string().max(128),
  percent: z.number().min(0).max(100),
  status: z.string().max(500),
  /** Time until the drive expects to finish, in ms; 0: it is not erasing. Null or left out: it may be erasing, for an unknown time. */
  remainingMs: z.number().min(0).nullable().optional(),
});

/** `POST /agent/v1/step-runs/{id}/progress` */
export const progressBody = z.strictObject({
  attempt: counter,
  sequence: counter,
  percent: z.number().min(0).max(100),
  message: z.string().max(2000),
  devices: z.array(deviceProgress).max(512),
  journal: z.array(journalEvent).max(2048),
  /** The running technique cannot be stopped, and no power action may interrupt it. */
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
  /** What the step that clears the memory of devices did to each; other steps leave it out. */
  memory: z.array(clearedDevice).max(maxMemoryDevices).optional(),
  /** A drive is still erasing, or does not tell. Left out by agents of the previous release. */
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
  /** One for each drive that the agent sees, if the command asked for it. */
  content: z.array(contentReading).max(512).optional(),
});
export type ValidationBody = z.infer<typeof validationBody>;

/** `POST /agent/v1/drives` → commandAnswer: the result of `look`. */
export const drivesBody = z.strictObject({
  command: commandId,
  /** The agent is running a step, so anything it says about its drives is outdated at once. */
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

/** The first agent version that knows the command `look`. */
const looksSince = [0, 2] as const;

/** Whether an agent of this version may be given `look`. An older one could not parse any answer that contains it. Pure. */
export function mayLook(agentVersion: string): boolean {
  const [major = NaN, minor = NaN] = agentVersion.split(".").map(Number);
  return major > looksSince[0] || (major === looksSince[0] && minor >= looksSince[1]);
}

/** Whether anything can report what the drives are doing: an agent that can be asked, or one whose reports still arrive. Pure. */
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
