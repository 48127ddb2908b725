// The hardware calls that make up each kind of effect, in order (docs/adr/0005-effects-with-phases.md).
import { z } from "zod";
import { judgeCertificate, type CertificateTrust } from "@/server/domain/hardware/certificate";
import type { MarkReading } from "@/server/domain/hosts/reset-mark";
import { isObject, storedJson, type JsonValue } from "@/server/domain/json";
import type { Settlement } from "@/server/db/hot/hardware/effects";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { bootChange, type BootChange } from "@/server/domain/hosts/boot-settings";
import { bmcIntents } from "@/server/domain/lifecycle/signals";
import type {
  BmcTarget,
  CallOptions,
  HardwareResult,
  HardwareType,
  RestartTarget,
  StepKnown,
} from "@/server/hardware/interfaces";
import { powerSteps } from "@/server/hardware/power-steps";
import type { EffectPhase } from "@/server/controller/host/effect-outcome";

/** How an effect ended. */
export type EffectOutcome = Pick<Settlement, "status" | "value" | "error">;

/** Requests the permits for the calls of one effect. */
export interface EffectPermits {
  /** `before` is read before a restart; its mark is stored with the permit, so that a lost answer can be looked up. */
  readonly options: (phase?: EffectPhase, power?: boolean, before?: MarkReading | null) => CallOptions;
}

/** The request of a `bootAgent` effect. */
export const bootRequest = z.object({
  bootEpoch: z.number(),
  powerCycle: z.boolean(),
  offAndOn: z.boolean().default(false),
  /** An erase may run that goes on over a reset, and over nothing else (docs/adr/0020-a-boot-is-proven.md). */
  resetOnly: z.boolean().default(false),
  storage: z.string().optional(),
});

const lookRequest = z.object({ clearBoot: z.boolean().default(false) });

const stepRequest = z.object({
  interface: z.string(),
  step: z.string(),
  args: z.custom<Readonly<Record<string, JsonValue>>>(isObject),
  known: z.custom<StepKnown>((value) => typeof value === "object" && value !== null),
  phase: z.enum(["begin", "check"]),
  handle: storedJson,
});

/** One call of a clean step's code, which asks for a permit before it sends anything. */
export async function cleanStep(
  type: HardwareType,
  target: BmcTarget,
  options: EffectPermits["options"],
  asked: unknown,
): Promise<EffectOutcome> {
  const request = stepRequest.parse(asked);
  const name = stepName(request);
  // Power steps may be requested under any interface, and always need the permit of a power action.
  const power = powerSteps(type).get(request.step);
  const code = power ?? type.steps.get(name);
  if (code === undefined) return failure("unsupported", `hardware type ${type.name} does not offer ${name}`);
  const call = { target, args: request.args, known: request.known };
  return outcome(
    request.phase === "begin"
      ? await code.begin(call, power === undefined ? options("step") : options("reset", true))
      : await code.check(call, request.handle, options("step")),
  );
}

/** Reads the whole inventory once the BMC's certificate is trusted. The certificate is reported in every case. */
export async function verify(
  type: HardwareType,
  target: BmcTarget,
  trust: CertificateTrust,
  options: CallOptions,
): Promise<EffectOutcome> {
  const shown = await type.inventory.certificate?.(target, options);
  if (shown?.ok === false) return outcome(shown);
  const certificate = shown?.value ?? null;
  const verdict = type.withoutBmc === true ? noCertificate : judgeCertificate(trust, certificate);
  if (!verdict.ok) return { ...failure("untrusted", verdict.message), value: { certificate, pin: null } };
  const known = { ...target, certificate: verdict.pin };
  const found = await type.inventory.discover(known, options);
  if (!found.ok) return { ...outcome(found), value: { certificate, pin: verdict.pin } };
  if (type.withoutBmc !== true && (await options.prolong?.()) === false)
    return failure("refused", "another process took over the host");
  const collected = await type.inventory.collect({ ...known, links: found.value.links }, options);
  if (!collected.ok) return { ...outcome(collected), value: { certificate, pin: verdict.pin } };
  const { inventory, leftOut } = collected.value;
  return {
    status: "done",
    error: null,
    value: {
      links: found.value.links,
      system: inventory.system,
      storage: inventory.storage,
      macs: inventory.macs,
      firmware: inventory.firmware,
      platform: inventory.platform,
      boot: inventory.boot,
      bios: inventory.bios,
      bmcSettings: inventory.bmcSettings,
      parts: inventory.parts ?? null,
      leftOut,
      unresolved: inventory.unresolved,
      certificate,
      pin: verdict.pin,
    },
  };
}

