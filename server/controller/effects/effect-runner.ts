// Carries effects out: the only place where the controller reaches hardware and network (docs/design/datapath.md#effects).
import { z } from "zod";
import { outageOf } from "@/server/db/outage";
import type { SecretBox } from "@/server/db/secrets/secret-box";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import type { PermitQuestion } from "@/server/db/hot/hardware/effects";
import type { TargetRow } from "@/server/db/hot/hardware/targets";
import { platformQuery } from "@/server/domain/hosts/platform/reading";
import type { MarkReading } from "@/server/domain/hosts/reset-mark";
import type { ReadyReading } from "@/server/domain/hosts/ready-watch/reading";
import type { LogMarks } from "@/server/domain/repair/health/bmc/log";
import type { CertificateTrust } from "@/server/domain/hardware/certificate";
import { noReport, type BmcCheck } from "@/server/domain/hardware/bmc-report";
import { networkWanted } from "@/server/domain/hosts/network/network-protocol";
import type { NetworkSite } from "@/server/domain/hosts/network/controller-answer";
import { bmcTrust } from "@/server/domain/sites/authorities";
import type { ConnectionUse } from "@/server/domain/sites/authorities";
import type {
  BmcLinks,
  BmcTarget,
  CallOptions,
  HardwareError,
  HardwareResult,
  HardwareType,
  HealthInterface,
  NetworkInterfaceAdapter,
  PowerState,
  SystemReading,
} from "@/server/hardware/interfaces";
import { powerStates } from "@/server/hardware/interfaces";
import { isMachineOf } from "@/server/hardware/same-machine";
import {
  bootAgent,
  bootDisk,
  bootRequest,
  cleanStep,
  failure,
  lookBoot,
  outcome,
  switchPower,
  verify,
  withShown,
} from "@/server/controller/effects/bmc-calls";
import { removeLeftovers } from "@/server/controller/effects/leftover-calls";
import type { EffectOutcome, EffectPermits } from "@/server/controller/effects/bmc-calls";
import { noController } from "@/server/controller/host/effect-outcome";
import type { EffectPhase } from "@/server/controller/host/effect-outcome";
import type { EffectRequest } from "@/server/controller/host/decision";
import type { PermitBatcher } from "@/server/controller/effects/permit-batcher";

/** How long hardware may take, and how long a permit holds the lease: a request times out within the lease (docs/design/datapath.md#effects). */
export interface EffectLimits {
  /** For one call of an interface, with all its requests. */
  readonly timeoutMs: number;
  readonly holdMs: number;
}

const maxTimeoutMs = 45_000;
const maxMarginMs = 15_000;

/** Three quarters of a lease for hardware; the rest is margin. */
export function effectLimits(leaseMs: number): EffectLimits {
  const timeoutMs = Math.min(maxTimeoutMs, Math.floor(leaseMs * 0.75));
  return { timeoutMs, holdMs: timeoutMs + Math.min(maxMarginMs, Math.ceil(leaseMs * 0.25)) };
}

export interface EffectDependencies {
  readonly secrets: SecretBox;
  readonly hardware: ReadonlyMap<string, HardwareType>;
  /** The adapter of a site's network controller. */
  readonly network: (site: NetworkSite) => NetworkInterfaceAdapter;
}

export interface EffectOrder {
  readonly permits: PermitBatcher;
  readonly fence: Pick<PermitQuestion, "hostId" | "generation" | "effectId">;
  readonly effect: EffectRequest;
  readonly target: TargetRow | undefined;
  readonly limits: EffectLimits;
}

const links = z.object({
  system: z.string(),
  manager: z.string(),
  resetAction: z.string(),
  resetTypes: z.array(z.string()),
  bootTargets: z.array(z.string()),
  bootEnabled: z.array(z.string()).exactOptional(),
  pendingBoot: z.string().exactOptional(),
  sessions: z.string().nullable(),
  noSerial: z.literal(true).exactOptional(),
});

const power = z.enum(powerStates);

const retryRequest = z.object({ retryCredential: z.boolean().optional() });

/** A `verify` that reads only the drives. */
const storageRequest = z.object({ only: z.literal("storage"), platform: platformQuery.nullish() });

/** A `verify` that reads only what a host that waits in Ready is compared in. */
const watchRequest = z.object({ only: z.literal("watch") });

/** Performs one effect. Never throws: errors become the outcome. */
export async function performEffect(
  dependencies: EffectDependencies,
  order: EffectOrder,
): Promise<EffectOutcome> {
  if (order.target === undefined) return failure("failed", "the host is gone");
  try {
    return await performOn(order.target, dependencies, order);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The database could not be asked for a permit. Nothing was sent without one, and the hardware is not to blame; the outcome is looked up.
    return outageOf(error) === null
      ? failure("failed", message)
      : { status: "unknown", value: null, error: { kind: "failed", message } };
  }
}

/** An effect on a host's BMC. */
type BmcRequest = EffectRequest & { readonly kind: Exclude<EffectRequest["kind"], "network"> };

