"use client";
// Due procedures, recorded on one host or on several selected ones.
import { useRouter } from "next/navigation";
import { useState } from "react";
import { DueTable, dueId } from "@/components/assurance/due-table";
import type { AssuranceList } from "@/components/assurance/dispositions-tab";
import { RecordDialog } from "@/components/assurance/record-dialog";
import { RecordManyDialog } from "@/components/assurance/record-many-dialog";
import { pagedTable } from "@/components/trpc/paged-table";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format/numbers";
import { routes } from "@/server/domain/console/routes";
import type { DueLine } from "@/server/surfaces/trpc/types";

const isOpen = ({ status, serial }: DueLine): boolean => status !== "awaitsSignOff" && serial !== null;

/** Why the selected lines cannot be recorded together; undefined if they can. */
function refusalOf(chosen: readonly DueLine[]): string | undefined {
  const [first] = chosen;
  return chosen.every(({ procedure }) => JSON.stringify(procedure) === JSON.stringify(first?.procedure))
    ? undefined
    : "Choose hosts with the same procedure in the same version";
}

/** The selected lines that still exist. */
function useChosen(rows: readonly DueLine[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const open = rows.filter(isOpen);
  const chosen = open.filter((row) => ids.has(dueId(row)));
  const selection = {
    ids: new Set(chosen.map(dueId)),
    toggle: (id: string) =>
      setIds(new Set([...ids].filter((each) => each !== id).concat(ids.has(id) ? [] : id))),
    toggleAll: () => setIds(chosen.length === open.length ? new Set() : new Set(open.map(dueId))),
    label: ({ host, procedure }: DueLine) => `Select ${procedure.name} on ${host.name}`,
    allLabel: "Select all that can be recorded",
    isSelectable: isOpen,
  };
  return { chosen, selection, clear: () => setIds(new Set()) };
}

interface DueTabProps {
  readonly list: AssuranceList<DueLine>;
  readonly mayRecord: boolean;
  readonly onDone: () => void;
}

export function DueTab({ list, mayRecord, onDone }: DueTabProps) {
  const router = useRouter();
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  const { chosen, selection, clear } = useChosen(rows);
  const [at, setAt] = useState<string | null>(null);
  const [asked, setAsked] = useState<readonly DueLine[]>([]);
  const openHost = (id: string) => {
    const row = rows.find((line) => dueId(line) === id);
    if (row !== undefined) router.push(routes.host(row.host.name, { tab: "assurance" }));
  };
  return (
    <>
      <DueTable
        rows={rows}
        cursor={{ id: at, onMove: setAt, onOpen: openHost }}
        selection={mayRecord && rows.length > 0 ? selection : undefined}
        onRecord={mayRecord ? (row) => setAsked([row]) : undefined}
        {...pagedTable(list, { before: "The list could not be read.", more: "Show more hosts" })}
      />
      {chosen.length === 0 ? null : (
        <div className="bulk" role="toolbar" aria-label="Selected hosts">
          <b className="text-medium">{formatCount(chosen.length)} selected</b>
          <div className="acts end">
            <Button kind="main" disabledReason={refusalOf(chosen)} onClick={() => setAsked(chosen)}>
              {`Record on ${chosen.length}…`}
            </Button>
            <Button kind="plain" onClick={clear} aria-label="Clear the selection">
              Clear
            </Button>
          </div>
        </div>
      )}
      <Recording asked={asked} onClose={() => setAsked([])} onDone={onDone} />
    </>
  );
}

interface RecordingProps {
  readonly asked: readonly DueLine[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Recording({ asked, ...rest }: RecordingProps) {
  const [first] = asked;
  if (first === undefined) return null;
  return asked.length === 1 ? (
    <RecordDialog host={first.host} procedure={first.procedure} {...rest} />
  ) : (
    <RecordManyDialog
      hosts={asked.map(({ host, serial }) => ({ ...host, serial }))}
      procedure={first.procedure}
      {...rest}
    />
  );
}
