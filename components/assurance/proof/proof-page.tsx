"use client";
// The proof desk: was it erased, when, how, and who approved what was not. A tenant sees its own returns.
import { useAddressView } from "@/components/ui/resource-table/address-view";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useMe } from "@/components/frame/me";
import { idOf } from "@/components/assurance/assurance-view";
import { CheckDrawer } from "@/components/assurance/proof/check-drawer";
import { PackDrawer } from "@/components/assurance/proof/pack-drawer";
import { returnsQuery } from "@/components/assurance/proof/proof-query";
import {
  type ProofSelection,
  readSelection,
  recentMonths,
} from "@/components/assurance/proof/proof-selection";
import { ReturnPanel } from "@/components/assurance/proof/return-panel";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { SearchField } from "@/components/ui/search-field";
import { ListWithPanel } from "@/components/ui/side/side-panel";
import { usePagedList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { standings, standingText, standingTone } from "@/server/domain/assurance/standing";
import { routes } from "@/server/domain/console/routes";
import type { ReturnLine, Tally } from "@/server/surfaces/trpc/types";
import Link from "next/link";
import { StandingLabel } from "@/components/assurance/standing";
import { FileLinks, FullTime, isInProgress } from "@/components/assurance/proof/return-cells";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { drivesOf } from "@/server/domain/assurance/proof/basis-text";
import { Menu, MenuChoice } from "@/components/ui/menu";
import { useNow } from "@/components/ui/time/clock";
import { returnKinds, returnKindText } from "@/server/domain/assurance/proof/kinds";
import { monthText } from "@/server/domain/assurance/proof/month";

type Name = "tenant" | "month" | "site" | "sku" | "standing" | "kind";
type Change = Partial<Record<Name, string | undefined>> & { readonly exception?: boolean | undefined };

interface Choice {
  readonly value: string;
  readonly words: string;
}

interface ChipProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly Choice[];
  readonly onChoose: (value: string | undefined) => void;
}

function Chip({ label, value, choices, onChoose }: ChipProps) {
  const chosen = choices.find((choice) => choice.value === value)?.words ?? value;
  return (
    <span className={`chip${value === undefined ? "" : " set"}`}>
      <Menu
        align="start"
        trigger={
          <button type="button">
            {label}
            {chosen === undefined ? null : <b> {chosen}</b>}
          </button>
        }
      >
        {choices.length === 0 ? <span className="label">Nothing to choose from</span> : null}
        <MenuChoice label={label} value={value ?? ""} choices={choices} onChoose={onChoose} />
      </Menu>
      {value === undefined ? null : (
        <button type="button" aria-label={`Remove the filter ${label}`} onClick={() => onChoose(undefined)}>
          ×
        </button>
      )}
    </span>
  );
}

const same = (values: readonly string[] | undefined): readonly Choice[] =>
  (values ?? []).map((value) => ({ value, words: value }));

interface ChipsProps {
  readonly selection: ProofSelection;
  readonly onChange: (change: Change) => void;
  readonly onClear: () => void;
}

