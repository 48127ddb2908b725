"use client";
// Hosts grouped by cause: every group of the filter with its count, and the group headers between rows.
import Link from "next/link";
import { useMemo } from "react";
import { hostsViewHref, type HostsView } from "@/components/hosts/list/hosts-view";
import type { Hosts } from "@/components/hosts/list/use-hosts";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";
import { causeGroupOf } from "@/server/domain/hosts/cause-groups";
import type { HostList, HostRow } from "@/server/surfaces/trpc/types";

/** A group's header: how many hosts match in it and, if not all are loaded, how many are. */
export function useCauseGroup({ rows, groups }: Hosts): (host: HostRow) => string {
  const heads = useMemo(() => {
    const loaded = new Map<string, number>();
    for (const host of rows) loaded.set(causeGroupOf(host), (loaded.get(causeGroupOf(host)) ?? 0) + 1);
    const counted = new Map(groups?.map(({ words, count }) => [words, count]));
    return new Map(
      [...loaded].map(([words, here]) => {
        const count = Math.max(here, counted.get(words) ?? 0);
        return [words, `${words}: ${formatCounted(count, "host")}${here < count ? `, ${here} loaded` : ""}`];
      }),
    );
  }, [rows, groups]);
  return (host) => heads.get(causeGroupOf(host)) ?? causeGroupOf(host);
}

/** Every group of the filter with its count, including groups without a loaded host; each links to its hosts. */
export function CauseGroups({ view, groups }: { view: HostsView; groups: NonNullable<HostList["groups"]> }) {
  return (
    <ul className="cause-groups" aria-label="Causes">
      {groups.map(({ words, count, filter }) => (
        <li key={words}>
          <b className="text-medium">{formatCount(count)}</b>{" "}
          {filter === null ? (
            words
          ) : (
            <Link
              className="link"
              href={hostsViewHref({ ...view, filter: `${view.filter} ${filter}`.trim() })}
              prefetch={false}
            >
              {words}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
