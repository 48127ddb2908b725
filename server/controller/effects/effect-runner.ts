// Carries effects out: the only place where the controller reaches hardware and network (docs/design/datapath.md#effects).
import { z } from "zod";
import { outageOf } from "@/server/db/outage";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { PermitQuestion, Settlement } from "@/server/db/hot/hardware/effects";
import type { TargetRow } from "@/server/db/hot/hardware/targets";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { powerIntents } from "@/server/domain/lifecycle/signals";
import { networkWanted } from "@/server/domain/agents/protocol";
import type {
  BmcLinks,
  BmcTarget,
  CallOptions,
  HardwareResult,
  HardwareType,
  NetworkInterfaceAdapter,
  StepKnown,
} from "@/server/hardware/interfaces";
import { powerStates } from "@/server/hardware/interfaces";
import { powerSteps } from "@/server/hardware/power-steps";
import type { EffectPhase } from "@/server/controller/host/effect-outcome";
import type { EffectRequest } from "@/server/controller/host/decision";
import type { PermitDesk } from "@/server/controller/effects/permit-desk";

/** How long hardware may take, and how long a permit holds the lease: the request times out inside the lease (docs/design/datapath.md#effects). */
export interface EffectLimits {
  /** Of one call of an interface, with all its requests. */
  readonly timeoutMs: number;
  readonly holdMs: number;
}

const mostTimeoutMs = 45_000;
const mostMarginMs = 15_000;

/** Three quarters of a lease for hardware, the rest is margin. */
export function effectLimits(leaseMs: number): EffectLimits {
  const timeoutMs = Math.min(mostTimeoutMs, Math.floor(leaseMs * 0.75));
  return { timeoutMs, holdMs: timeoutMs + Math.min(mostMarginMs, Math.ceil(leaseMs * 0.25)) };
}

export interface EffectDependencies {
  readonly secrets: SecretBox;
  readonly hardware: ReadonlyMap<string, HardwareType>;
  /** The adapter of a site's network controller. */
  readonly network: (site: {
    readonly siteId: string;
    readonly url: string;
    readonly token: string;
  }) => NetworkInterfaceAdapter;
}

export interface EffectOrder {
  readonly permits: PermitDesk;
  readonly fence: Pick<PermitQuestion, "hostId" | "generation" | "effectId">;
  readonly effect: EffectRequest;
  readonly target: TargetRow | undefined;
  readonly limits: EffectLimits;
}

/** What became of an effect. */
export type EffectOutcome = Pick<Settlement, "status" | "value" | "error">;

const links = z.object({
  system: z.string(),
  manager: z.string(),
  resetAction: z.string(),
  resetTypes: z.array(z.string()),
  bootTargets: z.array(z.string()),
  bootEnabled: z.array(z.string()).exactOptional(),
  sessions: z.string().nullable(),
});

const power = z.enum(powerStates);

const bootRequest = z.object({
  bootEpoch: z.number(),
  powerCycle: z.boolean(),
  offAndOn: z.boolean().default(false),
  storage: z.string().optional(),
});

const retryRequest = z.object({ retryCredential: z.boolean().optional() });

/** Performs one effect. Never throws: what goes wrong is the outcome. */
export async function performEffect(
  dependencies: EffectDependencies,
  order: EffectOrder,
): Promise<EffectOutcome> {
  if (order.target === undefined) return failure("failed", "the host is gone");
  try {
    return await performOn(order.target, dependencies, order);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // A permit that the database could not be asked for: what was not permitted was not sent, and the hardware is not to blame. It is looked up.
    return outageOf(error) === null
      ? failure("failed", message)
      : { status: "unknown", value: null, error: { kind: "failed", message } };
  }
}

