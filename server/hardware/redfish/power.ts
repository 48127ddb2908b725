// Power by Redfish: one GET to read it; an action and its read-back to change it.
import {
  compareResetMarks,
  provesRestarts,
  resetMarkMoved,
  type MarkReading,
} from "@/server/domain/hosts/reset-mark";
import type {
  BmcLinks,
  BmcTarget,
  CallOptions,
  HardwareError,
  HardwareResult,
  PowerInterface,
  ProvenRestart,
  ResetKind,
  SystemReading,
} from "@/server/hardware/interfaces";
import type { RedfishAnswer, RedfishClient } from "@/server/hardware/redfish/client/client";
import { linksOf } from "@/server/hardware/redfish/resources/discover";
import { declinesValue, failure, type Failed } from "@/server/hardware/redfish/client/errors";
import { readBack } from "@/server/hardware/redfish/resources/read-back";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { taskLocation } from "@/server/hardware/redfish/resources/task";
import { readSystem } from "@/server/hardware/redfish/resources/system";

/** The values of ResetType for each kind, best first. */
const resetTypesOf = {
  on: ["On", "ForceOn"],
  forceRestart: ["ForceRestart"],
  powerCycle: ["PowerCycle"],
  forceOff: ["ForceOff"],
  softOff: ["GracefulShutdown"],
  nmi: ["Nmi"],
} as const satisfies Record<ResetKind, readonly string[]>;

/** The power interface of every Redfish BMC. */
export function redfishPower(client: RedfishClient): PowerInterface {
  return {
    async read(target, options) {
      const begun = await beginWithLinks(client, target, options);
      if (!begun.ok) return begun;
      const read = await readSystem(client, begun.call, begun.links.system);
      return read.ok ? { ok: true, value: read.reading } : read;
    },

    async reset(target, kind, options) {
      const begun = await beginWithLinks(client, target, options);
      if (!begun.ok) return begun;
      const { call, links } = begun;
      if (kind === "on" || kind === "forceOff" || kind === "softOff" || kind === "nmi")
        return act(client, call, links, kind);
      return asked(await act(client, call, links, kind), () => offAndOn(client, call, links));
    },

    async restart(target, { before, powerCycle, offAndOn: withoutMark, resetOnly = false }, options) {
      const begun = await beginWithLinks(client, target, options);
      if (!begun.ok) return begun;
      const { call, links } = begun;
      if (before.power === "off") return switchedOn(before, await act(client, call, links, "on"));
      const without = async () => proven("powerOff", await offAndOn(client, call, links));
      const kind = powerCycle ? "powerCycle" : "forceRestart";
      const byMark = !withoutMark && provesRestarts(before);
      if (resetOnly)
        // safety: reset: nothing that the mark cannot prove (never)
        return !byMark || powerCycle
          ? failure("unsupported", "the BMC cannot prove a reset, and the host may not be switched off now")
          : proven("resetMark", await act(client, call, links, kind, before));
      if (!byMark) return without();
      return asked(proven("resetMark", await act(client, call, links, kind, before)), without);
    },
  };
}

/** Falls back to off and on if the BMC does not offer the restart, or refuses it permanently. */
async function asked<T>(
  result: HardwareResult<T>,
  offAndOnInstead: () => Promise<HardwareResult<T>>,
): Promise<HardwareResult<T>> {
  if (result.ok || !isRefusal(result.error)) return result;
  const instead = await offAndOnInstead();
  if (instead.ok || !isRefusal(instead.error)) return instead;
  const { message, ...error } = instead.error;
  return { ok: false, error: { ...error, message: `${result.error.message}; ${message}` } };
}

/** Nothing was done and this request will never work: the BMC does not offer the value, or refused it. */
const isRefusal = ({ kind, unknownOutcome, status = null }: HardwareError): boolean =>
  !unknownOutcome && (status === null ? kind === "unsupported" : declinesValue({ status }));

const proven = (
  proof: ProvenRestart["proof"],
  result: HardwareResult<SystemReading>,
): HardwareResult<ProvenRestart> =>
  result.ok ? { ok: true, value: { system: result.value, proof } } : result;

/**
 * A host that was off has restarted once it is on. If the BMC already reports this reset, use its mark as the proof: without it a later,
 * unrequested restart would go unnoticed.
 */
function switchedOn(
  before: MarkReading,
  result: HardwareResult<SystemReading>,
): HardwareResult<ProvenRestart> {
  const told = result.ok && resetMarkMoved(before, result.value);
  return proven(told ? "resetMark" : "powerOff", result);
}

export async function beginWithLinks(client: RedfishClient, target: BmcTarget, options: CallOptions) {
  const begun = client.begin(target, options);
  if (!begun.ok) return begun;
  const found = await linksOf(client, begun.call);
  return found.ok ? { ok: true as const, call: begun.call, links: found.links } : found;
}

