// The step `deploy.reset_infiniband`: resets the firmware configuration of every InfiniBand device that is not a DPU (docs/design/agent.md#steps).
import type { Step } from "@/agent/steps/step";
import type { Answer, MstTools } from "@/agent/tools/tools";

/** Null if the device accepted everything and reads it back. */
async function resetDevice(mst: MstTools, slot: string, ports: number): Promise<string | null> {
  const wrong = (answer: Answer<unknown>) =>
    `${slot}: ${answer.command} answered ${answer.exitCode}: ${answer.status}`;
  const reset = await mst.reset(slot);
  if (reset.value !== true) return wrong(reset);
  const names = Array.from({ length: Math.min(ports, 2) }, (_, index) => `KEEP_IB_LINK_UP_P${index + 1}`);
  for (const name of names) {
    const set = await mst.set(slot, name, "1");
    if (set.value !== true) return wrong(set);
  }
  const query = await mst.query(slot);
  if (query.value === null) return wrong(query);
  const values = query.value;
  const lost = names.filter((name) => values[name] !== "1" && !values[name]?.startsWith("True"));
  return lost.length === 0 ? null : `${slot}: ${lost.join(", ")} does not read back as 1`;
}

export const resetInfiniband: Step = {
  interface: "deploy",
  step: "reset_infiniband",
  async run({ tools, aborted }) {
    const listed = await tools.mst.list();
    if (listed.value === null)
      return {
        result: "ERROR",
        message: `${listed.command} answered ${listed.exitCode}: ${listed.status}`,
        devices: [],
      };
    const devices = listed.value.filter(({ dpu }) => !dpu);
    const problems: string[] = [];
    for (const { slot, ports } of devices) {
      if (aborted.aborted) return { result: "ERROR", message: "aborted", devices: [] };
      const problem = await resetDevice(tools.mst, slot, ports);
      if (problem) problems.push(problem);
    }
    if (problems.length > 0) return { result: "ERROR", message: problems.join("; "), devices: [] };
    return {
      result: "OK",
      message: `${devices.length} InfiniBand devices at their defaults, link kept up`,
      devices: [],
    };
  },
};