async function performOn(
  target: TargetRow,
  dependencies: EffectDependencies,
  { effect, fence, permits, limits }: EffectOrder,
): Promise<EffectOutcome> {
  const boot = effect.kind === "bootAgent" ? bootRequest.parse(effect.request) : null;
  const permit = (
    phase: EffectPhase,
    power: boolean,
    before: MarkReading | null,
    heldMs?: number,
  ): Promise<boolean> =>
    permits.ask({
      ...fence,
      holdMs: limits.holdMs,
      ...(heldMs === undefined ? {} : { heldMs }),
      power,
      phase,
      bootEpoch: boot?.bootEpoch ?? null,
      resetOnly: boot?.resetOnly === true,
      resetMark: before?.resetMark ?? null,
      markClock: before?.markClock ?? null,
    });
  const retry = retryRequest.parse(effect.request).retryCredential === true ? { retryCredential: true } : {};
  const options: EffectPermits["options"] = (phase, power = false, before = null) => ({
    timeoutMs: limits.timeoutMs,
    ...retry,
    ...(phase === undefined
      ? {}
      : { permit: (requestMs?: number) => permit(phase, power, before, requestMs) }),
    // Asks again for the last permit, so that the same request is looked up if the process dies meanwhile. That request is over.
    prolong: () => permit(phase ?? "read", power, before, 0),
  });
  return perform(dependencies, target, options, effect);
}

/** Effects that change nothing, whatever their request. */
const readsAlone: ReadonlySet<EffectRequest["kind"]> = new Set(["verify", "readSystem"]);

const lookRequest = z.object({ look: z.literal(true) });

const isReading = ({ kind, request }: EffectRequest): boolean =>
  readsAlone.has(kind) || (kind === "power" && lookRequest.safeParse(request).success);

/** How long an effect that was held back waits until it is asked for again. */
export const heldMs = 15_000;

/** No permit was asked for, so that handlers read it as never sent and ask again: it counts as no failure of the BMC. */
const heldBack: EffectOutcome = {
  status: "unknown",
  value: null,
  error: {
    kind: "heldBack",
    message: "nothing was sent: the BMC is being reset at a person's request, and is not back yet",
  },
};

/** Whether it was held back, and is to be asked for again after `heldMs`. */
export const isHeldBack = (outcome: EffectOutcome): boolean => outcome === heldBack;

