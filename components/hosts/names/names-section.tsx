"use client";
// On a host's Inventory tab: what each source calls the machine, and the way to confirm that it is the same one.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { Notice } from "@/components/ui/notice";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { Age } from "@/components/ui/time/time";
import {
  confirmText,
  kindWords,
  nameKinds,
  namePlaces,
  nameText,
  placeWords,
  sourceWords,
  standingWords,
  withdrawText,
} from "@/server/domain/hosts/names/names";
import type { NameKind } from "@/server/domain/hosts/names/names";
import type { HostDetail, HostNamesView } from "@/server/surfaces/trpc/types";

const refreshMs = 5000;

export function NamesSection({ host, onDone }: { host: HostDetail; onDone: () => void }) {
  const trpc = useTRPC();
  const { data, refetch } = useSuspenseQuery(trpc.names.ofHost.queryOptions({ hostId: host.id }));
  useLiveRefresh(refetch, { hostId: host.id, everyMs: refreshMs });
  return (
    <Names
      host={host}
      view={data}
      onDone={() => {
        void refetch();
        onDone();
      }}
    />
  );
}

interface NamesProps {
  readonly host: Pick<HostDetail, "actions" | "id" | "name">;
  readonly view: HostNamesView;
  readonly onDone: () => void;
}

type Name = HostNamesView["names"][number];
/** Of one kind, what each source says. */
interface Row {
  readonly kind: NameKind;
  readonly names: readonly Name[];
}

const mayChange = ({ actions }: NamesProps["host"]): boolean =>
  actions.some(({ intent }) => intent === "disposeDrive");

export function Names({ host, view, onDone }: NamesProps) {
  const [withdrawn, setWithdrawn] = useState<Name | null>(null);
  const rows = nameKinds.map((kind): Row => ({
    kind,
    names: view.names.filter((name) => name.kind === kind),
  }));
  return (
    <>
      <div className="sec">
        <h2>Names</h2>
        <span className="sum cut">what the host is known by, and what each source calls the machine</span>
      </div>
      {view.pending.length === 0 ? null : <Pending host={host} view={view} onDone={onDone} />}
      <DataTable
        caption="Names"
        columns={columnsFor(mayChange(host) ? setWithdrawn : null)}
        rows={rows}
        rowId={({ kind }) => kind}
      />
      {withdrawn === null ? null : (
        <ActDialog
          title={`Withdraw ${nameText(withdrawn)} of ${host.name}?`}
          consequence={withdrawText}
          confirmWords="Withdraw name"
          reason="Why it is not a name of this machine."
          send={({ reason }, client) =>
            client.names.withdraw.mutate({
              ...{ hostId: host.id, kind: withdrawn.kind, value: withdrawn.value, reason },
            })
          }
          said="Name withdrawn"
          onClose={() => setWithdrawn(null)}
          onDone={onDone}
        />
      )}
    </>
  );
}

const wordsOf = ({ pending }: HostNamesView): readonly string[] =>
  pending.map(
    ({ source, names, agrees }) =>
      `${sourceWords[source]}: ${names.map(nameText).join(", ")}; the same as before: ${agrees.length === 0 ? "nothing" : agrees.map(nameText).join(", ")}`,
  );

/** What differs, with the way to confirm it, or why it cannot be. */
function Pending({ host, view, onDone }: NamesProps) {
  // The view as the dialog opened, because the live one changes while the person reads.
  const [asked, setAsked] = useState<HostNamesView | null>(null);
  const mayConfirm = view.refusal === null && mayChange(host);
  return (
    <div className="after">
      <Notice tone="failed">
        The machine was named differently than this host:
        <ul>
          {wordsOf(view).map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        {view.refusal}
      </Notice>
      {mayConfirm ? (
        <Button small onClick={() => setAsked(view)}>
          This is the same machine…
        </Button>
      ) : null}
      {asked === null ? null : (
        <ActDialog
          title={`Is this the same machine as ${host.name}?`}
          consequence={`${wordsOf(asked).join(". ")}. ${confirmText}`}
          confirmWords="Confirm names"
          reason="For example, the BIOS update or the RMA number."
          send={({ reason }, client) =>
            client.names.confirm.mutate({ hostId: host.id, evidence: asked.evidence, reason })
          }
          said="Names confirmed; retry the host if it stopped"
          onClose={() => setAsked(null)}
          onDone={onDone}
        />
      )}
    </div>
  );
}

/** Opens the dialog that withdraws a confirmed name; null: the person may not. */
type OnWithdraw = ((name: Name) => void) | null;

function NameList({ names, onWithdraw }: { names: readonly Name[]; onWithdraw: OnWithdraw }) {
  if (names.length === 0) return "–";
  return (
    <ul className="plain">
      {names.map((name) => (
        <li key={name.value}>
          <span className="mono">{name.value}</span>{" "}
          <span className={name.standing === "differs" ? "tone" : "text-quiet"} data-tone="failed">
            {name.standing === "own" ? null : standingWords[name.standing]}
            {name.confirmed === null ? null : (
              <>
                {" "}
                by {name.confirmed.by}, <Age at={name.confirmed.at} /> ago: {name.confirmed.reason}
              </>
            )}
            {name.firstSeenAt === null || name.lastSeenAt === null ? null : (
              <>
                {" "}
                first seen <Age at={name.firstSeenAt} /> ago, last <Age at={name.lastSeenAt} /> ago
              </>
            )}
          </span>
          {name.confirmed === null || onWithdraw === null ? null : (
            <>
              {" "}
              <Button small onClick={() => onWithdraw(name)}>
                Withdraw…
              </Button>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

const column = columnsOf<Row>();

const columnsFor = (onWithdraw: OnWithdraw) => [
  column.cell("name", "Name", ({ kind }) => kindWords[kind], {
    narrow: "top-start",
    rowHeader: true,
    width: 104,
  }),
  ...namePlaces.map((place) => {
    const words = placeWords[place][0]?.toUpperCase() + placeWords[place].slice(1);
    return column.cell(
      place,
      words,
      ({ names }) => (
        <>
          <span className="narrow-label">{words}: </span>
          <NameList names={names.filter(({ source }) => source === place)} onWithdraw={onWithdraw} />
        </>
      ),
      { narrow: "line", className: "wrapping" },
    );
  }),
];
