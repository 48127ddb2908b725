// A program: the agent with 64 modelled drives, from registration to the result of their erase. Prints the result and the peak memory.
import { readFileSync } from "node:fs";
import { Agent } from "@/agent/agent";
import { Bench } from "@/agent/tools/machine/testing/drives/bench";
import { NvmeDrive } from "@/agent/tools/machine/testing/drives/nvme-drive";
import { machineTools } from "@/agent/tools/machine/machine-tools";
import { execute, isCall, registered, restart, world } from "@/agent/testing/agent-world";

const count = 64;
const bench = new Bench();
for (let index = 0; index < count; index += 1)
  bench.add(
    new NvmeDrive({
      ...{ name: `nvme${index}`, serial: `REAL${index}`, now: bench.now },
      ...{ sanicap: 2, oacs: 2, blocks: 4096, durationMs: 2_000 },
    }),
  );

const command = execute("c1", 1, "erase_nvme");
if (command.kind !== "execute") throw new Error("no command");
const whole = {
  ...command,
  erase: {
    ...command.erase,
    techniques: { ...command.erase.techniques, nvme: ["nvme-sanitize-block" as const] },
    ...{ samplesPerDevice: 1000, markersPerDevice: 16, noProgressTimeoutMs: 600_000 },
  },
  fingerprint: { secret: "secret".repeat(6), samplesPerDevice: 1000 },
};
let result = "";
const me = world((request) => {
  if (isCall(request, "/boot/token")) return { status: 200, body: { bootToken: "token-of-this-window-1" } };
  if (isCall(request, "/register")) return registered(whole);
  if (isCall(request, "/progress")) return { status: 200, body: { abort: false } };
  if (!isCall(request, "/result")) return { status: 200, body: { command: { kind: "none" } } };
  result = request.body ?? "";
  return restart;
});
// Requests keep their bodies in memory, so they are dropped here.
setInterval(() => me.requests.splice(0), 50).unref();
const tools = { ...(await machineTools(bench.run, bench.files, bench.open)), system: me.around.tools.system };
const clock = {
  now: () => new Date(bench.nowMs),
  sleep: async (ms: number) => {
    await new Promise((resolve) => setImmediate(resolve));
    bench.nowMs += Math.min(ms, 200);
  },
};
await new Agent({ ...me.around, tools: { ...tools, mst: me.around.tools.mst }, clock }).run();
// Not resourceUsage().maxRSS: after exec it includes the peak of the process that started this one (getrusage(2)).
const highest = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
if (highest === undefined) throw new Error("/proc/self/status has no VmHWM");
process.stdout.write(
  `${JSON.stringify({ result: JSON.parse(result) as unknown, maxRssBytes: Number(highest) * 1024 })}\n`,
);