/** Share of one call's timeout, so that the extra look ends within the lease. */
const lookShare = 1 / 8;

/** Adds the certificate that was shown to a refusal, so that a person can compare and confirm it. Left out if the BMC no longer shows one. */
export async function withShown(
  refused: EffectOutcome,
  type: HardwareType,
  target: BmcTarget,
  options: CallOptions,
): Promise<EffectOutcome> {
  if (refused.status !== "failed" || refused.error?.kind !== "untrusted" || refused.value !== null)
    return refused;
  const timeoutMs = Math.floor(options.timeoutMs * lookShare);
  const shown = await type.inventory.certificate?.(target, { ...options, timeoutMs });
  return shown?.ok === true && shown.value !== null
    ? { ...refused, value: { certificate: shown.value, pin: null } }
    : refused;
}

/** For hosts without a machine. */
const noCertificate = { ok: true, pin: null } as const;

const networkSource = ({ links: known }: BmcTarget) =>
  known?.bootTargets.includes("UefiHttp") === true ? "uefiHttp" : "pxe";

/** Share of one call's timeout, so that reading the drives leaves enough of the lease for the boot. */
const storageShare = 1 / 3;

/**
 * Reads the drives if requested, sets a one-time boot from the network, then makes a proven restart (docs/adr/0020-a-boot-is-proven.md).
 * Drives that cannot be read do not prevent the boot: they are read separately after it.
 */
export async function bootAgent(
  type: HardwareType,
  target: BmcTarget,
  options: EffectPermits["options"],
  asked: z.infer<typeof bootRequest>,
): Promise<EffectOutcome> {
  const { prolong: _, ...call } = options();
  const read =
    asked.storage === undefined
      ? null
      : await type.inventory.storage(target, {
          ...call,
          timeoutMs: Math.floor(call.timeoutMs * storageShare),
        });
  const storage =
    asked.storage === undefined
      ? {}
      : { storage: { of: asked.storage, read: read?.ok === true ? read.value : null } };
  const set = await type.management.setBootOnce(target, networkSource(target), options("setBoot"));
  if (!set.ok) return outcome(set);
  const before = set.value;
  const done = await type.power.restart(
    target,
    {
      before,
      powerCycle: asked.powerCycle,
      offAndOn: asked.offAndOn,
      ...(asked.resetOnly ? { resetOnly: true } : {}),
    },
    options("reset", true, before),
  );
  return outcome(
    done.ok
      ? {
          ok: true,
          value: {
            ...done.value.system,
            restart: {
              proof: done.value.proof,
              before: before.resetMark,
              beforeClock: before.markClock ?? null,
            },
            ...(before.bootOverride.continuous === true ? { continuous: true } : {}),
            ...storage,
          },
        }
      : done,
  );
}

/** Reads the system. With `clearBoot`, first removes the boot source that was set for every boot. */
export async function lookBoot(
  { power, management }: HardwareType,
  target: BmcTarget,
  options: EffectPermits["options"],
  asked: unknown,
): Promise<EffectOutcome> {
  return outcome(
    lookRequest.safeParse(asked).data?.clearBoot === true
      ? await management.setBootOnce(target, "none", options("setBoot"))
      : await power.read(target, options()),
  );
}

