// What simulated BMCs report of the health of their machines, read as any BMC.
import { expect, it } from "vitest";
import { foldLogs, logReport, marksOf } from "@/server/domain/repair/health/bmc/log";
import type { LogStates } from "@/server/domain/repair/health/bmc/log";
import { bmcReport } from "@/server/domain/repair/health/bmc/report";
import { stepBench } from "@/server/simulator/testing/step-bench";

const bench = stepBench();

it.each(["dell", "lenovo", "generic"])("a %s host is well until something breaks", async (kind) => {
  const worker = await bench.on(kind);
  const report = async () => {
    const read = await worker.readHealth();
    if (!read.ok) throw new Error(read.error.message);
    return bmcReport(read.value.health, null, 0).alerts.map(({ target }) => target);
  };
  expect(await report()).toEqual([]);
  const [drive] = worker.host.drives;
  worker.host.script({ health: { fan: 0, supply: 0, drives: [drive?.reported.serial ?? ""] } });
  expect((await report()).map((target) => target?.split(" ")[0])).toEqual(["drive", "fan", "power"]);
  worker.host.script({ health: null });
  expect(await report()).toEqual([]);
});

const since = (entries: number) => new Date(Date.now() - entries * 1_000).toISOString();

it.each(["dell", "lenovo", "generic"])(
  "the log of a %s host is read by page, to its end, and anew when it was cleared",
  async (kind) => {
    const worker = await bench.on(kind);
    let states: LogStates = {};
    const read = async () => {
      const found = await worker.readHealth(marksOf(states));
      if (!found.ok) throw new Error(found.error.message);
      states = foldLogs(states, found.value.logs, Date.now());
      return logReport(states).alerts;
    };
    expect(await read()).toEqual([]);
    worker.host.script({ health: { log: { first: 1, entries: 50_000, since: since(50_000) } } });
    const before = worker.host.counters.redfishRequests;
    for (let reading = 0; reading < 25; reading += 1) await read();
    expect(worker.host.counters.redfishRequests - before).toBeLessThan(25 * 120);
    const alerts = await read();
    expect(alerts.length).toBeLessThanOrEqual(18);
    expect(alerts.map(({ target }) => target?.split(" ").at(-1))).toContain("50000");
    worker.host.script({ health: { log: { first: 100_000, entries: 1, since: since(100_001) } } });
    const targets = (await read()).map(({ target }) => target?.split(" ").at(-1));
    expect(targets).toContain("100000");
  },
);
