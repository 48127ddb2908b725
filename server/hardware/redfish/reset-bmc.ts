// Restarts a BMC at a person's request, and looks whether it has restarted (docs/hardware.md#reset-bmc).
import type { BmcResetLook } from "@/server/domain/hardware/bmc-reset";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type {
  BmcResetInterface,
  BmcTarget,
  CallOptions,
  HardwareError,
  HardwareResult,
} from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { failure } from "@/server/hardware/redfish/client/errors";
import { CannotTell } from "@/server/hardware/redfish/inventory/gather";
import { beginWithLinks } from "@/server/hardware/redfish/power";
import { managerResource } from "@/server/hardware/redfish/resources/resources";
import { readSystem } from "@/server/hardware/redfish/resources/system";
import {
  beforeRestart,
  resetHandle,
  startsStill,
  whenRestarted,
} from "@/server/hardware/redfish/steps/manager";
import { done } from "@/server/hardware/redfish/steps/step-code";
import { StepClient } from "@/server/hardware/redfish/steps/step-client";
import { StepFailed, StepStopped, unsupported } from "@/server/hardware/redfish/steps/stopped";
import type { VendorProfile } from "@/server/hardware/redfish/vendor-profile";
import { isMachineOf } from "@/server/hardware/same-machine";

/** Best first. Others of the standard's kinds switch the BMC off, or do not restart it. */
const restarts = ["GracefulRestart", "ForceRestart"] as const;

/** The restart action of the BMC and the kind to ask for. A BMC that lists no kinds is asked for the first. */
async function restartOf(session: StepClient) {
  const { body } = await session.get(session.links.manager, managerResource);
  const action = body.Actions?.["#Manager.Reset"];
  if (action == null) throw unsupported(`${session.links.manager} offers no Manager.Reset action`);
  const types = await session.resetTypes(action);
  const type = types.length === 0 ? restarts[0] : restarts.find((name) => types.includes(name));
  if (type === undefined)
    throw unsupported(
      `${action.target} offers no ${restarts.join(" and no ")}, but only ${types.join(", ")}`,
    );
  return { target: action.target, type, before: beforeRestart(session, body.LastResetTime) };
}

export function redfishBmcReset(client: RedfishClient, profile: VendorProfile): BmcResetInterface {
  return {
    async begin(target, record, options) {
      let prepared: Awaited<ReturnType<typeof restartOf>> | null = null;
      let recorded: Promise<boolean> | null = null;
      // Asked again only if the BMC refused the session, and so did nothing.
      const permit = async (): Promise<boolean> => {
        if (prepared === null) return false;
        recorded ??= record({ type: prepared.type, before: prepared.before });
        return recorded;
      };
      return within(client, profile, target, { ...options, permit }, async (session) => {
        prepared = await restartOf(session);
        const replied = await session.changeLocked("POST", prepared.target, { ResetType: prepared.type });
        if (!replied.ok) throw new StepStopped(replied.error);
        return null;
      });
    },
    async look(target, before, options) {
      const handle = resetHandle.parse(before);
      const looked = await within(client, profile, target, options, async (session) => {
        const progress = await whenRestarted(session, handle, done);
        if (progress.kind === "running")
          return {
            look:
              progress.silent === true
                ? ({ kind: "silent", words: progress.message } as const)
                : ({ kind: "same" } as const),
            before: progress.handle,
          };
        const read = await readSystem(session.client, session.call, session.links.system);
        if (!read.ok) {
          // It has restarted, and has not read its resources yet.
          if (isStillSilent(read.error))
            return {
              look: { kind: "silent", words: read.error.message } as const,
              before: { ...handle, wasAway: true },
            };
          throw new StepStopped(read.error);
        }
        return { look: identified(target, read.reading, progress.message), before };
      });
      if (looked.ok) return looked;
      const { error } = looked;
      if (isStillSilent(error))
        return {
          ok: true,
          value: {
            look: { kind: "silent", words: error.message },
            before: { ...handle, wasAway: handle.wasAway || error.kind === "unreachable" },
          },
        };
      const todo = todos[error.kind];
      return todo === undefined
        ? looked
        : { ok: true, value: { look: { kind: "changed", words: sentence(error.message), todo }, before } };
    },
  };
}

const isStillSilent = ({ kind, status = null }: HardwareError): boolean =>
  kind === "unreachable" || startsStill.has(status ?? 0) || (status !== null && status >= 500);

const todos: Partial<Record<HardwareError["kind"], string>> = {
  untrusted: "Compare its certificate with the machine, and confirm it (Confirm certificate).",
  otherHost: "Correct the address or the system (Change BMC), or confirm that it is the same machine.",
  refused: "Enter its user and password with Change BMC, and test the BMC.",
};

const sentence = (words: string): string => `The BMC restarted, but ${words}.`;

function identified(
  target: BmcTarget,
  reading: { readonly serial: string; readonly uuid: string },
  words: string,
): BmcResetLook {
  const told = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  if (target.identity == null)
    return {
      kind: "restarted",
      words: `${told}; the host is not verified yet, so its identity was not compared`,
    };
  if (isMachineOf({ identity: target.identity, links: target.links }, reading))
    return { kind: "restarted", words: `${told}, as the same machine` };
  return {
    kind: "changed",
    words: sentence(
      `it reports another machine: serial ${reading.serial || "(none)"}, system UUID ${reading.uuid || "(none)"}`,
    ),
    todo: "Correct the address or the system (Change BMC), or confirm that it is the same machine.",
  };
}

async function within<T>(
  client: RedfishClient,
  profile: VendorProfile,
  target: BmcTarget,
  options: CallOptions,
  work: (session: StepClient) => Promise<T>,
): Promise<HardwareResult<T>> {
  const begun = await beginWithLinks(client, target, options);
  if (!begun.ok) return begun;
  const step = { target, args: {}, known: { platform: noPlatformFacts, baseline: null } };
  try {
    return { ok: true, value: await work(new StepClient(client, begun.call, begun.links, profile, step)) };
  } catch (error) {
    if (error instanceof StepStopped || error instanceof CannotTell) return { ok: false, error: error.error };
    if (error instanceof StepFailed) return failure("failed", error.message);
    throw error;
  }
}
