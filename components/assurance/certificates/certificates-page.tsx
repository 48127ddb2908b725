"use client";
// Certificates and records of non-conformance of reclamations; for a tenant, its receipts. One of them opens in a side panel.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { useMe } from "@/components/frame/me";
import { certificateColumns } from "@/components/assurance/certificates/certificate-columns";
import { typeLabel } from "@/components/assurance/certificates/certificate-labels";
import { CertificatePanel } from "@/components/assurance/certificates/certificate-panel";
import { CertificatesFilterForm } from "@/components/assurance/certificates/certificates-filter";
import {
  certificatesQuery,
  csvSearch,
  isFiltered,
  parseFilter,
  type CertificatesFilter,
} from "@/components/assurance/certificates/certificates-query";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { pagedTable } from "@/components/trpc/paged-table";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/components/ui/format/numbers";
import { ListWithPanel } from "@/components/ui/side/side-panel";
import { DataTable } from "@/components/ui/table/data-table";
import type { TableSelection } from "@/components/ui/table/table-head";
import { maxSelected } from "@/server/contract/assurance/certificates";
import { routes } from "@/server/domain/console/routes";
import type { CertificateLine } from "@/server/surfaces/trpc/types";

const refreshMs = 5_000;

/** The selected rows among those loaded. */
function useSelectedRows(rows: readonly CertificateLine[]): TableSelection<CertificateLine> {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = useMemo(() => new Set(rows.flatMap(({ id }) => (chosen.has(id) ? [id] : []))), [rows, chosen]);
  return {
    ids,
    toggle: (id) => {
      const after = new Set(ids);
      if (!after.delete(id)) after.add(id);
      setChosen(after);
    },
    toggleAll: () => setChosen(ids.size === rows.length ? new Set() : new Set(rows.map(({ id }) => id))),
    label: ({ type, kind, host, hostId }) => `Select ${typeLabel(type, kind).words} of ${host ?? hostId}`,
    allLabel: "Select all certificates",
  };
}

/** The filter and the certificate id in the URL, and their setters. */
function useView() {
  const router = useRouter();
  const params = useSearchParams();
  const open = params.get("open");
  const filter = useMemo(() => parseFilter(params), [params]);
  const setFilter = useCallback(
    (next: CertificatesFilter, id: string | null = null) =>
      router.replace(
        routes.reclamations({ ...next, standing: next.standing ?? undefined, open: id ?? undefined }),
        { scroll: false },
      ),
    [router],
  );
  const setOpen = useCallback((id: string | null) => setFilter(filter, id), [filter, setFilter]);
  return { open, filter, setFilter, setOpen };
}

export function CertificatesPage() {
  const trpc = useTRPC();
  const { open, filter, setFilter, setOpen } = useView();
  const list = useInfiniteQuery(certificatesQuery(trpc, filter));
  useLiveRefresh(() => list.refetch(), { everyMs: refreshMs });
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows) ?? [], [list.data]);
  const selection = useSelectedRows(rows);
  const ofTenant = useMe().tenant !== null;
  const columns = useMemo(() => certificateColumns(setOpen, ofTenant), [setOpen, ofTenant]);
  return (
    <>
      <Head selected={[...selection.ids]} filter={filter} />
      <ListWithPanel
        label="Certificates"
        panel={open === null ? null : <CertificatePanel key={open} id={open} onClose={() => setOpen(null)} />}
      >
        <CertificatesFilterForm
          key={JSON.stringify(filter)}
          filter={filter}
          onSearch={(next) => setFilter(next)}
        />
        <DataTable
          caption="Certificates"
          fullWidth
          columns={columns}
          rows={rows}
          rowId={({ id }) => id}
          selection={selection}
          {...pagedTable(list, {
            before: "The certificates could not be read.",
            more: "Show more certificates",
          })}
          empty={<Empty title="No certificates">A certificate appears here when a reclamation ends.</Empty>}
        />
      </ListWithPanel>
    </>
  );
}

interface HeadProps {
  readonly selected: readonly string[];
  readonly filter: CertificatesFilter;
}

function Head({ selected, filter }: HeadProps) {
  const file = selected.length > 0 ? { ids: selected } : csvSearch(filter);
  return (
    <div className="head">
      <h1>Reclamations</h1>
      <span className="what" role="status">
        {selected.length === 0 ? "" : `${formatCounted(selected.length, "certificate")} selected`}
      </span>
      <div className="acts">
        {selected.length > maxSelected ? (
          <Button kind="plain" disabledReason={`Select at most ${maxSelected} certificates.`}>
            Selected as CSV
          </Button>
        ) : (
          <a className="btn plain" href={routes.files.certificatesCsv(file)} download="certificates.csv">
            {selected.length > 0 ? "Selected as CSV" : isFiltered(filter) ? "Filtered as CSV" : "All as CSV"}
          </a>
        )}
      </div>
    </div>
  );
}
