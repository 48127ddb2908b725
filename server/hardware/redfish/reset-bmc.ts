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
  isAway,
  resetHandle,
  restartWords,
  showsRestart,
} from "@/server/hardware/redfish/steps/manager";
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
  return { target: action.target, type, before: beforeRestart(body.LastResetTime) };
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
      let hasRestarted = false;
      const looked = await within(
        client,
        profile,
        target,
        options,
        async (session): Promise<BmcResetLook> => {
          const { body } = await session.get(session.links.manager, managerResource);
          const now = body.LastResetTime ?? null;
          const shown = showsRestart(handle, now);
          if (shown !== true)
            return {
              kind: "same",
              restartTime: shown === false ? "unmoved" : now === null ? "untold" : "untoldBefore",
            };
          hasRestarted = true;
          const read = await readSystem(session.client, session.call, session.links.system);
          if (!read.ok) throw new StepStopped(read.error);
          return identified(target, read.reading, restartWords(now));
        },
      );
      if (looked.ok) return { ok: true, value: { look: looked.value, before } };
      const { error } = looked;
      const look = lookOf(error, hasRestarted, handle.wasAway);
      return { ok: true, value: { look, before: { ...handle, wasAway: handle.wasAway || isAway(error) } } };
    },
  };
}

/** The call ended by something of ours. A BMC that refuses does so with a status. */
const isOurs = ({ kind, status = null, ownLimit }: HardwareError): boolean =>
  ownLimit === true || (kind === "refused" && status === null);

/**
 * What a call shows that failed: a BMC that starts may refuse for some minutes what it did before.
 * @param hasRestarted it answered in this call, and showed that
 */
function lookOf(error: HardwareError, hasRestarted: boolean, wasAway: boolean): BmcResetLook {
  if (isAway(error) && !hasRestarted) return { kind: "silent", words: error.message };
  const problem = error.message.replace(/\.$/, "");
  if (isOurs(error) && !hasRestarted)
    return {
      ...{ kind: "unclear", refused: false, heard: false, todo: "Test the BMC." },
      words: `Reclaim could not look at the BMC: ${problem}.`,
    };
  const answers = wasAway ? "The BMC was away and answers again" : "The BMC answers";
  const words = `${hasRestarted ? "The BMC restarted" : answers}, but ${problem}.`;
  const todo = todos[error.kind] ?? "Test the BMC.";
  if (error.kind === "untrusted" || error.kind === "otherHost") return { kind: "changed", words, todo };
  return { kind: "unclear", refused: error.kind === "refused", heard: true, words, todo };
}

const whichMachine =
  "Correct the address or the system (Change BMC), or confirm that it is the same machine.";

const todos: Partial<Record<HardwareError["kind"], string>> = {
  untrusted: "Compare its certificate with the machine, and confirm it (Confirm certificate).",
  otherHost: whichMachine,
  refused: "Enter its user and password with Change BMC, and test the BMC.",
};

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
  const names = `serial ${reading.serial || "(none)"}, system UUID ${reading.uuid || "(none)"}`;
  // A BMC that starts may not have read the names of its system yet.
  if (reading.serial === "" || reading.uuid === "")
    return {
      ...{ kind: "unclear", refused: false, heard: true, todo: whichMachine },
      words: `The BMC restarted, but its system does not name the host's machine: ${names}.`,
    };
  return {
    kind: "changed",
    words: `The BMC restarted, but it reports another machine: ${names}.`,
    todo: whichMachine,
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