async function performOn(
  target: TargetRow,
  dependencies: EffectDependencies,
  { effect, fence, permits, limits }: EffectOrder,
): Promise<EffectOutcome> {
  const epoch = effect.kind === "bootAgent" ? bootRequest.parse(effect.request).bootEpoch : null;
  const permit = (phase: EffectPhase, power: boolean, resetMark: string | null = null): Promise<boolean> =>
    permits.ask({ ...fence, holdMs: limits.holdMs, power, phase, bootEpoch: epoch, resetMark });
  const retry = retryRequest.parse(effect.request).retryCredential === true ? { retryCredential: true } : {};
  const options: Leave["options"] = (phase, power = false, resetMark = null) => ({
    timeoutMs: limits.timeoutMs,
    ...retry,
    ...(phase === undefined ? {} : { permit: () => permit(phase, power, resetMark) }),
  });
  return perform(dependencies, target, { options, prolong: () => permit("read", false) }, effect);
}

interface Leave {
  /** `resetMark`: as read before a restart; stored with the permit, so that a lost answer can be looked up. */
  readonly options: (phase?: EffectPhase, power?: boolean, resetMark?: string | null) => CallOptions;
  /** Between two calls that change nothing: time for another one, unless the lease is lost. */
  readonly prolong: () => Promise<boolean>;
}

async function perform(
  dependencies: EffectDependencies,
  row: TargetRow,
  { options, prolong }: Leave,
  effect: EffectRequest,
): Promise<EffectOutcome> {
  if (effect.kind === "network") {
    if (row.network_url === null || row.network_token === null)
      return failure("unsupported", "the site has no network controller");
    const adapter = dependencies.network({
      siteId: row.site_id,
      url: row.network_url,
      token: dependencies.secrets.open(row.network_token, secretPlaces.networkToken(row.site_id)),
    });
    return outcome(await adapter.want(networkWanted.parse(effect.request), options("put")));
  }
  const type = dependencies.hardware.get(row.hardware_type);
  if (type === undefined)
    return failure("unsupported", `this version has no hardware type ${row.hardware_type}`);
  const missing =
    type.withoutBmc === true ? [] : bmcFacts.filter(({ of }) => of(row) === null).map(({ words }) => words);
  if (missing.length > 0)
    return failure("unsupported", `the BMC cannot be reached: ${missing.join(", ")} not given`);
  const target = bmcTarget(dependencies.secrets, row);
  switch (effect.kind) {
    case "verify":
      if (storageRequest.safeParse(effect.request).success)
        return outcome(await type.inventory.storage(target, options()));
      return verify(type, target, options(), prolong);
    case "readSystem":
    case "lookBoot":
      return outcome(await type.power.read(target, options()));
    case "power":
      return switchPower(type, target, options, effect.request);
    case "bootDisk":
      return bootDisk(type, target, options);
    case "step":
      return cleanStep(type, target, options, effect.request);
    case "bootAgent": {
      const request = bootRequest.parse(effect.request);
      return bootAgent(type, target, options, request);
    }
  }
}

/** A `verify` of the drives alone. */
const storageRequest = z.object({ only: z.literal("storage") });

const stepRequest = z.object({
  interface: z.string(),
  step: z.string(),
  args: z.record(z.string(), z.json()),
  known: z.custom<StepKnown>((value) => typeof value === "object" && value !== null),
  phase: z.enum(["begin", "check"]),
  handle: z.json(),
});

/** One call of a clean step's code. Whatever it sends, it asks for the permit first. */
async function cleanStep(
  type: HardwareType,
  target: BmcTarget,
  options: Leave["options"],
  asked: unknown,
): Promise<EffectOutcome> {
  const request = stepRequest.parse(asked);
  const name = stepName(request);
  // Power is switched under whatever interface it was asked for, and with the permit of a power action.
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

/** What must be known of a BMC before it is called, in the words of `driver_info`, which is where a person gives it. */
const bmcFacts: readonly { readonly words: string; readonly of: (row: TargetRow) => unknown }[] = [
  { words: "redfish_address", of: (row) => row.bmc_address },
  { words: "redfish_username", of: (row) => row.bmc_username },
  { words: "redfish_password", of: (row) => row.bmc_password },
];

function bmcTarget(secrets: SecretBox, row: TargetRow): BmcTarget {
  const known = links.safeParse(row.bmc_links);
  const found: BmcLinks | null = known.success ? known.data : null;
  return {
    hostId: row.host_id,
    address: row.bmc_address ?? "",
    username: row.bmc_username ?? "",
    password:
      row.bmc_password === null ? "" : secrets.open(row.bmc_password, secretPlaces.bmcPassword(row.host_id)),
    links: found,
    powerState: power.safeParse(row.power_state).data ?? null,
    identity:
      row.serial === null || row.system_uuid === null
        ? null
        : { serial: row.serial, systemUuid: row.system_uuid.toLowerCase() },
  };
}

async function verify(
  type: HardwareType,
  target: BmcTarget,
  options: CallOptions,
  prolong: Leave["prolong"],
): Promise<EffectOutcome> {
  const found = await type.inventory.discover(target, options);
  if (!found.ok) return outcome(found);
  if (type.withoutBmc !== true && !(await prolong()))
    return failure("refused", "another process has taken the host over");
  const collected = await type.inventory.collect({ ...target, links: found.value.links }, options);
  if (!collected.ok) return outcome(collected);
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
      leftOut,
      unresolved: inventory.unresolved,
    },
  };
}

