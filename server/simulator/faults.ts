// How a simulated host misbehaves, as scripted over the control interface: parsed once, read wherever it matters.
import { z } from "zod";

export const bmcFaultModes = [
  "silent",
  "error5xx",
  "slow",
  "garbage",
  "close",
  "loseSession",
  "acceptAndIgnore",
  "ignoreResets",
] as const;
export type BmcFaultMode = (typeof bmcFaultModes)[number];

/**
 * Unusual behaviour of a BMC's firmware, within the protocol. `noOnce`, `noHttp`, `noRestart`: it refuses that boot source or reset.
 * `strongVersions`: it sends weak versions but accepts only strong ones. `bareSession`: it opens a session with 204 and no content.
 * `keepsKeys`: it accepts a reset of the secure-boot keys but does not change the databases.
 * `sessionOk`: it opens a session with 200. `busy`: it answers every fourth read with 503 and Retry-After.
 * `noSerial`: it reports no serial number for its system. `noBoot`: it reports no boot settings.
 * `lyingFirmware`: whatever is flashed, it shows the versions that it was delivered with.
 * `bootsByAttribute`: it takes no change of the boot source, and boots from the network while the BIOS attribute UrlBootFile has an address.
 * `dropsMode`: a change of the boot source that does not name the boot mode sets it to Legacy. `demandsTag`: a change without If-Match is answered 412.
 * `changedComponent`: its GPUs' firmware is another one, and shows the same version. `replaysMeasurements`: it hands out measurements of an earlier request.
 * `deafComponent`: the first of its GPUs does not answer it.
 * `slowOff`: a power-off is a task of some minutes. `chassisPorts`: only the chassis's adapters list its network ports.
 */
export const bmcQuirks = [
  "noOnce",
  "noHttp",
  "noRestart",
  "strongVersions",
  "bareSession",
  "sessionOk",
  "busy",
  "keepsKeys",
  "noSerial",
  "noBoot",
  "slowOff",
  "chassisPorts",
  "bootsByAttribute",
  "dropsMode",
  "demandsTag",
  "forgetsAccounts",
  "lyingFirmware",
  "changedComponent",
  "replaysMeasurements",
  "deafComponent",
] as const;
export type BmcQuirk = (typeof bmcQuirks)[number];

/**
 * What is wrong with how a boot is measured, or with what is told of it. `otherImage`: another program was started. `changedFirmware`: the firmware is another
 * one, and the BMC shows the same version as before. `forgedLog`: another program was started, and the event log tells of ours. `replaysQuote`: the quote is
 * that of an earlier boot. `noEventLog`: the kernel shows no log. `silent`: the TPM signs nothing.
 */
export const measuredBootModes = [
  "otherImage",
  "changedFirmware",
  "forgedLog",
  "replaysQuote",
  "noEventLog",
  "silent",
] as const;

const driveFault = z.strictObject({
  failErase: z.boolean().optional(),
  lieErase: z.boolean().optional(),
  vanish: z.boolean().optional(),
  noCrypto: z.boolean().optional(),
  hangErase: z.boolean().optional(),
  readErrors: z.boolean().optional(),
  noSerial: z.boolean().optional(),
  noModel: z.boolean().optional(),
  /** Replaces the drive with another one of the same model, with its own serial number. */
  replace: z.literal(true).optional(),
});

/**
 * What is wrong with a part, by its slot. `lost`: gone from the bus, or only from its driver. `replaced`: how often it was exchanged for another one of
 * the same model. `memory`: clearing it leaves its content, is not supported by the program, or the image has no program for it.
 */
const partFault = z.strictObject({
  lost: z.enum(["bus", "driver"]).optional(),
  replaced: z.int().min(1).optional(),
  lanes: z.int().min(1).max(16).optional(),
  nvlinks: z.int().min(0).max(18).optional(),
  uncorrected: z.int().min(1).optional(),
  remapFailed: z.literal(true).optional(),
  memory: z.enum(["kept", "unsupported", "noProgram"]).optional(),
});

/** The event log of a BMC. Entry n was written n seconds after `since`; the log holds `entries` of them from `first` on. */
const eventLog = z.strictObject({
  first: z.int().min(1).default(1),
  entries: z.int().min(0).max(200_000),
  since: z.iso.datetime(),
});

/** What its BMC reports broken: a fan that stopped and a power supply that lost its input, by their place in the list; a leak; drives that will fail. */
const reportedHealth = z.strictObject({
  fan: z.int().min(0).optional(),
  supply: z.int().min(0).optional(),
  leak: z.enum(["Warning", "Critical"]).optional(),
  drives: z.array(z.string()).optional(),
  log: eventLog.optional(),
});