/** The filters of the proof desk as chips: each opens a menu, and a set one can be removed. */
function ProofChips({ selection, onChange, onClear }: ChipsProps) {
  const trpc = useTRPC();
  const isTenant = useMe().tenant !== null;
  const values = useQuery({ ...trpc.hosts.filterValues.queryOptions(), enabled: !isTenant });
  const nowMs = useNow();
  const { tenant, month, site, sku, standing, kind, exception } = selection;
  const set = (name: Name) => (value: string | undefined) => onChange({ [name]: value });
  const isSet = [tenant, month, site, sku, standing, kind, exception].some((value) => value !== undefined);
  return (
    <div className="chips" role="group" aria-label="Filters">
      {isTenant ? null : (
        <Chip label="Tenant" value={tenant} choices={same(values.data?.tenant)} onChoose={set("tenant")} />
      )}
      <Chip
        label="Month"
        value={month}
        choices={recentMonths(nowMs).map((value) => ({ value, words: monthText(value) }))}
        onChoose={set("month")}
      />
      {isTenant ? null : (
        <>
          <Chip label="Site" value={site} choices={same(values.data?.site)} onChoose={set("site")} />
          <Chip label="SKU" value={sku} choices={same(values.data?.sku)} onChoose={set("sku")} />
        </>
      )}
      <Chip
        label="Standing"
        value={standing}
        choices={standings.map((value) => ({ value, words: standingText[value] }))}
        onChoose={set("standing")}
      />
      <Chip
        label="Cause"
        value={kind}
        choices={returnKinds.map((value) => ({ value, words: returnKindText[value] }))}
        onChoose={set("kind")}
      />
      <Chip
        label="Exception"
        value={exception === undefined ? undefined : String(exception)}
        choices={[
          { value: "true", words: "With an exception" },
          { value: "false", words: "Without" },
        ]}
        onChoose={(value) => onChange({ exception: value === undefined ? undefined : value === "true" })}
      />
      {isSet || selection.text !== "" ? (
        <Button kind="plain" small onClick={onClear}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}

interface ReturnPage {
  readonly rows: readonly ReturnLine[];
  readonly tally: Tally | null;
}

type Column = TableColumn<ReturnLine>;

const column = columnsOf<ReturnLine>();

const returnedColumn = (onOpen: (id: string) => void): Column =>
  column.cell(
    "returned",
    "Returned, certificate",
    ({ id, at, file }) => (
      <>
        <button type="button" className="link" data-open="" onClick={() => onOpen(id)}>
          <FullTime at={at} />
        </button>
        <small className="mono">{file === null ? "no certificate" : (file.number ?? "being signed")}</small>
      </>
    ),
    {
      ...{ width: 208, narrow: "top-start", rowHeader: true, always: true },
      ...{ firstOrder: "descending", sort: ({ at }) => at },
    },
  );

const hostColumn = (isTenant: boolean): Column =>
  column.cell(
    "host",
    isTenant ? "Machine" : "Host",
    ({ host, sku }) => (
      <>
        {host.name === null ? (
          <span className="mono">{host.serial ?? "unknown"}</span>
        ) : (
          <Link className="link" href={routes.host(host.name)} prefetch={false}>
            {host.name}
          </Link>
        )}
        <small className="mono">{sku ?? "no SKU"}</small>
      </>
    ),
    { narrow: "top-end", sort: ({ host }) => host.name ?? host.serial },
  );

const tenantColumn = (isTenant: boolean): Column =>
  column.cell(
    "tenant",
    isTenant ? "Instance" : "Tenant, instance",
    ({ tenant, instance, kind }) =>
      tenant === null ? (
        <span className="text-quiet">{kind}</span>
      ) : (
        <>
          {isTenant ? null : tenant.name}
          <small>{instance?.name ?? kind}</small>
        </>
      ),
    {
      narrow: "bottom-start",
      sort: ({ tenant, instance }) => (isTenant ? (instance?.name ?? null) : (tenant?.name ?? null)),
    },
  );

/** What was proven, and the file that says so. */
const proofColumns = [
  column.cell("drives", "Drives", ({ counts, standing }) => drivesOf(standing, counts), {
    width: 80,
    align: "end",
    from: "medium",
  }),
  column.cell(
    "standing",
    "Standing",
    (line) => (
      <>
        <StandingLabel standing={line.standing} quiet={isInProgress(line)} />
        <small>{line.says}</small>
      </>
    ),
    { width: 196, narrow: "line", sort: ({ standing }) => standingText[standing] },
  ),
  column.cell("file", "Signed file", (line) => <FileLinks line={line} />, {
    width: 132,
    align: "end",
    narrow: "bottom-end",
  }),
];

/** @param onOpen opens the return in the side panel */
const returnColumns = (onOpen: (id: string) => void, isTenant: boolean): readonly Column[] => [
  returnedColumn(onOpen),
  hostColumn(isTenant),
  tenantColumn(isTenant),
  ...proofColumns,
];

const settleMs = 200;
const drawers = ["pack", "check"] as const;
const placeholders = {
  tenant: "Serial of a drive or machine, instance, or certificate number",
  provider: "Serial of a drive or host, instance, tenant, or certificate number",
} as const;
const nothingSelected = {
  text: "",
  tenant: undefined,
  month: undefined,
  site: undefined,
  sku: undefined,
  standing: undefined,
  kind: undefined,
  exception: undefined,
};

/** The parameters of the page's own filter in its address. */
const filterParameters = Object.keys(nothingSelected);

const pageOf = {
  rowsOf: ({ rows }: ReturnPage) => rows,
  rowId: idOf,
  totalOf: ({ tally }: ReturnPage) => tally?.returns ?? null,
};

interface Desk extends ProofSelection {
  readonly open: string | undefined;
  readonly drawer: (typeof drawers)[number] | undefined;
}

const parseDesk = (search: { readonly get: (name: string) => string | null }): Desk => ({
  ...readSelection(search),
  open: search.get("open") ?? undefined,
  drawer: drawers.find((each) => each === search.get("drawer")),
});

/** The typed text: the address follows once typing settles, and the text follows a link or *Back*. */
function useTypedText(text: string, go: (change: { text: string }) => void) {
  const [typed, setTyped] = useState(text);
  const [shown, setShown] = useState(text);
  const [sent, setSent] = useState(text);
  if (text !== shown) {
    setShown(text);
    // Our own arrives while more may be typed already, which stays.
    if (text !== sent) setTyped(text);
  }
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => {
      setSent(typed.trim());
      go({ text: typed.trim() });
    }, settleMs);
    return () => clearTimeout(timer);
  }, [typed, text, go]);
  return [typed, setTyped] as const;
}

