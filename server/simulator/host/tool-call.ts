// How a simulated tool runs: it takes a little hardware time, dies with the host, and is where a scripted crash of the agent happens.
import type { DeviceStatus } from "@/server/domain/cleaning/failures/status";
import type { Answer } from "@/agent/tools/tools";
import type { Drive } from "@/server/simulator/drives/drive";
import { sleep } from "@/server/simulator/hardware-time";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

/** The host went away while the tool was running. */
export class HostGone extends Error {
  override readonly name = "HostGone";
}

export const done = <Value>(
  command: string,
  value: Value,
  status = "success",
  code?: DeviceStatus,
): Answer<Value> => ({ command, exitCode: 0, status, value, ...(code === undefined ? {} : { code }) });
export const refusedBy = <Value>(
  command: string,
  status: string,
  exitCode = 1,
  code?: DeviceStatus,
): Answer<Value> => ({ command, exitCode, status, value: null, ...(code === undefined ? {} : { code }) });

/** As nvme-cli prints a completion status: in words, and as the number that it was read from. */
export function nvmeRefused<Value>(command: string, problem: string): Answer<Value> {
  const field = Number(/\((0x[0-9a-f]{4})\)$/.exec(problem)?.[1] ?? Number.NaN);
  const code: DeviceStatus = { bus: "nvme", sct: (field >> 8) & 7, sc: field & 0xff };
  return refusedBy(command, `NVMe status: ${problem}`, 1, Number.isNaN(field) ? undefined : code);
}

/** One use of a tool; `step` is the clean step that it mostly belongs to, for `crashDuring`. */
export type ToolCall = <Value>(
  step: string,
  hardwareMs: number,
  run: () => Value | Promise<Value>,
) => Promise<Value>;

/** What a tool's commands work with: the host, the way to run on it, and the signal of its agent's end. */
export interface ToolSession {
  readonly host: SimulatedHost;
  readonly call: ToolCall;
  readonly signal: AbortSignal;
}

export function toolCalls(host: SimulatedHost, signal: AbortSignal): ToolCall {
  return async (step, hardwareMs, run) => {
    if (signal.aborted) throw new HostGone();
    if (host.time.scaled(hardwareMs) >= 1) await host.time.wait(hardwareMs, signal);
    if (signal.aborted) throw new HostGone();
    const value = await run();
    // The command has reached the device, but the agent that sent it crashes before the answer.
    if (step !== "" && host.faults.agent?.crashDuring === step) {
      host.faults.agent = { ...host.faults.agent, crashDuring: "" };
      host.changed();
      host.crashAgent();
    }
    if (signal.aborted) throw new HostGone();
    return value;
  };
}

const longestLookMs = 250;

/** Waits for a drive that answers only when its erase is over, and returns whether it completed. */
export async function untilErased(signal: AbortSignal, drive: Drive): Promise<boolean> {
  for (let pauseMs = 5; drive.erasing; pauseMs = Math.min(pauseMs * 2, longestLookMs)) {
    await sleep(pauseMs, signal);
    if (signal.aborted) throw new HostGone();
  }
  return drive.lastErase().state === "completed";
}

/** Format NVM returns when it is over; `problem`: why the drive did not start one. */
export async function formatted(
  { signal }: ToolSession,
  drive: Drive,
  command: string,
  problem: string | null,
): Promise<Answer<true>> {
  if (problem !== null) return nvmeRefused(command, problem);
  return (await untilErased(signal, drive))
    ? done(command, true, "Success formatting namespace")
    : nvmeRefused(command, "Internal Error: the format failed (0x2006)");
}
