// The boot order: read in names that mean the same on every host, and set back to what the baseline says (docs/adr/0143-platform-at-baseline.md).
import { z } from "zod";
import { beginsWith, bootNames, wantedOrder } from "@/server/domain/hosts/inventory/boot-order";
import type { BootEntry } from "@/server/domain/hosts/inventory/boot-order";
import type { StepProgress } from "@/server/hardware/interfaces";
import { isFirmwareOwn } from "@/server/hardware/redfish/resources/device-path";
import { optionalLink } from "@/server/hardware/redfish/resources/references";
import { pathOfLink } from "@/server/hardware/redfish/resources/resources";
import { allBootEntries } from "@/server/hardware/redfish/steps/baseline-firmware";
import { afterEarlierJob } from "@/server/hardware/redfish/steps/earlier-job";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import type { Resource, StepClient } from "@/server/hardware/redfish/steps/step-client";
import { StepFailed, WrongArgument, unsupported } from "@/server/hardware/redfish/steps/stopped";
import { sentTask, taskOf, unfinishedTask, whenCompleted } from "@/server/hardware/redfish/steps/tasks";
import type { SentTask } from "@/server/hardware/redfish/steps/tasks";

const order = z.array(z.string()).nullish().catch(null);
const boot = z.object({ BootOrder: order }).nullish().catch(null);
const system = z.object({
  Boot: boot,
  "@Redfish.Settings": z.object({ SettingsObject: optionalLink }).nullish().catch(null),
});
const settings = z.object({ Boot: boot });

interface Order {
  /** Enabled entries in their present order. */
  readonly current: readonly BootEntry[];
  /** Where the order is written: the system, or its settings for the next restart if they have one. */
  readonly written: Resource<z.infer<typeof settings>>;
  /** References of the order after the next restart; null: the BMC shows only the present one. */
  readonly coming: readonly string[] | null;
  readonly references: readonly string[];
}

/** The entries of an order by their references. One that the boot menu does not name stops the step: a reference means another entry on each host. */
async function entriesIn(session: StepClient, references: readonly string[]): Promise<readonly BootEntry[]> {
  const all = await allBootEntries(session);
  return references.flatMap((reference) => {
    const entry = all?.find(({ body }) => body.BootOptionReference === reference);
    if (entry?.body.BootOptionEnabled === false) return [];
    // safety: platform: a reference is not the name of a boot entry
    if (entry?.body.DisplayName == null)
      throw new StepFailed(`the BMC does not name the entry ${reference} of its boot order`);
    const { DisplayName: name, UefiDevicePath: path = null } = entry.body;
    return [{ reference, name, path, own: isFirmwareOwn(path) }];
  });
}

/** The enabled entries in the order in which the firmware tries them; null if the system shows no order, or an empty one. */
export async function bootOrder(session: StepClient): Promise<readonly BootEntry[] | null> {
  const references = (await session.get(session.links.system, system)).body.Boot?.BootOrder ?? [];
  return references.length === 0 ? null : entriesIn(session, references);
}

async function look(session: StepClient): Promise<Order> {
  const read = await session.get(session.links.system, system);
  const references = read.body.Boot?.BootOrder ?? [];
  if (references.length === 0) throw unsupported("the BMC shows no boot order");
  const path = pathOfLink(read.body["@Redfish.Settings"]?.SettingsObject);
  const pending = path === null ? null : await session.look(path, settings);
  const coming = pending?.body.Boot?.BootOrder ?? null;
  return {
    current: await entriesIn(session, references),
    written: pending === null || coming === null ? read : pending,
    coming,
    references,
  };
}

const wantedOf = (session: StepClient): readonly string[] => {
  const wanted = session.step.known.baseline?.bmc?.bootOrder;
  if (wanted === undefined) throw new WrongArgument("the SKU's baseline names no boot order");
  return wanted;
};

const words = (entries: readonly BootEntry[]): string => bootNames(entries).join(", ");
const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.join("\n") === right.join("\n");

/** A BIOS job that waits for the next restart: ours after a lost answer, or an earlier step's. A second order beside it would be refused. */
const waitingJob = async (session: StepClient): Promise<SentTask | null> =>
  session.step.known.platform.jobQueue
    ? unfinishedTask(session, (name) => /BIOS/i.test(name), ["waiting"])
    : null;

const atRestart = (handle: SentTask, message: string): StepProgress => ({ kind: "restart", handle, message });

/** Orders what is wanted unless it is in effect or already ordered. Nothing else of the boot settings is written, so the boot source of the return stays. */
async function begin(session: StepClient): Promise<StepProgress> {
  const wanted = wantedOf(session);
  const found = await look(session);
  const { order: entries, missing } = wantedOrder(wanted, found.current);
  if (missing.length > 0)
    throw new StepFailed(
      `the boot order has no entry ${missing.join(", ")}: it is ${words(found.current)}. Enable it in the firmware's setup, or correct the SKU's baseline`,
    );
  const isCurrent = beginsWith(wanted, bootNames(found.current));
  const ordered = [
    ...entries.map(({ reference }) => reference),
    // Disabled entries, which the firmware passes over.
    ...found.references.filter((each) => !entries.some(({ reference }) => reference === each)),
  ];
  const isPending =
    found.coming !== null &&
    beginsWith(wanted, bootNames(await entriesIn(session, found.coming))) &&
    !isSame(found.coming, found.references);
  if (isPending && !isCurrent)
    return atRestart({ task: null, sentAt: session.nowMs() }, "the boot order is pending until the restart");
  // safety: bmc: a boot order that is pending is not the present one
  if (isCurrent && (found.coming === null || isPending || isSame(found.coming, found.references)))
    return done(`the boot order begins as the baseline says: ${words(found.current)}`);
  const waiting = await waitingJob(session);
  // safety: bmc: no second job beside one that waits for a restart
  if (waiting !== null) return atRestart(waiting, `${waiting.task ?? "a BIOS job"} waits for the restart`);
  const answer = await session.patch(found.written, { Boot: { BootOrder: ordered } }, settings);
  const sent = taskOf(session, answer);
  const job = sent.task === null ? await waitingJob(session) : sent;
  if (job !== null) return atRestart(job, `the boot order is set at the restart: ${words(entries)}`);
  const back = await session.until(
    session.client.settings.limits.settingReadBackMs,
    () => look(session),
    (now) => isSame(now.coming ?? now.references, ordered),
  );
  if (!back.ok)
    throw new StepFailed(
      `PATCH ${found.written.path} was answered ${answer.status}, but the boot order reads ${words(back.value.current)}`,
    );
  return back.value.coming === null
    ? done(`the boot order was set and reads ${words(back.value.current)}`)
    : atRestart(sent, `the boot order is pending until the restart: ${words(entries)}`);
}

export const restoreBootOrder = stepMaker(
  afterEarlierJob({
    begin,
    check: (session, handle) =>
      whenCompleted(session, sentTask.parse(handle), async () => {
        const wanted = wantedOf(session);
        const { current } = await look(session);
        // safety: bmc: a boot order is read back after the restart (always)
        if (beginsWith(wanted, bootNames(current)))
          return done(`after the restart the boot order begins as the baseline says: ${words(current)}`);
        return failed(
          `after the restart the boot order is ${words(current)}, and should begin with ${wanted.join(", ")}`,
        );
      }),
  }),
);