export function ProofPage() {
  const trpc = useTRPC();
  const [{ open, drawer, ...selection }, go] = useAddressView(parseDesk, routes.proof);
  const [typed, setTyped] = useTypedText(selection.text, go);
  const isTenant = useMe().tenant !== null;
  const read = useInfiniteQuery({ ...returnsQuery(trpc, selection), placeholderData: keepPreviousData });
  const tally = read.data?.pages[0]?.tally ?? null;
  const columns = useMemo(() => returnColumns((id) => go({ open: id }), isTenant), [go, isTenant]);
  const clear = () => {
    setTyped("");
    go(nothingSelected);
  };
  return (
    <div className="proof-page">
      <Head onOpen={(name) => go({ drawer: name })} />
      <search className="filter">
        <SearchField
          label="Search proof"
          value={typed}
          onChange={setTyped}
          onSubmit={() => go({ text: typed.trim() })}
          placeholder={placeholders[isTenant ? "tenant" : "provider"]}
        />
      </search>
      <ProofChips selection={selection} onChange={go} onClear={clear} />
      <TallyLine tally={tally} selection={selection} />
      {drawer === "pack" ? (
        <PackDrawer selection={selection} tally={tally} onClose={() => go({ drawer: undefined })} />
      ) : null}
      {drawer === "check" ? <CheckDrawer onClose={() => go({ drawer: undefined })} /> : null}
      <ListWithPanel
        label="Returns"
        panel={
          open === undefined ? null : (
            <ReturnPanel key={open} id={open} onClose={() => go({ open: undefined })} />
          )
        }
      >
        <ResourceTable
          name="returns"
          noun="return"
          caption="Returns"
          columns={columns}
          list={usePagedList(read, pageOf)}
          rowId={idOf}
          namesOf={({ host, instance, file }) => [
            host.name,
            host.serial,
            instance?.name ?? null,
            file?.number ?? null,
          ]}
          parameters={filterParameters}
          empty={<NoReturns selection={selection} />}
        />
      </ListWithPanel>
    </div>
  );
}

const Head = ({ onOpen }: { readonly onOpen: (drawer: "pack" | "check") => void }) => (
  <div className="head">
    <h1>Proof</h1>
    <span className="what">was it erased, when, how, and who approved what was not</span>
    <div className="acts">
      <Button kind="plain" onClick={() => onOpen("check")}>
        Check a file…
      </Button>
      <Button onClick={() => onOpen("pack")}>Pack for an auditor…</Button>
    </div>
  </div>
);

interface TallyProps {
  readonly tally: Tally | null;
  readonly selection: ProofSelection;
}

function TallyLine({ tally, selection }: TallyProps) {
  if (tally === null) return null;
  return (
    <div className="proof-tally">
      <Counts tally={tally} />
      {tally.returns === 0 ? null : (
        <a className="link" href={routes.files.proofCsv(selection)} download="returns.csv">
          Export CSV
        </a>
      )}
    </div>
  );
}

function Counts({ tally }: { readonly tally: Tally }) {
  return (
    <div className="proof-counts" role="status">
      <b>
        {tally.returns.toLocaleString("en")} {tally.returns === 1 ? "return" : "returns"}
      </b>
      {standings
        .filter((standing) => tally[standing] > 0)
        .map((standing) => (
          <span key={standing}>
            <Mark tone={standingTone[standing]} label="" /> <b>{tally[standing].toLocaleString("en")}</b>{" "}
            {standingText[standing].toLowerCase()}
          </span>
        ))}
    </div>
  );
}

function NoReturns({ selection }: { readonly selection: ProofSelection }) {
  const isAsked = Object.values(selection).some((value) => value !== undefined && value !== "");
  return isAsked ? (
    <Empty title="Nothing that was returned matches">
      Check the serial number or name, or remove a filter. A machine that was never returned has nothing to
      prove yet.
    </Empty>
  ) : (
    <Empty title="Nothing was returned yet">A machine appears here when its tenant releases it.</Empty>
  );
}
