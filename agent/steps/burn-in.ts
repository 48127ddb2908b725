// The steps `deploy.burnin_*`: load for a given time, in short slices, so that they can be stopped and report progress.
import { z } from "zod";
import type { Step, StepContext } from "@/agent/steps/step";
import { networkLoopback, storageRead } from "@/agent/validation/own-tests";

const args = z.strictObject({ time: z.number(), fraction: z.number().gt(0).max(1).default(1) });
const sliceSeconds = 10;

/** Runs the load for one slice. Returns what went wrong, or null. */
type Slice = (context: StepContext, seconds: number, fraction: number) => Promise<string | null>;

const stress =
  (kind: "cpu" | "memory"): Slice =>
  async ({ tools }, seconds, fraction) => {
    const answer = await tools.system.stress(kind, seconds, fraction);
    return answer.value === true ? null : `${answer.command} answered ${answer.exitCode}: ${answer.status}`;
  };

/** Repeats a slice that ends early until its time is up. */
const repeated =
  (work: (context: StepContext) => Promise<{ readonly passed: boolean; readonly message: string }>): Slice =>
  async (context, seconds) => {
    const until = context.clock.now().getTime() + seconds * 1_000;
    for (;;) {
      const { passed, message } = await work(context);
      if (!passed) return message;
      if (context.aborted.aborted || context.clock.now().getTime() >= until) return null;
      await context.clock.sleep(Math.min(1_000, until - context.clock.now().getTime()), context.aborted);
    }
  };

const burnin = (part: string, slice: Slice): Step => ({
  interface: "deploy",
  step: `burnin_${part}`,
  async run(context) {
    const { time, fraction } = args.parse(context.command.args);
    for (let done = 0; done < time; done += sliceSeconds) {
      if (context.aborted.aborted)
        return { result: "ERROR", message: `stopped after ${done} of ${time} s`, devices: [] };
      const problem = await slice(context, Math.min(sliceSeconds, time - done), fraction);
      if (problem !== null) return { result: "ERROR", message: problem, devices: [] };
      context.reporter.note({
        message: `${Math.min(time, done + sliceSeconds)} of ${time} s`,
        percent: (100 * Math.min(time, done + sliceSeconds)) / time,
      });
    }
    return { result: "OK", message: `${part} under load for ${time} s without an error`, devices: [] };
  },
});

export const burnins: readonly Step[] = [
  burnin("cpu", stress("cpu")),
  burnin("memory", stress("memory")),
  burnin("disk", repeated(storageRead)),
  burnin(
    "network",
    repeated(({ tools }) => networkLoopback(tools)),
  ),
];
