// Power by Redfish: one GET to read; an action and its reading back to change.
import { resetMarkMoved } from "@/server/domain/hosts/reset-mark";
import type {
  BmcLinks,
  BmcTarget,
  CallOptions,
  HardwareResult,
  PowerInterface,
  ProvenRestart,
  ResetKind,
  SystemReading,
} from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { linksOf } from "@/server/hardware/redfish/resources/discover";
import { failure } from "@/server/hardware/redfish/client/errors";
import { readBack } from "@/server/hardware/redfish/resources/read-back";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { readSystem } from "@/server/hardware/redfish/resources/system";

/** The names of ResetType that do it, best first. */
const resetTypesOf = {
  on: ["On", "ForceOn"],
  forceRestart: ["ForceRestart"],
  powerCycle: ["PowerCycle"],
  forceOff: ["ForceOff"],
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
      const type = offered(links, kind);
      if (type !== null) return act(client, call, links, kind, type);
      if (kind !== "powerCycle" && kind !== "forceRestart")
        return failure(
          "unsupported",
          `${links.resetAction} offers no ${resetTypesOf[kind].join(" or ")}, only ${links.resetTypes.join(", ")}`,
        );
      return offAndOn(client, call, links);
    },

    async restart(target, { before, powerCycle, offAndOn: withoutMark }, options) {
      const begun = await beginWithLinks(client, target, options);
      if (!begun.ok) return begun;
      const { call, links } = begun;
      const on = offered(links, "on");
      if (before.power === "off" && on !== null)
        return proven("powerOff", await act(client, call, links, "on", on));
      const kind = powerCycle ? "powerCycle" : "forceRestart";
      const type = offered(links, kind);
      if (withoutMark || before.resetMark === null || type === null)
        return proven("powerOff", await offAndOn(client, call, links));
      return proven("resetMark", await act(client, call, links, kind, type, before.resetMark));
    },
  };
}

const proven = (
  proof: ProvenRestart["proof"],
  result: HardwareResult<SystemReading>,
): HardwareResult<ProvenRestart> =>
  result.ok ? { ok: true, value: { system: result.value, proof } } : result;

export async function beginWithLinks(client: RedfishClient, target: BmcTarget, options: CallOptions) {
  const begun = client.begin(target, options);
  if (!begun.ok) return begun;
  const found = await linksOf(client, begun.call);
  return found.ok ? { ok: true as const, call: begun.call, links: found.links } : found;
}

/** The ResetType to send, or null when the BMC says that it has none of them. One that does not tell what it has is asked for the usual one. */
function offered(links: BmcLinks, kind: ResetKind): string | null {
  const types: readonly string[] = resetTypesOf[kind];
  return (
    types.find((type) => links.resetTypes.includes(type)) ??
    (links.resetTypes.length === 0 ? (types[0] ?? null) : null)
  );
}

async function offAndOn(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
): Promise<HardwareResult<SystemReading>> {
  const [off, on] = [offered(links, "forceOff"), offered(links, "on")];
  if (off === null || on === null)
    return failure(
      "unsupported",
      `${links.resetAction} offers neither a restart that can be confirmed nor ForceOff and On, only ${links.resetTypes.join(", ")}`,
    );
  const switchedOff = await act(client, call, links, "forceOff", off);
  if (!switchedOff.ok) return switchedOff;
  const switchedOn = await act(client, call, links, "on", on);
  if (switchedOn.ok) return switchedOn;
  const { kind, message } = switchedOn.error;
  // The first half took effect, so the whole has neither happened nor not happened: it must be looked up.
  return {
    ok: false,
    error: {
      kind,
      message: `the machine was switched off, but not on again: ${message}`,
      unknownOutcome: true,
    },
  };
}

/** `mark`: the host's reset mark before, which must have moved on as well. */
async function act(
  client: RedfishClient,
  call: Call,
  links: BmcLinks,
  kind: ResetKind,
  type: string,
  mark: string | null = null,
): Promise<HardwareResult<SystemReading>> {
  const replied = await client.change(call, "POST", links.resetAction, { ResetType: type });
  if (!replied.ok) {
    // Some BMCs refuse to switch on what is on, and off what is off: then all is as wanted.
    const { status } = replied.error;
    if ((kind !== "on" && kind !== "forceOff") || (status !== 400 && status !== 409)) return replied;
    const read = await readSystem(client, call, links.system);
    return read.ok && fits(kind, read.reading) ? { ok: true, value: read.reading } : replied;
  }
  const back = await readBack(client, call, {
    path: links.system,
    fits: (reading) => fits(kind, reading) && (mark === null || resetMarkMoved(mark, reading.resetMark)),
    limitMs: client.settings.limits.powerReadBackMs,
    done: `POST ${links.resetAction} with ResetType ${type} was answered ${replied.answer.status}`,
    found: (reading) =>
      `the machine's power reads ${reading.power}${mark === null ? "" : ` and LastResetTime reads ${reading.resetMark ?? "nothing"}, before ${mark}`}`,
    mayComeLater: true,
  });
  // A machine that starts uses up its boot source: no change that follows may name the version from before.
  if (call.bmc.systemVersion !== null)
    call.bmc.systemVersion = { ...call.bmc.systemVersion, readAt: -Infinity };
  return back;
}

function fits(kind: ResetKind, reading: SystemReading): boolean {
  return kind === "forceOff"
    ? reading.power === "off"
    : reading.power === "on" || reading.power === "poweringOn";
}
