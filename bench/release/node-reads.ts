// The cost of an Ironic client's reads with 10,000 hosts: a part of `npm run bench -- --scale`.
import { z } from "zod";
import { budgets, quantile } from "@/bench/figures";
import type { Budget, Figure } from "@/bench/figures";
import { fleetSize } from "@/bench/scale/scale-fixture";

const nodeReads: readonly {
  readonly name: string;
  readonly path: (uuid: string) => string;
  readonly nodes: number;
  readonly budget: Budget | null;
}[] = [
  { name: "list", path: () => "/v1/nodes?limit=1000", nodes: 1_000, budget: budgets.ironicListMs },
  {
    name: "list, detailed",
    path: () => "/v1/nodes/detail?limit=1000",
    nodes: 1_000,
    budget: budgets.ironicDetailMs,
  },
  {
    name: "list by state",
    path: () => "/v1/nodes?limit=1000&provision_state=available",
    nodes: 1_000,
    budget: null,
  },
  { name: "one node", path: (uuid) => `/v1/nodes/${uuid}`, nodes: 1, budget: budgets.ironicNodeMs },
];
const readsEach = 30;
const nodesOf = z.union([
  z.object({ nodes: z.array(z.object({ uuid: z.string() })) }).transform(({ nodes }) => nodes),
  z.object({ uuid: z.string() }).transform((node) => [node]),
]);

/** Reads a thousand of the ten thousand hosts as an Ironic client does, in one request after another, to the last byte. */
export async function measureNodes(url: string, token: string, when: string): Promise<readonly Figure[]> {
  const read = async (path: string) => {
    const began = performance.now();
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${token}`, "x-openstack-ironic-api-version": "1.78" },
    });
    const text = await response.text();
    const ms = performance.now() - began;
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${text.slice(0, 300)}`);
    return { ms, nodes: nodesOf.parse(JSON.parse(text)) };
  };
  const uuid = (await read("/v1/nodes?limit=1")).nodes[0]?.uuid ?? "";
  const figures: Figure[] = [];
  for (const { name, path, nodes, budget } of nodeReads) {
    const times: number[] = [];
    for (let round = 0; round < readsEach; round += 1) {
      const answer = await read(path(uuid));
      if (answer.nodes.length !== nodes) throw new Error(`${path(uuid)} gave ${answer.nodes.length} nodes`);
      times.push(answer.ms);
    }
    const sorted = times.sort((a, b) => a - b);
    figures.push({
      name: `${name}, p50, ${when}`,
      value: quantile(sorted, 0.5),
      unit: "ms",
      budget,
      note: `${nodes} of ${fleetSize} nodes; slowest of ${readsEach}: ${(sorted.at(-1) ?? 0).toFixed(1)} ms`,
    });
  }
  return figures;
}
