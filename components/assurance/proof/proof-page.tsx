"use client";
// The proof desk: was it erased, when, how, and who approved what was not. A tenant sees its own returns.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useMe } from "@/components/frame/me";
import { CheckDrawer } from "@/components/assurance/proof/check-drawer";
import { PackDrawer } from "@/components/assurance/proof/pack-drawer";
import { ProofChips } from "@/components/assurance/proof/proof-chips";
import { returnsQuery } from "@/components/assurance/proof/proof-query";
import { readSelection } from "@/components/assurance/proof/proof-selection";
import type { ProofSelection } from "@/components/assurance/proof/proof-selection";
import { returnColumns } from "@/components/assurance/proof/return-columns";
import { ReturnPanel } from "@/components/assurance/proof/return-panel";
import { pagedTable } from "@/components/trpc/paged-table";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { SearchField } from "@/components/ui/search-field";
import { ListWithPanel } from "@/components/ui/side/side-panel";
import { DataTable } from "@/components/ui/table/data-table";
import { standings, standingText, standingTone } from "@/server/domain/assurance/standing";
import { routes } from "@/server/domain/console/routes";
import type { Tally } from "@/server/surfaces/trpc/types";

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

/** The state of the page is its address. */
function useDesk() {
  const router = useRouter();
  const search = useSearchParams();
  const selection = useMemo(() => readSelection(search), [search]);
  const open = search.get("open");
  const drawer = drawers.find((each) => each === search.get("drawer"));
  const go = useCallback(
    (change: Partial<Parameters<typeof routes.proof>[0]>) =>
      router.replace(routes.proof({ ...selection, open: open ?? undefined, drawer, ...change }), {
        scroll: false,
      }),
    [router, selection, open, drawer],
  );
  return { selection, open, drawer, go };
}

/** The typed text; the address follows once typing settles. */
function useTypedText(text: string, go: (change: { text: string }) => void) {
  const [typed, setTyped] = useState(text);
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => go({ text: typed.trim() }), settleMs);
    return () => clearTimeout(timer);
  }, [typed, text, go]);
  return [typed, setTyped] as const;
}

export function ProofPage() {
  const trpc = useTRPC();
  const { selection, open, drawer, go } = useDesk();
  const [typed, setTyped] = useTypedText(selection.text, go);
  const isTenant = useMe().tenant !== null;
  const list = useInfiniteQuery({ ...returnsQuery(trpc, selection), placeholderData: keepPreviousData });
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const tally = list.data?.pages[0]?.tally ?? null;
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
          open === null ? null : <ReturnPanel key={open} id={open} onClose={() => go({ open: undefined })} />
        }
      >
        <DataTable
          caption="Returns"
          fullWidth
          columns={columns}
          rows={rows}
          rowId={({ id }) => id}
          {...pagedTable(list, { before: "The returns could not be read.", more: "Show more returns" })}
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
