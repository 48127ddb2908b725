"use client";
// A site's settings history: who changed what, when and why; comparing two versions; and restoring one.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { usePagedList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
import { formatCounted } from "@/server/domain/numbers";
import { routes } from "@/server/domain/console/routes";
import { formatSetting } from "@/server/domain/sites/setting-fields";
import type { SiteVersionLine } from "@/server/surfaces/trpc/types";
import { ChangeList } from "@/components/sites/change-list";
import { SitePageFrame } from "@/components/sites/settings-head";
import { useWhyNoSettings } from "@/components/sites/use-settings";
import { Dialog } from "@/components/ui/dialogs/dialog";
import { Check, Field, Select } from "@/components/ui/form/controls";
import { ApplyDialog } from "@/components/sites/apply-dialog";

const now = "now";

interface CompareProps {
  readonly site: string;
  /** Versions are numbered from 1 without gaps. */
  readonly newest: number;
}

/** The difference between two versions of a site, or between a version and the site as it is now. */
function CompareVersions({ site, newest }: CompareProps) {
  const [from, setFrom] = useState("");
  const [to, setTo] = useState(now);
  const versions = Array.from({ length: newest }, (_, index) => String(newest - index)).map((value) => ({
    value,
    label: `version ${value}`,
  }));
  const choice = (
    label: string,
    value: string,
    first: { value: string; label: string },
    onChange: (value: string) => void,
  ) => (
    <Field label={label}>
      {(aria) => <Select aria={aria} value={value} options={[first, ...versions]} onChange={onChange} />}
    </Field>
  );
  return (
    <section aria-label="Compare versions">
      <div className="sec">
        <h2>Compare versions</h2>
      </div>
      <div className="compare-versions">
        {choice("From", from, { value: "", label: "choose a version" }, setFrom)}
        {choice("To", to, { value: now, label: "the site as it is now" }, setTo)}
      </div>
      {from === "" ? null : (
        <Difference site={site} from={Number(from)} to={to === now ? null : Number(to)} />
      )}
    </section>
  );
}

interface DifferenceProps {
  readonly site: string;
  readonly from: number;
  /** Null: the site as it is now. */
  readonly to: number | null;
}

function Difference({ site, from, to }: DifferenceProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery({
    ...trpc.site.difference.queryOptions({ site, from, to }),
    retry: false,
  });
  if (error !== null)
    return (
      <ProblemNotice
        error={error}
        before="The versions could not be compared."
        onRetry={() => void refetch()}
      />
    );
  return data === undefined ? (
    <p role="status">Comparing…</p>
  ) : (
    <ChangeList
      caption={`From version ${from} to ${to === null ? "now" : `version ${to}`}`}
      changes={data.changes}
      none="The versions are the same."
    />
  );
}

interface RestoreProps {
  readonly site: string;
  readonly siteId: string;
  readonly version: number;
  readonly onClose: () => void;
}

/** Restores an earlier version of a site: shows what would change and what cannot be restored, then saves like any other change. */
function RestoreDialog({ site, siteId, version, onClose }: RestoreProps) {
  const trpc = useTRPC();
  const [shared, setShared] = useState(false);
  const { data, error, refetch } = useQuery({
    ...trpc.site.previewRestore.queryOptions({ site, version, shared }),
    staleTime: 0,
    retry: false,
  });
  if (data === undefined)
    return (
      <Dialog open onClose={onClose} title={`Restore version ${version}`}>
        {error === null ? (
          <p role="status">Calculating the changes…</p>
        ) : (
          <ProblemNotice
            error={error}
            before="The version cannot be restored."
            onRetry={() => void refetch()}
          />
        )}
      </Dialog>
    );
  return (
    <ApplyDialog
      key={`${data.revision} ${String(shared)}`}
      draft={{
        site,
        siteId,
        document: JSON.stringify(data.document),
        revision: data.revision,
        reason: `Restore version ${version}`,
      }}
      onApplied={() => undefined}
      onClose={onClose}
    >
      <p>Restoring makes a new version. Nothing is deleted from the history.</p>
      {data.kept.length === 0 ? null : (
        <ul aria-label="What is not restored">
          {data.kept.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      <Check checked={shared} onChange={setShared}>
        Also restore SKUs and tenants
      </Check>
    </ApplyDialog>
  );
}

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

const pageOf = {
  rowsOf: (page: readonly SiteVersionLine[]) => page,
  rowId: ({ version }: SiteVersionLine) => String(version),
};

function Versions({ site, siteId }: { readonly site: string; readonly siteId: string }) {
  const whyNot = useWhyNoSettings();
  const [open, setOpen] = useState(useSearchParams().get("version"));
  const [restoring, setRestoring] = useState<number>();
  const list = usePagedList(useVersions(site), pageOf);
  return (
    <>
      {list.rows.length === 0 ? null : <CompareVersions site={site} newest={list.rows[0]?.version ?? 1} />}
      <ResourceTable
        name="site-versions"
        noun="version"
        caption={`Versions of site ${site}`}
        list={list}
        columns={columns}
        rowId={pageOf.rowId}
        open={open}
        onToggle={(id) => setOpen(id === open ? null : id)}
        empty={
          <Empty title="No version yet">
            The first change of a setting stores the site as it was, and the change as the next version.
          </Empty>
        }
        detail={(line) => (
          <VersionDetail line={line} whyNot={whyNot} onRestore={() => setRestoring(line.version)} />
        )}
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

const columns = [
  column.opener(
    "version",
    "Version",
    ({ version }) => ({ id: String(version), words: `Version ${version}` }),
    { width: 112, openerClass: "" },
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
    firstOrder: "descending",
    sort: ({ changes }) => changes.length,
    text: ({ changes }) => changes.map(({ path }) => formatSetting(path)).join(" "),
  }),
  column.text("reason", "Reason", ({ reason }) => reason, { narrow: "line" }),
];
