// Waits for a device's own status to say that its erase is over; no progress for the policy's time means that it hangs, whatever the total.
import type { ErasableDevice } from "@/agent/steps/erasable-device";
import { clip } from "@/agent/steps/results";
import type { StepContext } from "@/agent/steps/step";
import type { Technique } from "@/server/domain/sanitization/techniques";

const firstPauseMs = 100;
const longestPauseMs = 5_000;

export interface EraseEnd {
  readonly state: "completed" | "failed" | "idle" | "stuck";
  readonly technique: Technique | null;
  readonly text: string;
}

/** Polls with growing pauses, and notes percent and expected end for the next report. */
export async function awaitErase(context: StepContext, device: ErasableDevice): Promise<EraseEnd> {
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
      const { state, technique, percent, text, estimateMs } = status.value;
      last = { state: state === "running" ? "stuck" : state, technique, text };
      const expectedEndAt = estimateMs === null ? {} : { expectedEndAt: new Date(startedAt + estimateMs).toISOString() };
      reporter.note({ device: { serial, percent, status: clip(text, 500), ...expectedEndAt } });
      if (state !== "running") return last;
      if (percent > best) {
        best = percent;
        bestAt = now;
      }
    } else {
      last = { state: "stuck", technique: last.technique, text: status.problem };
    }
    if (now - bestAt >= command.erase.noProgressTimeoutMs) return { ...last, state: "stuck", text: `no progress for ${Math.round((now - bestAt) / 1000)} s: ${last.text}` };
    await clock.sleep(Math.min(pauseMs, Math.max(1, command.erase.noProgressTimeoutMs / 10)));
    pauseMs = Math.min(pauseMs * 1.6, longestPauseMs);
  }
}
