"use client";
// Certificates and records of non-conformance of reclamations; for a tenant, its receipts. One of them opens in a side panel.
import { useAddressView } from "@/components/ui/resource-table/address-view";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo, useState } from "react";
import { useMe } from "@/components/frame/me";
import { StandingLabel } from "@/components/assurance/standing";
import { standings, standingText } from "@/server/domain/assurance/standing";
import {
  type CertificatesFilter,
  certificatesQuery,
  csvSearch,
  isFiltered,
  parseFilter,
  type SearchField,
  searchFields,
} from "@/components/assurance/certificates/certificates-query";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/server/domain/numbers";
import { IdText } from "@/components/ui/id-text";
import { Mark } from "@/components/ui/mark";
import { useRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
import { ListWithPanel, SidePanel } from "@/components/ui/side/side-panel";
import { maxSelected } from "@/server/contract/assurance/certificates";
import { routes } from "@/server/domain/console/routes";
import type { CertificateLine } from "@/server/surfaces/trpc/types";
import { Field, Select, TextInput } from "@/components/ui/form/controls";
import { VerifyCertificate } from "@/components/assurance/certificates/verify-certificate";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { Facts } from "@/components/ui/head/facts";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { ProofTime } from "@/components/ui/time/time";
import {
  type AnyStatement,
  isWhole,
  type StatedType,
} from "@/server/domain/assurance/certificates/statement";
import { readAs } from "@/server/domain/assurance/certificates/supported";
import { openBundle } from "@/server/domain/assurance/certificates/verify";
import type { Tone } from "@/components/ui/tone";

const labels: Readonly<Record<StatedType, { readonly words: string; readonly tone: Tone }>> = {
  certificate: { words: "Certificate", tone: "good" },
  withExceptions: { words: "With exceptions", tone: "attention" },
  notSanitized: { words: "Not sanitized", tone: "failed" },
  nonConformance: { words: "Non-conformance", tone: "failed" },
  demo: { words: "Demo, certifies nothing", tone: "neutral" },
  receipt: { words: "Receipt", tone: "good" },
  receiptWithExceptions: { words: "Receipt, with exceptions", tone: "attention" },
  receiptNotSanitized: { words: "Receipt, not sanitized", tone: "failed" },
};

const demoReceipt = { words: "Demo receipt, certifies nothing", tone: "neutral" } as const;

const isNamed = (type: string): type is StatedType => Object.hasOwn(labels, type);

/** Unknown types may come from another release. A demo receipt has the same type as its certificate, so its kind distinguishes it. */
const typeLabel = (type: string, kind = "certificate"): { readonly words: string; readonly tone: Tone } =>
  isNamed(type)
    ? kind === "receipt" && type === "demo"
      ? demoReceipt
      : labels[type]
    : { words: type, tone: "neutral" };

interface PanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** One certificate in the side panel: its content, its files, and its verification. */
function CertificatePanel({ id, onClose }: PanelProps) {
  const trpc = useTRPC();
  const read = useQuery(trpc.certificates.get.queryOptions({ id }));
  const opened = read.data === undefined ? null : openBundle(read.data.bundle);
  const said = opened === null || "what" in opened ? null : opened.statement;
  return (
    <SidePanel
      className="certificate-panel"
      label="Certificate"
      title={said === null ? "Certificate" : labelOf(said)}
      what={<IdText id={id} copy="the id" />}
      onClose={onClose}
    >
      {read.isPending ? <Skeleton rows={8} /> : null}
      {read.isError ? (
        <ProblemNotice
          error={read.error}
          before="The certificate could not be read."
          onRetry={() => void read.refetch()}
        />
      ) : null}
      {opened !== null && "what" in opened ? <Notice tone="failed">{opened.why}</Notice> : null}
      {read.data === undefined ? null : (
        <>
          <div className="certificate-acts">
            <a
              className="btn small"
              href={routes.files.certificatePdf(id)}
              download={`certificate-${id}.pdf`}
            >
              Download PDF
            </a>
            <a className="btn small" href={routes.files.certificate(id)} download={`certificate-${id}.json`}>
              Download JSON
            </a>
          </div>
          {said === null ? null : <StatementFacts said={said} />}
          <VerifyCertificate key={id} bundle={read.data.bundle} />
        </>
      )}
    </SidePanel>
  );
}

const labelOf = (said: AnyStatement): string =>
  typeLabel(readAs(said).type, isWhole(said) ? "certificate" : "receipt").words;

function StatementFacts({ said: { predicate } }: { readonly said: AnyStatement }) {
  const serial = "host" in predicate ? predicate.host.serial : predicate.machine.serial;
  const ended = "host" in predicate ? predicate.reclamation.endedAt : predicate.endedAt;
  const outcome = "host" in predicate ? predicate.reclamation.outcome : null;
  const of = "machine" in predicate ? typeLabel(predicate.certificate.type).words : null;
  const exceptions = "exceptions" in predicate ? predicate.exceptions : [];
  return (
    <>
      {exceptions.length === 0 ? null : (
        <>
          <h3>Exceptions</h3>
          <ul>
            {exceptions.map(({ gate, serial: drive, reason }, index) => (
              <li key={index}>
                {[gate, drive].filter((part) => part !== null).join(", ")}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
      <Facts
        facts={[
          [
            "Serial number",
            <span key="serial" className="mono">
              {serial}
            </span>,
          ],
          ["Ended", ended === null ? "not recorded" : <ProofTime key="ended" at={ended} />],
          ...(of === null ? [] : [["Receipt of", of] as const]),
          ...(outcome === null ? [] : [["Outcome", outcome] as const]),
        ]}
      />
      <h3>Drives</h3>
      {predicate.devices.length === 0 ? <p className="text-quiet">No drive was expected.</p> : null}
      <ul>
        {predicate.devices.map(({ serial: drive, model, result, method, technique }) => (
          <li key={`${model} ${drive}`}>
            <span className="mono">{drive}</span> ({model}): {result}
            {technique === null ? null : `, ${method ?? "no method"}, ${technique}`}
          </li>
        ))}
      </ul>
      <h3>What this does not say</h3>
      <ul>
        {predicate.limits.map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
    </>
  );
}

const fields = {
  host: ["Host", "Name, id or serial number"],
  tenant: ["Tenant", "Name or organisation"],
  site: ["Site", "Name"],
  sku: ["SKU", "Name"],
  instance: ["Instance", "Name or id"],
} as const satisfies Record<SearchField, readonly [string, string]>;

const options = [
  { value: "", label: "any" },
  ...standings.map((value) => ({ value, label: standingText[value] })),
];

interface FilterProps {
  readonly filter: CertificatesFilter;
  readonly onSearch: (filter: CertificatesFilter) => void;
}

/** Keyed by the filter, so that one from the URL resets the form. A tenant searches its instances only. */
function CertificatesFilterForm({ filter, onSearch }: FilterProps) {
  const { tenant } = useMe();
  const [typed, setTyped] = useState(filter);
  const set = (name: SearchField | "since" | "until") => (value: string) =>
    setTyped((all) => ({ ...all, [name]: value }));
  return (
    <search>
      <form
        className="audit-filter open"
        aria-label="Filter certificates"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(typed);
        }}
      >
        {searchFields
          .filter((name) => tenant === null || name === "instance")
          .map((name) => (
            <Field key={name} label={fields[name][0]}>
              {(aria) => (
                <TextInput
                  aria={aria}
                  value={typed[name]}
                  onChange={set(name)}
                  placeholder={fields[name][1]}
                  {...(name === "instance" ? { "data-filter": "" as const } : {})}
                />
              )}
            </Field>
          ))}
        <Field label="Standing">
          {(aria) => (
            <Select
              aria={aria}
              value={typed.standing ?? ""}
              options={options}
              onChange={(value) =>
                setTyped((all) => ({ ...all, standing: standings.find((known) => known === value) ?? null }))
              }
            />
          )}
        </Field>
        <Field label="From day, UTC">
          {(aria) => <TextInput aria={aria} type="date" value={typed.since} onChange={set("since")} />}
        </Field>
        <Field label="To day, UTC">
          {(aria) => <TextInput aria={aria} type="date" value={typed.until} onChange={set("until")} />}
        </Field>
        <Button type="submit">Filter</Button>
      </form>
    </search>
  );
}

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
  { width: "20%", className: "certificate-type" },
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

interface CertificatesView {
  readonly filter: CertificatesFilter;
  readonly open: string | null;
}

const parseView = (search: { readonly get: (name: string) => string | null }): CertificatesView => ({
  filter: parseFilter(search),
  open: search.get("open"),
});

const certificatesHref = ({ filter, open }: CertificatesView): string =>
  routes.reclamations({ ...filter, standing: filter.standing ?? undefined, open: open ?? undefined });

export function CertificatesPage() {
  const trpc = useTRPC();
  const [{ filter, open }, change] = useAddressView(parseView, certificatesHref);
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
        panel={
          open === null ? null : (
            <CertificatePanel key={open} id={open} onClose={() => change({ open: null })} />
          )
        }
      >
        <CertificatesFilterForm
          key={JSON.stringify(filter)}
          filter={filter}
          onSearch={(next) => change({ filter: next, open: null })}
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
          onToggle={(id) => change({ open: id === open ? null : id })}
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
