"use client";
// A site's settings history: who changed what, when and why; comparing two versions; and restoring one.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { formatCounted } from "@/components/ui/format/numbers";
import { routes } from "@/server/domain/console/routes";
import type { SiteVersionLine } from "@/server/surfaces/trpc/types";
import { ChangeList } from "@/components/sites/change-list";
import { CompareVersions } from "@/components/sites/history/compare-versions";
import { RestoreDialog } from "@/components/sites/history/restore-dialog";
import { SitePageFrame } from "@/components/sites/settings-head";
import { useWhyNoSettings } from "@/components/sites/use-settings";

const pageSize = 50;

export function HistoryPage() {
  return (
    <SitePageFrame what="versions of site" hrefOf={routes.settings.history}>
      {({ name, id }) => <Versions site={name} siteId={id} />}
    </SitePageFrame>
  );
}

/** Newest first, page by page. */
function useVersions(site: string) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  return useInfiniteQuery({
    queryKey: [...trpc.site.versions.pathKey(), "pages", site],
    queryFn: ({ pageParam }) =>
      client.site.versions.query({
        site,
        limit: pageSize,
        ...(pageParam === null ? {} : { before: pageParam }),
      }),
    initialPageParam: null,
    getNextPageParam: (page: readonly SiteVersionLine[]): number | null =>
      page.length < pageSize ? null : (page.at(-1)?.version ?? null),
  });
}

function Versions({ site, siteId }: { readonly site: string; readonly siteId: string }) {
  const asked = Number(useSearchParams().get("version"));
  const whyNot = useWhyNoSettings();
  const [open, setOpen] = useState(asked);
  const [restoring, setRestoring] = useState<number>();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage, isPending } =
    useVersions(site);
  const rows = data?.pages.flat() ?? [];
  return (
    <>
      {rows.length === 0 ? null : <CompareVersions site={site} newest={rows[0]?.version ?? 1} />}
      <DataTable
        caption={`Versions of site ${site}`}
        columns={columnsFor(open, setOpen)}
        rows={rows}
        rowId={({ version }) => String(version)}
        loading={isPending}
        problem={
          error === null ? undefined : (
            <ProblemNotice
              error={error}
              before="The versions could not be read."
              onRetry={() => void refetch()}
            />
          )
        }
        empty={
          <Empty title="No version yet">
            The first change of a setting stores the site as it was, and the change as the next version.
          </Empty>
        }
        detail={(line) =>
          line.version === open ? (
            <VersionDetail line={line} whyNot={whyNot} onRestore={() => setRestoring(line.version)} />
          ) : null
        }
        paging={{
          label: "Show older versions",
          hasMore: hasNextPage,
          busy: isFetchingNextPage,
          onMore: () => void fetchNextPage(),
        }}
      />
      {restoring === undefined ? null : (
        <RestoreDialog
          site={site}
          siteId={siteId}
          version={restoring}
          onClose={() => setRestoring(undefined)}
        />
      )}
    </>
  );
}

interface VersionDetailProps {
  readonly line: SiteVersionLine;
  /** Why this user may not restore a version. */
  readonly whyNot: string | undefined;
  readonly onRestore: () => void;
}

function VersionDetail({ line: { version, reason, changes }, whyNot, onRestore }: VersionDetailProps) {
  return (
    <div className="step-detail">
      <p>{reason}</p>
      <ChangeList
        caption={`Changes of version ${version}`}
        changes={changes}
        none="Nothing changed in this version."
      />
      <p className="after">
        <Button small disabledReason={whyNot} onClick={onRestore}>
          Restore version {version}…
        </Button>
      </p>
    </div>
  );
}

/** Who requested the change and who approved it; null if another act made the version. */
const bothNames = ({ byName, approvedByName }: SiteVersionLine): string | null =>
  byName === null || approvedByName === null ? byName : `${byName}, approved by ${approvedByName}`;

const column = columnsOf<SiteVersionLine>();

const columnsFor = (
  open: number,
  onOpen: (version: number) => void,
): readonly TableColumn<SiteVersionLine>[] => [
  column.cell(
    "version",
    "Version",
    ({ version }) => (
      <button
        type="button"
        className="opener"
        aria-expanded={version === open}
        onClick={() => onOpen(version === open ? 0 : version)}
      >
        Version {version}
      </button>
    ),
    { width: 112, narrow: "top-start", rowHeader: true },
  ),
  column.time("at", "When", ({ at }) => at, { width: 128, narrow: "top-end", className: "text-quiet" }),
  column.text("by", "By", bothNames, {
    width: 176,
    narrow: "bottom-end",
    none: <span className="text-quiet">other changes</span>,
  }),
  column.cell("changes", "Changes", ({ changes }) => formatCounted(changes.length, "change"), {
    width: 112,
    narrow: "bottom-start",
  }),
  column.text("reason", "Reason", ({ reason }) => reason, { narrow: "line" }),
];
