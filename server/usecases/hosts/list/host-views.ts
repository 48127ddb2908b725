// The fixed views above the hosts list, each with its number of hosts.
import { hostSets } from "@/server/domain/hosts/host-groups";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { groupCounts, overdueFilter, readHostCounts } from "@/server/usecases/fleet/host-counts";
import { hostViewNames } from "@/server/contract/hosts/host-views";
import type { HostView } from "@/server/contract/hosts/host-views";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

export async function hostViews({ database }: Backend, actor: Actor): Promise<Outcome<readonly HostView[]>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const { states, overdue } = await readHostCounts(database);
  const groups = groupCounts(states);
  return done(
    hostViewNames.map((name): HostView => {
      if (name === "all")
        return {
          name,
          words: "All",
          filter: "",
          count: Object.values(groups).reduce((sum, count) => sum + count, 0),
        };
      if (name === "overdue") return { name, words: "Overdue", filter: overdueFilter, count: overdue };
      return {
        name,
        words: hostSets[name].words,
        filter: `is:${name}`,
        count: hostSets[name].groups.reduce((sum, group) => sum + groups[group], 0),
      };
    }),
  );
}