const diskRequest = z.object({ offAndOn: z.boolean().default(false) });

/** Removes our boot source, then makes a proven restart. */
export async function bootDisk(
  type: HardwareType,
  target: BmcTarget,
  options: EffectPermits["options"],
  asked: unknown,
): Promise<EffectOutcome> {
  const set = await type.management.setBootOnce(target, "none", options("setBoot"));
  if (!set.ok) return outcome(set);
  const { offAndOn } = diskRequest.parse(asked);
  return restartProven(type, target, options, { before: set.value, offAndOn });
}

/** Restarts a running host and switches on one that is off. An answer of the BMC and a host that is on prove neither. */
async function restartProven(
  { power }: HardwareType,
  target: BmcTarget,
  options: EffectPermits["options"],
  wanted: Pick<RestartTarget, "before" | "offAndOn">,
): Promise<EffectOutcome> {
  const done = await power.restart(
    target,
    { ...wanted, powerCycle: false },
    options("reset", true, wanted.before),
  );
  return outcome(done.ok ? { ok: true, value: done.value.system } : done);
}

const powerRequest = z.object({
  intent: z.enum(bmcIntents),
  look: z.boolean(),
  change: bootChange.optional(),
  network: z.boolean().default(false),
});

/**
 * No-op if the host is already in the wanted state. `look`: only reads. `network`: a host that is started or restarted boots from the network, or
 * is not started at all.
 */
export async function switchPower(
  type: HardwareType,
  target: BmcTarget,
  options: EffectPermits["options"],
  asked: unknown,
): Promise<EffectOutcome> {
  const { power, management } = type;
  const { intent, look, network, change } = powerRequest.parse(asked);
  if (intent === "setBoot") return setBoot(management, target, options, look ? null : (change ?? {}));
  const read = await power.read(target, options());
  if (!read.ok || look) return outcome(read);
  // This asks the host's own system; later calls read the power state.
  if (intent === "softPowerOff" || intent === "softReboot")
    return outcome(
      read.value.power === "off" ? read : await power.reset(target, "softOff", options("reset", true)),
    );
  if (intent === "injectNmi") {
    if (read.value.power !== "on") return failure("refused", `the power state is ${read.value.power}`);
    return outcome(await power.reset(target, "nmi", options("reset", true)));
  }
  const on = read.value.power === "on";
  if (network && (intent === "reboot" || (intent === "powerOn" && !on))) {
    const set = await management.setBootOnce(target, networkSource(target), options("setBoot"));
    if (!set.ok) return outcome(set);
  }
  if (intent === "reboot")
    return restartProven(type, target, options, { before: read.value, offAndOn: false });
  if (intent === "powerOn" ? on : read.value.power === "off") return outcome(read);
  return outcome(await power.reset(target, intent === "powerOn" ? "on" : "forceOff", options("reset", true)));
}

/** @param change null: only reads the settings */
async function setBoot(
  management: HardwareType["management"],
  target: BmcTarget,
  options: EffectPermits["options"],
  change: BootChange | null,
): Promise<EffectOutcome> {
  const done = await (change === null
    ? management.readBoot?.(target, options())
    : management.changeBoot?.(target, change, options("setBoot")));
  return done === undefined
    ? failure("unsupported", "this hardware type has no boot settings")
    : outcome(done);
}

/** The result of a hardware call, as it is stored. */
export function outcome<T>(result: HardwareResult<T>): EffectOutcome {
  if (result.ok) return { status: "done", value: result.value, error: null };
  const { kind, message, unknownOutcome, status: http = null, messageIds = [] } = result.error;
  const answer = http === null ? {} : { answer: { http, messageIds: messageIds.slice(0, 16) } };
  return { status: unknownOutcome ? "unknown" : "failed", value: null, error: { kind, message, ...answer } };
}

/** A failure before anything was asked of the hardware. */
export function failure(kind: string, message: string): EffectOutcome {
  return { status: "failed", value: null, error: { kind, message } };
}
