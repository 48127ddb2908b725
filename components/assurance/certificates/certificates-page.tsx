"use client";
// Certificates and records of non-conformance of reclamations; for a tenant, its receipts. One of them opens in a side panel.
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { useMe } from "@/components/frame/me";
import { StandingLabel } from "@/components/assurance/standing";
import { standingText } from "@/server/domain/assurance/standing";
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
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/components/ui/format/numbers";
import { IdText } from "@/components/ui/id-text";
import { Mark } from "@/components/ui/mark";
import { keepView } from "@/components/ui/resource-table/list-view";
import { useRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
import { ListWithPanel } from "@/components/ui/side/side-panel";
import { maxSelected } from "@/server/contract/assurance/certificates";
import { routes } from "@/server/domain/console/routes";
import type { CertificateLine } from "@/server/surfaces/trpc/types";

const refreshMs = 5_000;
/** The parameters of the page's own filter in its address. */
const filterParameters = ["host", "tenant", "site", "sku", "instance", "standing", "since", "until"];

const column = columnsOf<CertificateLine>();

const typeColumn = column.opener(
  "type",
  "Type",
  ({ id, type, kind }) => {
    const { words, tone } = typeLabel(type, kind);
    return { id, words, mark: <Mark tone={tone} label="" /> };
  },
  { width: "20%" },
);

const standingColumn = column.cell(
  "standing",
  "Standing",
  ({ standing }) => <StandingLabel standing={standing} />,
  { width: 176, narrow: "line", sort: ({ standing }) => standing && standingText[standing] },
);

const hostColumn = column.cell(
  "host",
  "Host",
  ({ host, hostId }) =>
    host === null ? <IdText id={hostId} /> : <Link href={routes.host(host, { tab: "history" })}>{host}</Link>,
  { narrow: "bottom-start", sort: ({ host, hostId }) => host ?? hostId },
);

/** A tenant knows its machines by its instances. */
const instanceColumn = (ofTenant: boolean) =>
  column.cell(
    "instance",
    "Instance",
    ({ instanceId, instance, tenant }) =>
      instanceId === null ? (
        "none"
      ) : (
        <span title={instanceId}>
          <Link href={routes.receipt(instanceId)} prefetch={false}>
            {instance ?? <IdText id={instanceId} />}
          </Link>
          {tenant === null ? null : ` of ${tenant}`}
        </span>
      ),
    {
      width: 176,
      ...(ofTenant ? { narrow: "bottom-start" } : { from: "medium" }),
      sort: ({ instanceId, instance }) => instance ?? instanceId,
      text: ({ instanceId, instance, tenant }) => [instance, instanceId, tenant].filter(Boolean).join(" "),
    },
  );

const timeColumns = [
  column.proofTime("made", "Made", ({ madeAt }) => madeAt, {
    narrow: "top-end",
  }),
  column.proofTime("signed", "Signed", ({ signedAt }) => signedAt, {
    narrow: "bottom-end",
    className: "text-quiet",
    none: "pending",
  }),
];

const columnsFor = (ofTenant: boolean) => [
  typeColumn,
  standingColumn,
  ...(ofTenant ? [] : [hostColumn]),
  instanceColumn(ofTenant),
  ...timeColumns,
];

/** The filter and the certificate id in the URL, and their setters. */
function useView() {
  const router = useRouter();
  const params = useSearchParams();
  const open = params.get("open");
  const filter = useMemo(() => parseFilter(params), [params]);
  const setFilter = useCallback(
    (next: CertificatesFilter, id: string | null = null) =>
      router.replace(
        keepView(
          routes.reclamations({ ...next, standing: next.standing ?? undefined, open: id ?? undefined }),
        ),
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
  const read = useInfiniteQuery(certificatesQuery(trpc, filter));
  useLiveRefresh(() => read.refetch(), { everyMs: refreshMs });
  const list = useRows(read);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = list.rows.flatMap(({ id }) => (chosen.has(id) ? [id] : []));
  const ofTenant = useMe().tenant !== null;
  const columns = useMemo(() => columnsFor(ofTenant), [ofTenant]);
  return (
    <>
      <Head selected={selected} filter={filter} />
      <ListWithPanel
        label="Certificates"
        panel={open === null ? null : <CertificatePanel key={open} id={open} onClose={() => setOpen(null)} />}
      >
        <CertificatesFilterForm
          key={JSON.stringify(filter)}
          filter={filter}
          onSearch={(next) => setFilter(next)}
        />
        <ResourceTable
          name="certificates"
          noun="certificate"
          caption="Certificates"
          list={list}
          columns={columns}
          rowId={({ id }) => id}
          namesOf={({ host, hostId, instance, instanceId, number }) => [
            host,
            hostId,
            instance,
            instanceId,
            number,
          ]}
          parameters={filterParameters}
          open={open}
          onToggle={(id) => setOpen(id === open ? null : id)}
          selection={{
            ids: new Set(selected),
            onChange: setChosen,
            label: ({ type, kind, host, hostId }) => `${typeLabel(type, kind).words} of ${host ?? hostId}`,
          }}
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
