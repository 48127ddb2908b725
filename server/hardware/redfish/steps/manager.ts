// Steps that restart the BMC and set the host's boot mode.
import { z } from "zod";
import type { HardwareError, StepProgress } from "@/server/hardware/interfaces";
import { text } from "@/server/hardware/redfish/resources/references";
import { resetTypesOf } from "@/server/hardware/redfish/resources/action-info";
import { managerResource } from "@/server/hardware/redfish/resources/resources";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import { StepFailed, StepStopped, unsupported } from "@/server/hardware/redfish/steps/stopped";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";

export const resetHandle = z.object({
  lastReset: z.string().nullable(),
  /** Null. Release 0.2.0 reads it, and took a session that is gone for a restart; another process may have ended it, or its time. */
  session: z.string().nullable(),
  wasAway: z.boolean(),
});
type ResetHandle = z.infer<typeof resetHandle>;

/** What is known before the BMC restarts. */
export const beforeRestart = (lastReset: string | null | undefined): ResetHandle => ({
  lastReset: lastReset ?? null,
  session: null,
  wasAway: false,
});

export const resetBmc = stepMaker({
  begin: async (session) => {
    const { body } = await session.get(session.links.manager, managerResource);
    const reset = body.Actions?.["#Manager.Reset"];
    if (reset == null) throw unsupported(`${session.links.manager} offers no Manager.Reset action`);
    const read = await resetTypesOf(session.client, session.call, reset);
    // A link that leads nowhere lists none.
    if (!read.ok && read.error.kind !== "unsupported") throw new StepStopped(read.error);
    const types = read.ok ? read.types : [];
    const type =
      ["GracefulRestart", "ForceRestart"].find((name) => types.includes(name)) ??
      types[0] ??
      "GracefulRestart";
    const replied = await session.changeLocked("POST", reset.target, { ResetType: type });
    if (!replied.ok) throw new StepStopped(replied.error);
    return {
      kind: "running",
      handle: beforeRestart(body.LastResetTime),
      percent: null,
      message: "the BMC restarts",
    };
  },
  check: async (session, handle) => whenRestarted(session, resetHandle.parse(handle), done),
});

/** A BMC that starts answers so for resources that it has not read yet; it is no answer about the restart. */
const startsStill: ReadonlySet<number> = new Set([404, 503]);

/**
 * An error is an answer: only silence, or a service that says that it is not there, is a sign of a restart. Not so that our own time was over, or that the
 * BMC has no session left, which bmcweb answers with 503, too.
 */
export const isAway = ({ kind, status = null, ownLimit, messageIds = [] }: HardwareError): boolean =>
  kind === "unreachable"
    ? ownLimit !== true
    : status === 503 && !messageIds.some((id) => id.endsWith(".SessionLimitExceeded"));

/**
 * Continues with `then` once the BMC has restarted (`showsRestart`). A BMC that does not let us in stops the step.
 */
export async function whenRestarted(
  session: StepClient,
  before: ResetHandle,
  then: (words: string) => StepProgress | Promise<StepProgress>,
): Promise<StepProgress> {
  const replied = await session.client.get(session.call, session.links.manager);
  if (!replied.ok) {
    const { kind, status } = replied.error;
    if (!startsStill.has(status ?? 0) && ["refused", "unsupported", "untrusted", "otherHost"].includes(kind))
      throw new StepStopped(replied.error);
    return {
      kind: "running",
      handle: { ...before, wasAway: before.wasAway || isAway(replied.error) },
      percent: null,
      silent: true,
      message: `the BMC does not respond yet: ${replied.error.message}`,
    };
  }
  const now = managerResource.safeParse(replied.answer.body).data?.LastResetTime ?? null;
  if (showsRestart(before, now) === true) return then(restartWords(now));
  return {
    kind: "running",
    handle: before,
    percent: null,
    message:
      before.lastReset === null
        ? "nothing shows yet that the BMC restarted"
        : "the BMC has not restarted yet",
  };
}

export const restartWords = (now: string | null): string =>
  now === null ? "the BMC was away and responds again" : `the BMC responds again; it restarted at ${now}`;

/** Some BMCs derive the time of their restart from their clock, with rounding; none restarts within this time. */
const toleranceMs = 5_000;

/** Whether the BMC tells another restart time than before; null where one of the two is not told. */
export function restartTimeMoved(before: string | null, now: string | null): boolean | null {
  if (before === null || now === null) return null;
  const movedMs = Date.parse(now) - Date.parse(before);
  return Number.isNaN(movedMs) ? now !== before : Math.abs(movedMs) > toleranceMs;
}

/**
 * Whether a BMC that answers has restarted: by its own restart time if it tells one, and otherwise by having been away. Null: it told no time before and was
 * not seen away, so nothing tells. A session that is gone proves nothing.
 */
export function showsRestart(before: ResetHandle, now: string | null): boolean | null {
  return restartTimeMoved(before.lastReset, now) ?? (before.wasAway ? true : null);
}

const modes = { uefi: "UEFI", bios: "Legacy" } as const;
const bootMode = z.enum(["uefi", "bios"]);
const bootResource = z.object({ Boot: z.object({ BootSourceOverrideMode: text }) });

export const setBootMode = stepMaker({
  begin: async (session) => {
    const wanted = modes[bootMode.parse(session.step.args["boot_mode"])];
    const read = () => session.get(session.links.system, bootResource);
    const found = await read();
    if (found.body.Boot.BootSourceOverrideMode == null)
      throw unsupported(`${session.links.system} tells no boot mode`);
    // From here on the mode is what the step says, whatever an earlier change that was cut off has lost.
    session.call.bmc.uefiAtStake.delete(session.links.system);
    if (found.body.Boot.BootSourceOverrideMode === wanted) return done(`the boot mode is ${wanted} already`);
    const answer = await session.patch(found, { Boot: { BootSourceOverrideMode: wanted } }, bootResource);
    const back = await session.until(
      session.client.settings.limits.bootReadBackMs,
      read,
      ({ body }) => body.Boot.BootSourceOverrideMode === wanted,
    );
    if (!back.ok)
      throw new StepFailed(
        `PATCH ${found.path} was answered ${answer.status}, but the boot mode reads ${back.value.body.Boot.BootSourceOverrideMode ?? "nothing"}`,
      );
    return done(`the boot mode was set and reads ${wanted}`);
  },
  check: async (session) => {
    const wanted = modes[bootMode.parse(session.step.args["boot_mode"])];
    const found = (await session.get(session.links.system, bootResource)).body.Boot.BootSourceOverrideMode;
    return found === wanted
      ? done(`the boot mode reads ${wanted}`)
      : failed(`the boot mode reads ${found ?? "nothing"}, not ${wanted}`);
  },
});
