// PostgreSQL's own commit rate, measured in the same run: the upper bound of this machine and its disk.
import { join } from "node:path";
import { z } from "zod";
import { pinnedNode, root } from "@/scripts/folders.mjs";
import { run } from "@/scripts/setup/command.mjs";
import type { BenchDatabase } from "@/bench/scale/database";
import type { Plan } from "@/bench/release/plan";

const answer = z.object({ connections: z.number(), commits: z.number(), perSecond: z.number() });
export type CommitRate = z.infer<typeof answer>;

/** Single-row commits per second, for each number of connections in the plan. */
export async function commitRates(
  { url, client }: BenchDatabase,
  plan: Plan["commitRate"],
): Promise<readonly CommitRate[]> {
  await client.query("CREATE TABLE bench_commit (worker int NOT NULL, n int NOT NULL)");
  const rates: CommitRate[] = [];
  for (const connections of plan.connections) {
    const output = await run(
      pinnedNode,
      [
        "--import",
        "tsx",
        join(root, "bench", "release", "commit-loop.ts"),
        url,
        String(plan.seconds),
        String(connections),
      ],
      { name: "the commit loop" },
    );
    rates.push(answer.parse(JSON.parse(output)));
  }
  await client.query("DROP TABLE bench_commit");
  return rates;
}
