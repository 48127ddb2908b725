"use client";
// Security events of one host: a notice on its page while some are open, and all of them in its history.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { columnsOfHost } from "@/components/access/security-events/security-columns";
import { pagedTable } from "@/components/trpc/paged-table";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/server/domain/numbers";
import { Notice } from "@/components/ui/notice";
import { DataTable } from "@/components/ui/table/data-table";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import type { HostDetail } from "@/server/surfaces/trpc/types";

const refreshMs = 5_000;
const shown = 20;

type Of = Pick<HostDetail, "id" | "name">;

/** Nothing for those who may not read them, and while there is none. */
export function HostSecurityNotice({ host }: { readonly host: Of }) {
  const trpc = useTRPC();
  const may = reachOf(useMe().role, "security.read") !== "none";
  const list = useQuery({
    ...trpc.security.list.queryOptions({ host: host.id, open: true, limit: shown }),
    enabled: may,
  });
  useLiveRefresh(() => list.refetch(), { hostId: host.id, everyMs: refreshMs, enabled: may });
  const rows = list.data?.rows ?? [];
  if (rows.length === 0) return null;
  const more = list.data?.nextCursor === null ? "" : "More than ";
  return (
    <Notice tone={rows.some(({ severity }) => severity === "high") ? "failed" : "attention"}>
      {`${more}${formatCounted(rows.length, "security event")} of this host that nobody has acknowledged: ${[...new Set(rows.map(({ title }) => title))].join(", ")}. `}
      <Link className="link" href={routes.security({ host: host.name })}>
        See what was tried, and what to do
      </Link>
    </Notice>
  );
}

/** In the *History* tab. */
export function HostSecurityEvents({ host }: { readonly host: Of }) {
  const trpc = useTRPC();
  const router = useRouter();
  const may = reachOf(useMe().role, "security.read") !== "none";
  const [at, setAt] = useState<string | null>(null);
  const list = useInfiniteQuery({
    ...trpc.security.list.infiniteQueryOptions(
      { host: host.id, limit: shown },
      { getNextPageParam: ({ nextCursor }) => nextCursor, initialCursor: null },
    ),
    enabled: may,
  });
  if (!may) return null;
  const open = (id: string) => router.push(routes.security({ host: host.name, show: "all", open: id }));
  return (
    <>
      <div className="sec">
        <h2>Security events</h2>
        <span className="sum cut">what was tried against this host, newest first</span>
        <span className="end">
          <Link href={routes.security({ host: host.name, show: "all" })}>Show all</Link>
        </span>
      </div>
      <DataTable
        caption="Security events"
        columns={columnsOfHost}
        rows={list.data?.pages.flatMap((page) => page.rows) ?? []}
        rowId={({ id }) => id}
        cursor={{ id: at, onMove: setAt, onOpen: open, opensOnClick: true }}
        {...pagedTable(list, {
          before: "The security events could not be read.",
          more: "Show more events",
        })}
        empty={<Empty title="No security events">Nothing was tried against this host.</Empty>}
      />
    </>
  );
}