/** A named fault is set, `null` clears it, and faults that are not named stay. */
export const faultsBody = z.strictObject({
  bmc: z
    .strictObject({
      mode: z.enum(bmcFaultModes),
      requests: z.int().min(1).optional(),
      delayMs: z.int().min(0).optional(),
    })
    .nullable()
    .optional(),
  drives: z.record(z.string(), driveFault.nullable()).optional(),
  agent: z
    .strictObject({
      fewerDevices: z.boolean().optional(),
      okWithoutDevices: z.boolean().optional(),
      crashDuring: z.string().optional(),
      neverRegister: z.boolean().optional(),
      oldVersion: z.boolean().optional(),
      newVersion: z.boolean().optional(),
    })
    .nullable()
    .optional(),
  /** `answers`: how the site's network controller answers a request for this host instead of accepting it. */
  network: z
    .strictObject({
      neverAck: z.boolean().optional(),
      answers: z.enum(["notFound", "unavailable"]).optional(),
    })
    .nullable()
    .optional(),
  infiniband: z.strictObject({ stuck: z.boolean() }).nullable().optional(),
  memoryOverwrite: z.strictObject({ fails: z.boolean() }).nullable().optional(),
  validation: z.strictObject({ fails: z.boolean() }).nullable().optional(),
  /** A lockout authorization that a tenant set, a clear that it disabled, or a TPM that accepts a clear and keeps its seed. */
  tpm: z
    .strictObject({ state: z.enum(["lockoutSet", "clearDisabled", "keeps"]) })
    .nullable()
    .optional(),
  /** From the host's next boot on. */
  measuredBoot: z
    .strictObject({ mode: z.enum(measuredBootModes) })
    .nullable()
    .optional(),
  /** BMC jobs: the next `fails` that are ordered fail, with the message `messageId`; with `hangs` a job never ends. */
  jobs: z
    .strictObject({
      fails: z.int().min(0).optional(),
      messageId: z.string().max(128).optional(),
      hangs: z.boolean().optional(),
    })
    .nullable()
    .optional(),
  /** Until they are cleared. */
  quirks: z.array(z.enum(bmcQuirks)).nullable().optional(),
  /** Replaces all faults of parts. */
  parts: z.record(z.string().max(128), partFault).nullable().optional(),
  /** Replaces everything that the BMC reports broken. */
  health: reportedHealth.nullable().optional(),
});
export type FaultsBody = z.infer<typeof faultsBody>;

/** All faults of a host except its drives', each present. */
export const hostFaults = faultsBody
  .omit({ drives: true })
  .required()
  .extend({
    tpm: faultsBody.shape.tpm.unwrap().default(null),
    measuredBoot: faultsBody.shape.measuredBoot.unwrap().default(null),
    jobs: faultsBody.shape.jobs.unwrap().default(null),
    quirks: faultsBody.shape.quirks.unwrap().default(null),
    parts: faultsBody.shape.parts.unwrap().default(null),
    health: faultsBody.shape.health.unwrap().default(null),
  });

type Given<Name extends keyof FaultsBody> = NonNullable<FaultsBody[Name]>;

/** Without the drives' faults, which the drives hold. `requests` counts down; a crash happens once. */
export interface HostFaults {
  bmc: Given<"bmc"> | null;
  agent: Given<"agent"> | null;
  network: Given<"network"> | null;
  infiniband: Given<"infiniband"> | null;
  memoryOverwrite: Given<"memoryOverwrite"> | null;
  validation: Given<"validation"> | null;
  tpm: Given<"tpm"> | null;
  measuredBoot: Given<"measuredBoot"> | null;
  jobs: Given<"jobs"> | null;
  quirks: Given<"quirks"> | null;
  parts: Given<"parts"> | null;
  health: Given<"health"> | null;
}

export const noHostFaults = (): HostFaults => ({
  bmc: null,
  agent: null,
  network: null,
  infiniband: null,
  memoryOverwrite: null,
  validation: null,
  tpm: null,
  measuredBoot: null,
  jobs: null,
  quirks: null,
  parts: null,
  health: null,
});

/** Counts a BMC request against the active fault and returns the mode that applies. */
export function takeBmcFault(faults: HostFaults): Given<"bmc"> | null {
  const fault = faults.bmc;
  if (fault?.requests === undefined) return fault;
  faults.bmc = fault.requests <= 1 ? null : { ...fault, requests: fault.requests - 1 };
  return fault;
}
