// What precedes the order of a firmware update: no other that is not over, and the file that was approved (docs/adr/0148-firmware-rollouts.md).
import { failure } from "@/server/hardware/redfish/client/errors";
import { StepFailed, StepStopped, WrongArgument } from "@/server/hardware/redfish/steps/stopped";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";
import { unfinishedTasks } from "@/server/hardware/redfish/steps/tasks";
import type { OpenTask, SentTask } from "@/server/hardware/redfish/steps/tasks";

export interface UpdateFile {
  readonly component: string;
  readonly url: string;
  /** SHA-256. */
  readonly checksum: string;
}

/** Kept of a call's time for the order itself, after the file was read. */
const orderMs = 5_000;

/**
 * Reads the file as the BMC will, and compares its SHA-256. SimpleUpdate takes no checksum (Redfish UpdateService), so what the BMC fetches right afterwards is
 * not compared.
 */
export async function compareFile(
  session: StepClient,
  { component, url, checksum }: UpdateFile,
): Promise<void> {
  const { client, call } = session;
  const { readDigest, networks, resolveName, limits } = client.settings;
  // What was read before of the BMC takes nothing of the file's time.
  if (!(await client.prolong(call, true)))
    throw new StepStopped(
      failure("unreachable", `the time limit of the call was reached before ${component} was updated`).error,
    );
  const read = await readDigest(url, {
    ...{ networks, resolveName, connectTimeoutMs: limits.connectTimeoutMs },
    timeoutMs: client.remainingMs(call) - orderMs,
    ...(call.options.signal === undefined ? {} : { signal: call.options.signal }),
  });
  // safety: bmc: a file that could not be compared is not written
  if (!read.ok)
    throw new StepFailed(
      `${component} is not updated: ${url} could not be read, so its SHA-256 is not known: ${read.reason}`,
    );
  // safety: bmc: another file than was approved is not written
  if (read.sha256 !== checksum)
    throw new WrongArgument(
      `${component} is not updated: the SHA-256 of ${url} is ${read.sha256}, not ${checksum}`,
    );
}

/** How the file came to the BMC. */
export const fetched = ({ url }: Pick<UpdateFile, "url">): string =>
  `the SHA-256 of ${url} was compared right before the BMC fetched it`;

const isUpdate = (name: string): boolean => /update/i.test(name);

/**
 * An update that is not over, which nothing is ordered beside; null: none. Of a task that runs and whose name does not say what it is, `named` is false: it may
 * be our update, of which the answer was lost. A service with several systems always has such tasks, of other hosts.
 */
export async function openUpdate(
  session: StepClient,
  { several }: { readonly several: boolean },
): Promise<{ readonly sent: SentTask; readonly named: boolean } | null> {
  const open = await unfinishedTasks(session);
  const sentOf = ({ task, sentAt }: OpenTask): SentTask => ({ task, sentAt });
  const update = open.find(({ name, phase }) => isUpdate(name) && (phase === "running" || !several));
  if (update !== undefined) return { sent: sentOf(update), named: true };
  const other = several ? undefined : open.find(({ phase }) => phase === "running");
  // safety: bmc: an update is not ordered beside a task that may be one
  if (other !== undefined) return { sent: sentOf(other), named: false };
  return null;
}