const networkSource = ({ links: known }: BmcTarget) =>
  known?.bootTargets.includes("UefiHttp") === true ? "uefiHttp" : "pxe";

/** Of the time of one call: so that what a boot reads of the drives leaves the lease to the boot itself. */
const storageShare = 1 / 3;

/**
 * The drives, where they are to be read with it; one-time boot from the network; then a restart that is proven (docs/adr/0020-a-boot-is-proven.md).
 * Drives that cannot be read keep no host from its boot: they are read by themselves after it.
 */
async function bootAgent(
  type: HardwareType,
  target: BmcTarget,
  options: Leave["options"],
  asked: z.infer<typeof bootRequest>,
): Promise<EffectOutcome> {
  const call = options();
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
    { before, powerCycle: asked.powerCycle, offAndOn: asked.offAndOn },
    options("reset", true, before.resetMark),
  );
  return outcome(
    done.ok
      ? {
          ok: true,
          value: {
            ...done.value.system,
            restart: { proof: done.value.proof, before: before.resetMark },
            ...storage,
          },
        }
      : done,
  );
}

/** No boot source of ours, then the restart; each reads the state back. */
async function bootDisk(
  type: HardwareType,
  target: BmcTarget,
  options: Leave["options"],
): Promise<EffectOutcome> {
  const set = await type.management.setBootOnce(target, "none", options("setBoot"));
  if (!set.ok) return outcome(set);
  return outcome(
    await type.power.reset(target, set.value.power === "off" ? "on" : "forceRestart", options("reset", true)),
  );
}

const powerRequest = z.object({
  intent: z.enum(powerIntents),
  look: z.boolean(),
  network: z.boolean().default(false),
});

/** Looks first: a host that is as wanted is left alone. `look`: only that. `network`: one that starts boots from there, or is not started. */
async function switchPower(
  { power, management }: HardwareType,
  target: BmcTarget,
  options: Leave["options"],
  asked: unknown,
): Promise<EffectOutcome> {
  const { intent, look, network } = powerRequest.parse(asked);
  const read = await power.read(target, options());
  if (!read.ok || look) return outcome(read);
  const on = read.value.power === "on";
  if (network && (intent === "reboot" || (intent === "powerOn" && !on))) {
    const set = await management.setBootOnce(target, networkSource(target), options("setBoot"));
    if (!set.ok) return outcome(set);
  }
  if (intent === "reboot")
    return outcome(
      await power.reset(target, read.value.power === "off" ? "on" : "forceRestart", options("reset", true)),
    );
  if (intent === "powerOn" ? on : read.value.power === "off") return outcome(read);
  return outcome(await power.reset(target, intent === "powerOn" ? "on" : "forceOff", options("reset", true)));
}

function outcome<T>(result: HardwareResult<T>): EffectOutcome {
  if (result.ok) return { status: "done", value: result.value, error: null };
  const { kind, message, unknownOutcome } = result.error;
  return { status: unknownOutcome ? "unknown" : "failed", value: null, error: { kind, message } };
}

function failure(kind: string, message: string): EffectOutcome {
  return { status: "failed", value: null, error: { kind, message } };
}
