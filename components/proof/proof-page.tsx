"use client";
// The proof desk: was it erased, when, how, and who approved what was not. A tenant sees its own returns.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useMe } from "@/components/frame/me";
import { PackDrawer } from "@/components/proof/pack-drawer";
import { ProofChips } from "@/components/proof/proof-chips";
import { returnsQuery } from "@/components/proof/proof-query";
import { readSelection } from "@/components/proof/proof-selection";
import type { ProofSelection } from "@/components/proof/proof-selection";
import { returnColumns } from "@/components/proof/return-columns";
import { ReturnPanel } from "@/components/proof/return-panel";
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

/** The state of the page is its address. */
function useDesk() {
  const router = useRouter();
  const search = useSearchParams();
  const selection = useMemo(() => readSelection(search), [search]);
  const open = search.get("open");
  const pack = search.get("pack") === "1";
  const go = useCallback(
    (change: Partial<Parameters<typeof routes.proof>[0]>) =>
      router.replace(routes.proof({ ...selection, open: open ?? undefined, pack, ...change }), {
        scroll: false,
      }),
    [router, selection, open, pack],
  );
  return { selection, open, pack, go };
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
  const { selection, open, pack, go } = useDesk();
  const [typed, setTyped] = useTypedText(selection.text, go);
  const isTenant = useMe().tenant !== null;
  const list = useInfiniteQuery({ ...returnsQuery(trpc, selection), placeholderData: keepPreviousData });
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const tally = list.data?.pages[0]?.tally ?? null;
  const columns = useMemo(() => returnColumns((id) => go({ open: id }), isTenant), [go, isTenant]);
  const clear = () => {
    setTyped("");
    go({
      text: "",
      tenant: undefined,
      month: undefined,
      site: undefined,
      sku: undefined,
      standing: undefined,
      exception: undefined,
    });
  };
  return (
    <div className="proof-page">
      <Head onPack={() => go({ pack: true })} />
      <search className="filter">
        <SearchField
          label="Search proof"
          value={typed}
          onChange={setTyped}
          onSubmit={() => go({ text: typed.trim() })}
          placeholder={
            isTenant
              ? "Serial of a drive or machine, instance, or certificate number"
              : "Serial of a drive or host, instance, tenant, or certificate number"
          }
        />
      </search>
      <ProofChips selection={selection} onChange={go} onClear={clear} />
      <TallyLine tally={tally} />
      {pack ? <PackDrawer selection={selection} tally={tally} onClose={() => go({ pack: false })} /> : null}
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

const Head = ({ onPack }: { readonly onPack: () => void }) => (
  <div className="head">
    <h1>Proof</h1>
    <span className="what">was it erased, when, how, and who approved what was not</span>
    <div className="acts">
      <Button onClick={onPack}>Pack for an auditor…</Button>
    </div>
  </div>
);

function TallyLine({ tally }: { readonly tally: Tally | null }) {
  if (tally === null) return null;
  return (
    <div className="proof-tally" role="status">
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
