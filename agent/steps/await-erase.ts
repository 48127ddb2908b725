// Waits until a device's own status says that its erase is over. No progress for the policy's time means that it hangs, however long it has run.
import type { DeviceStatus } from "@/server/domain/causes/status";
import type { EraseStatus, ErasableDevice } from "@/agent/steps/erasable-device";
import { clip } from "@/agent/steps/results";
import type { StepContext } from "@/agent/steps/step";
import type { Answer } from "@/agent/tools/tools";
import type { Technique } from "@/server/domain/sanitization/techniques";

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
  // safety: agent: a command whose tool is not over may still erase (false)
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

/** Polls with backoff, and notes percent and remaining time for the next report. `left`: the device accepted the command that ends its media verification. */
export async function awaitErase(
  context: StepContext,
  device: ErasableDevice,
  left = false,
): Promise<EraseEnd> {
  const { clock, reporter, command } = context;
  const { serial } = device.facts;
  const startedAt = clock.now().getTime();
  let pauseMs = firstPauseMs;
  let best = -1;
  let bestAt = startedAt;
  let last: EraseEnd = { state: "idle", technique: null, text: "no status yet" };
  for (;;) {
    const status = await device.readStatus();
    const now = clock.now().getTime();
    if (status.ok) {
      const { state, technique, percent, text, code } = status.value;
      const told = code === undefined ? {} : { code };
      const runs = state === "running" || (left && state === "mediaVerification");
      last = { state: runs ? "stuck" : state, technique, text, ...told };
      reporter.note({
        device: { serial, percent, status: clip(text, 500), remainingMs: remainingOf(status.value) },
      });
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
