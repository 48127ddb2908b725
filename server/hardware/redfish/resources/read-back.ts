// An answer to an action proves nothing: the state is read until it is as expected, with a limit (docs/design/hardware.md#redfish).
import type { HardwareResult, SystemReading } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { Failed, RedfishError } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { taskReading, taskResource, type TaskReading } from "@/server/hardware/redfish/resources/task";
import { overrideOf, readPendingBoot, readSystem } from "@/server/hardware/redfish/resources/system";

export interface Expected {
  readonly path: string;
  readonly fits: (reading: SystemReading) => boolean;
  readonly limitMs: number;
  /** For the message: what was done, and what was read instead. */
  readonly done: string;
  readonly found: (reading: SystemReading) => string;
  /** Where the boot source is written, if not to the system. */
  readonly pendingBoot?: string | null;
  /** The effect may still come after the limit. */
  readonly mayComeLater: boolean;
  /** The BMC's own task for the change: while it runs, the limit starts again. */
  readonly task?: string;
}

/** Reads the system until it is as expected. If the BMC does not answer, retry: many restart their web server together with the machine. */
export async function readBack(
  client: RedfishClient,
  call: Call,
  expected: Expected,
): Promise<HardwareResult<SystemReading>> {
  const { lookWaitsMs } = client.settings.limits;
  const startedAt = client.settings.now();
  let ranAt = startedAt;
  let task: TaskReading | null = null;
  let lookedMs: number;
  let last: { readonly reading: SystemReading } | { readonly error: RedfishError };
  for (let look = 0; ; look += 1) {
    const read = await readWithPending(client, call, expected);
    if (read.ok && expected.fits(read.reading)) return { ok: true, value: read.reading };
    last = read.ok ? read : { error: read.error };
    const waitMs = lookWaitsMs[Math.min(look, lookWaitsMs.length - 1)] ?? 0;
    if (expected.task !== undefined && task?.phase !== "failed")
      task = await readTask(client, call, expected.task);
    if ((task?.phase === "running" || task?.phase === "waiting") && (await client.prolong(call)))
      ranAt = client.settings.now();
    const elapsedMs = client.settings.now() - ranAt;
    lookedMs = elapsedMs + waitMs;
    const givenUp = !read.ok && (read.error.kind === "refused" || read.error.kind === "unsupported");
    if (
      givenUp ||
      task?.phase === "failed" ||
      lookedMs > expected.limitMs ||
      client.remainingMs(call) <= waitMs ||
      call.options.signal?.aborted === true
    )
      break;
    await client.settings.sleep(waitMs, call.options.signal);
  }
  const seconds = ((client.settings.now() - startedAt) / 1000).toFixed(1);
  const said = task === null ? "" : `; its task ${task.words}`;
  if ("error" in last) {
    const { kind, message } = last.error;
    return {
      ok: false,
      error: {
        kind,
        message: `${expected.done}, but its effect could not be read back: ${message}${said}`,
        unknownOutcome: true,
      },
    };
  }
  return {
    ok: false,
    error: {
      // If the BMC's own task failed, the request was not ignored.
      kind: task?.phase === "failed" ? "failed" : unchangedKind(lookedMs, expected.limitMs),
      message: `${expected.done}, but after ${seconds} s ${expected.found(last.reading)}${said}`,
      unknownOutcome: expected.mayComeLater,
    },
  };
}

/** A call may have less time than the limit, or be aborted. If the wait was cut short, nobody knows whether the BMC ignored the request. */
export const unchangedKind = (lookedMs: number, limitMs: number): "ignored" | "failed" =>
  lookedMs >= limitMs / 2 ? "ignored" : "failed";

/** The system, with the boot source that it takes on at its next restart if the BMC reports that separately. */
async function readWithPending(
  client: RedfishClient,
  call: Call,
  { path, pendingBoot = null }: Expected,
): Promise<{ readonly ok: true; readonly reading: SystemReading } | Failed> {
  const read = await readSystem(client, call, path);
  if (!read.ok || pendingBoot === null) return read;
  const pending = await readPendingBoot(client, call, pendingBoot);
  return pending.ok
    ? {
        ok: true,
        reading: { ...read.reading, bootOverride: overrideOf({ ...read.system.Boot, ...pending.boot }) },
      }
    : pending;
}

/** The state of the BMC's task; null if the BMC does not report it. */
async function readTask(client: RedfishClient, call: Call, path: string): Promise<TaskReading | null> {
  const replied = await client.get(call, path);
  const parsed = replied.ok ? taskResource.safeParse(replied.answer.body) : null;
  return parsed?.success === true ? taskReading(path, parsed.data) : null;
}