async function perform(
  dependencies: EffectDependencies,
  row: TargetRow,
  options: EffectPermits["options"],
  effect: EffectRequest,
): Promise<EffectOutcome> {
  if (effect.kind === "network") {
    if (row.network_url === null || row.network_token === null)
      return failure(noController, "the site has no network controller");
    const adapter = dependencies.network({
      siteId: row.site_id,
      url: row.network_url,
      token: dependencies.secrets.open(row.network_token, secretPlaces.networkToken(row.site_id)),
      authorities: authoritiesOf(row, "networkController"),
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
  // safety: bmc: nothing is ordered from a BMC that was told to restart, which would break it off
  if (row.bmc_restarts && !isReading(effect)) return heldBack;
  const target = bmcTarget(dependencies.secrets, row);
  const done = await callBmc(type, { row, target }, options, { ...effect, kind: effect.kind });
  return withShown(done, type, target, options());
}

/** The host's power as its BMC reports it; null if it does not answer or belongs to another machine. One read-only request that needs no permit. */
export async function readPower(
  { hardware, secrets }: Pick<EffectDependencies, "hardware" | "secrets">,
  row: TargetRow,
  timeoutMs: number,
): Promise<PowerState | null> {
  const type = hardware.get(row.hardware_type);
  if (type === undefined || bmcFacts.some(({ of }) => of(row) === null)) return null;
  const target = bmcTarget(secrets, row);
  const read = await type.power.read(target, { timeoutMs, background: true });
  return read.ok && isMachineOf(target, read.value) ? read.value.power : null;
}

type Reading<Value> = Value & { readonly system: SystemReading };

/** Reads a BMC while nobody waits for it: of the right machine, or why not. Read-only, so it needs no permit. */
async function readQuietly<Value>(
  { hardware, secrets }: Pick<EffectDependencies, "hardware" | "secrets">,
  row: TargetRow,
  timeoutMs: number,
  look: (
    type: HardwareType,
    target: BmcTarget,
    options: CallOptions,
  ) => Promise<HardwareResult<Reading<Value>>>,
): Promise<HardwareResult<Reading<Value>>> {
  const type = hardware.get(row.hardware_type);
  if (type === undefined || bmcFacts.some(({ of }) => of(row) === null))
    return failed("its address or credential is not known");
  const target = bmcTarget(secrets, row);
  const read = await look(type, target, { timeoutMs, background: true });
  if (!read.ok) return read;
  const { system } = read.value;
  return isMachineOf(target, system)
    ? read
    : failed(`another machine answers at its address: serial ${system.serial}, UUID ${system.uuid}`);
}

/** What is compared while the host waits in Ready, or why it could not be read. */
export async function readWatched(
  dependencies: Pick<EffectDependencies, "hardware" | "secrets">,
  row: TargetRow,
  timeoutMs: number,
): Promise<HardwareResult<ReadyReading>> {
  const read = await readQuietly(dependencies, row, timeoutMs, (type, target, options) =>
    type.inventory.watch(target, options),
  );
  return read.ok ? { ok: true, value: read.value.watched } : read;
}

type BmcHealthValue = Extract<Awaited<ReturnType<HealthInterface["read"]>>, { ok: true }>["value"];

/** What its BMC says of the host's health, or why it could not be read. */
export async function readBmcHealth(
  dependencies: Pick<EffectDependencies, "hardware" | "secrets">,
  row: TargetRow,
  marks: LogMarks,
  timeoutMs: number,
): Promise<HardwareResult<Omit<BmcHealthValue, "system">>> {
  return readQuietly(dependencies, row, timeoutMs, async (type, target, options) =>
    type.health === undefined
      ? failed("its hardware type reports no health")
      : type.health.read(target, marks, options),
  );
}

/** What a test of the host's BMC found. It reads alone, so it needs no permit, and a refused credential stays usable for other calls. */
export async function testBmc(
  { hardware, secrets }: Pick<EffectDependencies, "hardware" | "secrets">,
  row: TargetRow,
  limits: Pick<CallOptions, "signal" | "timeoutMs">,
): Promise<readonly BmcCheck[]> {
  const type = hardware.get(row.hardware_type);
  if (type?.check === undefined || bmcFacts.some(({ of }) => of(row) === null))
    return noReport("The BMC's address or credential is not known.");
  const { acceptFirst } = trustOf(row);
  return type.check(bmcTarget(secrets, row), { ...limits, background: true, acceptFirst });
}

const failed = (message: string): { readonly ok: false; readonly error: HardwareError } => ({
  ok: false,
  error: { kind: "failed", message, unknownOutcome: false },
});

async function callBmc(
  type: HardwareType,
  { row, target }: { readonly row: TargetRow; readonly target: BmcTarget },
  options: EffectPermits["options"],
  effect: BmcRequest,
): Promise<EffectOutcome> {
  switch (effect.kind) {
    case "verify":
      if (storageRequest.safeParse(effect.request).success)
        return outcome(
          await type.inventory.storage(target, options(), storageRequest.parse(effect.request).platform),
        );
      if (watchRequest.safeParse(effect.request).success)
        return outcome(await type.inventory.watch(target, options()));
      return verify(type, target, trustOf(row), options());
    case "lookBoot":
      return lookBoot(type, target, options, effect.request);
    case "readSystem":
      return outcome(await type.power.read(target, options()));
    case "power":
      return switchPower(type, target, options, effect.request);
    case "bootDisk":
      return bootDisk(type, target, options, effect.request);
    case "leftovers":
      return removeLeftovers(type, target, options, effect.request);
    case "step":
      return cleanStep(type, target, options, effect.request);
    case "bootAgent": {
      const request = bootRequest.parse(effect.request);
      return bootAgent(type, target, options, request);
    }
  }
}

/** What must be known of a BMC before it can be called, named as in `driver_info`, where a person enters it. */
export const bmcFacts: readonly { readonly words: string; readonly of: (row: TargetRow) => unknown }[] = [
  { words: "redfish_address", of: (row) => row.bmc_address },
  { words: "redfish_username", of: (row) => row.bmc_username },
  { words: "redfish_password", of: (row) => row.bmc_password },
];

const trustOf = (row: TargetRow): CertificateTrust => ({
  pinned: row.bmc_certificate,
  acceptFirst: row.first_contact_accepted && row.serial === null,
  by: bmcTrust.parse(row.bmc_trust),
});

/** Throws if the site's authorities cannot be read; never falls back to the system's. */
function authoritiesOf({ authorities }: TargetRow, use: ConnectionUse): string | null {
  if (authorities === null)
    throw new Error("the site's certificate authorities cannot be read: re-apply the site document");
  return authorities[use];
}

export function bmcTarget(secrets: SecretBox, row: TargetRow): BmcTarget {
  const known = links.safeParse(row.bmc_links);
  const found: BmcLinks | null = known.success ? known.data : null;
  return {
    hostId: row.host_id,
    address: row.bmc_address ?? "",
    username: row.bmc_username ?? "",
    password:
      row.bmc_password === null ? "" : secrets.open(row.bmc_password, secretPlaces.bmcPassword(row.host_id)),
    certificate: row.bmc_certificate,
    trust: { by: bmcTrust.parse(row.bmc_trust), authorities: authoritiesOf(row, "bmc") },
    componentAuthorities: row.authorities?.component ?? null,
    links: found,
    neighbours: row.neighbours,
    powerState: power.safeParse(row.power_state).data ?? null,
    system: {
      path: row.system_path,
      systemUuid: row.expected_system_uuid,
      serial: row.expected_serial,
    },
    identity:
      row.serial === null || row.system_uuid === null
        ? null
        : {
            serial: row.serial,
            systemUuid: row.system_uuid.toLowerCase(),
            confirmed: row.confirmed,
          },
  };
}