/** The ResetTypes to try, best first; empty if the BMC offers none of them. If it does not list its values, all are tried. */
function offered(links: BmcLinks, kind: ResetKind): readonly string[] {
  const types: readonly string[] = resetTypesOf[kind];
  return links.resetTypes.length === 0 ? types : types.filter((type) => links.resetTypes.includes(type));
}

async function offAndOn(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
): Promise<HardwareResult<SystemReading>> {
  if (offered(links, "forceOff").length === 0 || offered(links, "on").length === 0)
    return failure(
      "unsupported",
      `${links.resetAction} offers neither a restart that can be confirmed nor ForceOff and On, only ${links.resetTypes.join(", ")}`,
    );
  const switchedOff = await act(client, call, links, "forceOff");
  if (!switchedOff.ok) return switchedOff;
  const switchedOn = await act(client, call, links, "on");
  if (switchedOn.ok) return switchedOn;
  const { kind, message } = switchedOn.error;
  // The first half took effect, so the outcome of the whole is unknown and must be looked up.
  return {
    ok: false,
    error: {
      kind,
      message: `the machine was switched off, but not on again: ${message}`,
      unknownOutcome: true,
    },
  };
}

/** A reset that the BMC accepted. */
interface Sent {
  readonly kind: ResetKind;
  readonly type: string;
  readonly mark: MarkReading | null;
  readonly answer: RedfishAnswer;
}

/** Sends the matching ResetTypes until one is accepted. `mark`: the reading before, since which the mark must show a reset. */
async function act(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
  kind: ResetKind,
  mark: MarkReading | null = null,
): Promise<HardwareResult<SystemReading>> {
  let refused: Failed = failure(
    "unsupported",
    `${links.resetAction} offers no ${resetTypesOf[kind].join(" or ")}, only ${links.resetTypes.join(", ")}`,
  );
  for (const type of offered(links, kind)) {
    const replied = await client.change(call, "POST", links.resetAction, { ResetType: type });
    if (replied.ok && (kind === "softOff" || kind === "nmi")) return taken(client, call, links);
    if (replied.ok) return happened(client, call, links, { kind, type, mark, answer: replied.answer });
    // Some BMCs refuse to switch on a host that is on, or off one that is off. Then the state is already as wanted.
    const { status } = replied.error;
    if ((kind === "on" || kind === "forceOff") && (status === 400 || status === 409)) {
      const read = await readSystem(client, call, links.system);
      if (read.ok && fits(kind, read.reading)) return { ok: true, value: read.reading };
    }
    if (!declinesValue(replied.error)) return replied;
    refused = replied;
  }
  return refused;
}

/** The effect of a graceful shutdown shows only in later readings, and that of an NMI in none. */
async function taken(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
): Promise<HardwareResult<SystemReading>> {
  const read = await readSystem(client, call, links.system);
  return read.ok
    ? { ok: true, value: read.reading }
    : { ok: false, error: { ...read.error, unknownOutcome: true } };
}

/** Reads back the effect of a reset. While the BMC's own task for it runs, keep waiting. */
async function happened(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
  { kind, type, mark, answer }: Sent,
): Promise<HardwareResult<SystemReading>> {
  const task = taskLocation(answer);
  const back = await readBack(client, call, {
    path: links.system,
    fits: (reading) => fits(kind, reading) && (mark === null || resetMarkMoved(mark, reading)),
    limitMs: client.settings.limits.powerReadBackMs,
    done: `POST ${links.resetAction} with ResetType ${type} was answered ${answer.status}`,
    found: (reading) =>
      `the machine's power reads ${reading.power}${mark === null ? "" : ` and ${markWords(mark, reading)}`}`,
    mayComeLater: true,
    ...(task === null ? {} : { task }),
  });
  // The boot source is used up when a machine starts, so the version read before must not be named in a later change.
  const { systems } = call.bmc;
  const seen = systems.get(links.system);
  if (seen !== undefined) systems.set(links.system, { ...seen, etag: null });
  return back;
}

/** What the BMC says of its last reset and of its own time, for the message of a restart that was not proven. */
function markWords(before: MarkReading, after: MarkReading): string {
  const words = `LastResetTime reads ${after.resetMark ?? "nothing"}, before ${before.resetMark ?? "nothing"}`;
  return compareResetMarks(before, after) === "same"
    ? words
    : `${words}, which proves no restart: by the BMC's own clock it is ${after.markClock?.bmcTime ?? "unknown"}, before ${before.markClock?.bmcTime ?? "unknown"}`;
}

function fits(kind: ResetKind, reading: SystemReading): boolean {
  return kind === "forceOff"
    ? reading.power === "off"
    : reading.power === "on" || reading.power === "poweringOn";
}
