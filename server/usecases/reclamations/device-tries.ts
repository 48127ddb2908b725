// What was tried on a device, and the result of reading it back, as the pages of hosts and drives show it.
import { meaningOf, statusCode } from "@/server/domain/cleaning/failures/statuses/meaning";
import type {
  DeviceResult,
  DeviceTry,
  Verification,
} from "@/server/domain/cleaning/sanitization/device-result";
import { countOf, type EraseProbe } from "@/server/domain/cleaning/sanitization/probe";
import type { DeviceTryLine } from "@/server/contract/reclamations/reclamation";

/** ", 0 of 256 canaries left"; empty for an erase without a probe. Pure. */
function formatProbe(probe: EraseProbe | undefined): string {
  if (probe === undefined) return "";
  const written = countOf(probe.written);
  return written === 0 ? ", no canary written" : `, ${countOf(probe.found)} of ${written} canaries left`;
}

/** "12 of 12 markers gone, 0 of 1,000 samples as before, 0 of 256 canaries left". Pure. */
export function formatVerification(read: Verification | undefined, probe?: EraseProbe): string {
  if (read === undefined) return "";
  const markers =
    read.markersWritten === 0
      ? ""
      : `${read.markersWritten - read.markersFound} of ${read.markersWritten} markers gone, `;
  const samples = `${read.mismatches.toLocaleString("en")} of ${read.samples.toLocaleString("en")} samples as before`;
  const where = read.kind === "media-verification" ? ", media verification" : "";
  return read.result === "impossible"
    ? "could not be read back"
    : `${markers}${samples}${where}${formatProbe(probe)}`;
}

/** The code by its standard, with its meaning if the table has it. */
function formatCode({ code }: DeviceTry): string | null {
  if (code === undefined) return null;
  const meaning = meaningOf(code);
  return meaning === null ? statusCode(code) : `${statusCode(code)}: ${meaning}`;
}

function refusedText({ completed, code, exitCode }: DeviceTry): string | null {
  if (completed) return null;
  const meaning = code === undefined ? null : meaningOf(code);
  if (meaning !== null) return meaning;
  return exitCode === 0
    ? "the device accepted the command but did not report completion"
    : `the command ended with exit code ${exitCode}`;
}

/** In the order in which they were sent. Pure. */
export const tryLines = (attempt: number, device: DeviceResult): readonly DeviceTryLine[] =>
  device.tries.map((tried) => ({
    technique: tried.technique,
    status: tried.status,
    code: formatCode(tried),
    refused: refusedText(tried),
    command: tried.command,
    exitCode: tried.exitCode,
    attempt,
    completed: tried.completed,
    startedAt: new Date(tried.startedAt),
    tookMs: Math.max(0, Date.parse(tried.endedAt) - Date.parse(tried.startedAt)),
  }));
