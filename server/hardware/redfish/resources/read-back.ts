// An answer to an action proves nothing: the state is read until it fits, with a limit (docs/design/hardware.md#redfish).
import type { HardwareResult, SystemReading } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { RedfishError } from "@/server/hardware/redfish/client/errors";
import type { Call } from "@/server/hardware/redfish/client/sender";
import { readSystem } from "@/server/hardware/redfish/resources/system";

export interface Expected {
  readonly path: string;
  readonly fits: (reading: SystemReading) => boolean;
  readonly limitMs: number;
  /** What was done, and what was read instead, for the message. */
  readonly done: string;
  readonly found: (reading: SystemReading) => string;
  /** The effect may still come after the limit. */
  readonly mayComeLater: boolean;
}

/** Reads the system until it fits. A BMC that does not answer meanwhile is asked again: many restart their web server with the machine. */
export async function readBack(
  client: RedfishClient,
  call: Call,
  expected: Expected,
): Promise<HardwareResult<SystemReading>> {
  const { lookWaitsMs } = client.settings.limits;
  const startedAt = client.settings.now();
  let last: { readonly reading: SystemReading } | { readonly error: RedfishError };
  for (let look = 0; ; look += 1) {
    const read = await readSystem(client, call, expected.path);
    if (read.ok && expected.fits(read.reading)) return { ok: true, value: read.reading };
    last = read.ok ? read : { error: read.error };
    const waitMs = lookWaitsMs[Math.min(look, lookWaitsMs.length - 1)] ?? 0;
    const elapsedMs = client.settings.now() - startedAt;
    const givenUp = !read.ok && (read.error.kind === "refused" || read.error.kind === "unsupported");
    if (
      givenUp ||
      elapsedMs + waitMs > expected.limitMs ||
      client.remainingMs(call) <= waitMs ||
      call.options.signal?.aborted === true
    )
      break;
    await client.settings.sleep(waitMs, call.options.signal);
  }
  const seconds = ((client.settings.now() - startedAt) / 1000).toFixed(1);
  if ("error" in last) {
    const { kind, message } = last.error;
    return {
      ok: false,
      error: {
        kind,
        message: `${expected.done}, but its effect could not be read back: ${message}`,
        unknownOutcome: true,
      },
    };
  }
  return {
    ok: false,
    error: {
      kind: "failed",
      message: `${expected.done}, but after ${seconds} s ${expected.found(last.reading)}`,
      unknownOutcome: expected.mayComeLater,
    },
  };
}
