// Waits until a device's own status says that its erase is over. No progress for the policy's time means that it hangs, however long it has run.
import type { DeviceStatus } from "@/server/domain/cleaning/failures/status";
import type { EraseStatus, ErasableDevice } from "@/agent/steps/erasable-device";
import { clip } from "@/agent/steps/results";
import type { StepContext } from "@/agent/steps/step";
import type { Answer } from "@/agent/tools/tools";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";

const firstPauseMs = 100;
const longestPauseMs = 5_000;

export interface EraseEnd {
  readonly state: "completed" | "failed" | "idle" | "mediaVerification" | "stuck";
  readonly technique: Technique | null;
  readonly text: string;
  readonly code?: DeviceStatus;
  /** How long a stuck device has made no progress. */
  readonly stuckSeconds?: number;
}

/** A tool that still waits in the kernel has reported nothing, so the drive may be erasing. Null: the tool has ended. */
export const stillInKernel = (answer: Answer<true>): EraseEnd | null =>
  answer.over === false
    ? { state: "stuck", technique: null, text: "its tool still waits in the kernel, so it may go on" }
    : null;

/** The rest of the drive's own estimate. Only progress reduces it; the agent's clock is not used. */
const remainingOf = ({ state, percent, estimateMs }: EraseStatus): number | null =>
  state !== "running" && state !== "mediaVerification"
    ? 0
    : estimateMs === null || state === "mediaVerification"
      ? null
      : Math.max(1, Math.ceil(estimateMs * (1 - percent / 100)));

/** What is known of an erase that is waited for. */
interface Expecting {
  /** It was seen running, so a device that is idle has ended it. */
  readonly ran: boolean;
  /** The device accepted the command that ends its media verification. */
  readonly left?: boolean;
  /** Whether what was on the device can be seen to be gone. */
  readonly agrees?: () => Promise<boolean>;
}

const unheard =
  "it accepted the erase, but has never said that it runs, and what was on it is not seen to be gone; its controller may not pass its status on";

/**
 * A device that is idle right after it accepted an erase may be one whose controller answers for it. That counts as the end only if the erase was seen
 * running, or if what was read back agrees; until then nobody knows whether the device is erasing.
 */
async function ended(status: EraseStatus, { ran, agrees }: Expecting): Promise<EraseStatus["state"] | null> {
  if (status.state !== "idle") return status.state;
  // safety: agent: idle that nothing confirms is not the end of an erase
  if (!ran && (await agrees?.()) !== true) return null;
  return status.tellsEnd === false ? "completed" : "idle";
}

/** Polls with backoff, and notes percent and remaining time for the next report. */
export async function awaitErase(
  context: StepContext,
  device: ErasableDevice,
  seen: Expecting,
): Promise<EraseEnd> {
  const { clock, reporter, command } = context;
  const { serial } = device.facts;
  const startedAt = clock.now().getTime();
  let pauseMs = firstPauseMs;
  let { ran } = seen;
  let best = -1;
  let bestAt = startedAt;
  let last: EraseEnd = { state: "idle", technique: null, text: "no status yet" };
  for (;;) {
    const status = await device.readStatus();
    const now = clock.now().getTime();
    if (status.ok) {
      const { technique, percent, code } = status.value;
      const told = code === undefined ? {} : { code };
      ran ||= status.value.state === "running";
      const state = await ended(status.value, { ...seen, ran });
      const text = state === null ? `${status.value.text}; ${unheard}` : status.value.text;
      const runs =
        state === null || state === "running" || (seen.left === true && state === "mediaVerification");
      last = { state: runs ? "stuck" : state, technique, text, ...told };
      const remainingMs = state === null ? null : remainingOf(status.value);
      reporter.note({ device: { serial, percent, status: clip(text, 500), remainingMs } });
      if (last.state !== "stuck") return last;
      if (percent > best) {
        best = percent;
        bestAt = now;
      }
    } else {
      last = { state: "stuck", technique: last.technique, text: status.problem };
      reporter.note({
        device: { serial, percent: Math.max(0, best), status: clip(status.problem, 500), remainingMs: null },
      });
    }
    if (now - bestAt >= command.erase.noProgressTimeoutMs)
      return {
        ...last,
        state: "stuck",
        stuckSeconds: Math.round((now - bestAt) / 1000),
        text: `no progress for ${Math.round((now - bestAt) / 1000)} s: ${last.text}`,
      };
    await clock.sleep(Math.min(pauseMs, Math.max(1, command.erase.noProgressTimeoutMs / 10)));
    pauseMs = Math.min(pauseMs * 1.6, longestPauseMs);
  }
}
