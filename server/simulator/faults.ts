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
 * What a BMC's firmware does differently, within the protocol. `noOnce`, `noHttp`, `noRestart`: it refuses that boot source or reset.
 * `strongVersions`: it gives weak versions and takes strong ones. `bareSession`: a session is opened with 204 and no content.
 * `keepsKeys`: it takes a reset of the secure-boot keys and leaves the databases as they are.
 * `sessionOk`: a session is opened with 200. `busy`: every fourth read is answered 503 with Retry-After.
 * `noSerial`: it reports no serial number of its system. `noBoot`: nor how it boots.
 * `slowOff`: a power-off is a task of some minutes. `chassisPorts`: its network ports are told by the adapters of the chassis alone.
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
] as const;
export type BmcQuirk = (typeof bmcQuirks)[number];

const driveFault = z.strictObject({
  failErase: z.boolean().optional(),
  lieErase: z.boolean().optional(),
  vanish: z.boolean().optional(),
  noCrypto: z.boolean().optional(),
  hangErase: z.boolean().optional(),
  readErrors: z.boolean().optional(),
  noSerial: z.boolean().optional(),
  noModel: z.boolean().optional(),
  /** Another drive of the same model takes the place, with a serial number of its own. */
  replace: z.literal(true).optional(),
});

/** What is named is set, `null` clears it, what is not named stays. */
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
  /** `answers`: how the site's network controller answers a request for this host, in place of taking it. */
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
  /** Jobs of the BMC: the next `fails` that are ordered fail; one that hangs never ends. */
  jobs: z
    .strictObject({ fails: z.int().min(0).optional(), hangs: z.boolean().optional() })
    .nullable()
    .optional(),
  /** Until they are cleared. */
  quirks: z.array(z.enum(bmcQuirks)).nullable().optional(),
});
export type FaultsBody = z.infer<typeof faultsBody>;

/** All faults of a host but its drives', none left out. */
export const hostFaults = faultsBody
  .omit({ drives: true })
  .required()
  .extend({
    jobs: faultsBody.shape.jobs.unwrap().default(null),
    quirks: faultsBody.shape.quirks.unwrap().default(null),
  });

type Given<Name extends keyof FaultsBody> = NonNullable<FaultsBody[Name]>;

/** Without the drives' faults, which are the drives' own. `requests` counts down; a crash happens once. */
export interface HostFaults {
  bmc: Given<"bmc"> | null;
  agent: Given<"agent"> | null;
  network: Given<"network"> | null;
  infiniband: Given<"infiniband"> | null;
  memoryOverwrite: Given<"memoryOverwrite"> | null;
  validation: Given<"validation"> | null;
  jobs: Given<"jobs"> | null;
  quirks: Given<"quirks"> | null;
}

export const noHostFaults = (): HostFaults => ({
  bmc: null,
  agent: null,
  network: null,
  infiniband: null,
  memoryOverwrite: null,
  validation: null,
  jobs: null,
  quirks: null,
});

/** Counts a BMC request against the fault in force and tells the mode that it meets. */
export function takeBmcFault(faults: HostFaults): Given<"bmc"> | null {
  const fault = faults.bmc;
  if (fault?.requests === undefined) return fault;
  faults.bmc = fault.requests <= 1 ? null : { ...fault, requests: fault.requests - 1 };
  return fault;
}
