"use client";
// A list screen's table: filter, sort, columns, keyboard, saved views and pasted names over one read of the contract (docs/adr/0008-plain-css.md).
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { RowData } from "@tanstack/react-table";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Empty } from "@/components/ui/empty";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { SearchField } from "@/components/ui/search-field";
import { ColumnsMenu } from "@/components/ui/table/columns-menu";
import type { Sorting, TableColumn } from "@/components/ui/table/columns";
import { DataTable, type DataTableProps } from "@/components/ui/table/data-table";
import { OpenRowProvider } from "@/components/ui/table/row-opener";
import type { TableSelection } from "@/components/ui/table/table-head";
import { filterKeys, filterRows, findNames, parseNames } from "@/components/ui/resource-table/filter";
import { useListView, type HeldView, type ListView } from "@/components/ui/resource-table/list-view";
import type { ResourceList } from "@/components/ui/resource-table/resource-list";
import { NamesDialog, ViewsMenu } from "@/components/ui/resource-table/views-menu";

/** A longer list is not loaded as a whole: the server has to narrow it first. */
const mostRows = 20_000;
/** Rows are rendered in portions of this size. */
const portion = 200;

type OfTable<Row> = Pick<
  DataTableProps<Row>,
  "caption" | "className" | "rowClassName" | "groupOf" | "detail"
>;

export interface ResourceTableProps<Row> extends OfTable<Row> {
  /** Names the list among a person's saved views. */
  readonly name: string;
  /** What a row is, as in "1 host": the noun, and its plural if irregular. */
  readonly noun: string | readonly [string, string];
  readonly list: ResourceList<Row>;
  /** Must be stable across renders. */
  readonly columns: readonly TableColumn<Row>[];
  readonly rowId: (row: Row) => string;
  /** The names of a row that a pasted list can contain; without it, none can be pasted. */
  readonly namesOf?: (row: Row) => readonly (string | null)[];
  /** Tells the lists of one page apart: what this one is of, for screen readers, and the prefix of its parameters in the address. */
  readonly of?: string | undefined;
  readonly prefix?: string | undefined;
  /** Spans the full width of the page; as by default. */
  readonly fullWidth?: boolean;
  /** The list has nothing at all: what will appear here, and what makes it appear. */
  readonly empty: ReactNode;
  /** The open row, if the page holds it; otherwise the table does. */
  readonly open?: string | null;
  /** Opens a row, or closes the open one. */
  readonly onToggle?: (id: string) => void;
  /** A click anywhere on a row opens it, for lists with a side panel. */
  readonly opensOnClick?: boolean;
  /** The text goes to the server, which finds rows by it: what it looks at, for the empty field and the empty state. The page holds the view. */
  readonly searches?: { readonly held: HeldView; readonly placeholder: string; readonly hint: ReactNode };
  /** The page has a filter of its own: its parameters in the address, which saved views hold too. There is no field for text. */
  readonly parameters?: readonly string[];
  /** The list has no end, such as a log: it is never loaded as a whole, so it can be sorted only once its last page is shown. */
  readonly isEndless?: boolean;
  readonly selection?: Selecting<Row> | undefined;
}

/** Rows that acts apply to. */
interface Selecting<Row> {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
  /** The accessible name of a row: "r1-h01". */
  readonly label: (row: Row) => string;
  readonly isSelectable?: (row: Row) => boolean;
}

type Nouns = readonly [string, string];

const isNarrowed = ({ filter, names }: ListView) => filter.trim() !== "" || names !== null;

/** The filter that applies in the browser: none if the server has applied it. */
const ownFilter = <Row,>({ searches, parameters }: ResourceTableProps<Row>, { filter }: ListView): string =>
  searches === undefined && parameters === undefined ? filter.trim() : "";

/** Filter, order and names need the whole list. */
const needsWhole = <Row,>(props: ResourceTableProps<Row>, view: ListView): boolean =>
  props.isEndless !== true && (ownFilter(props, view) !== "" || view.names !== null || view.sorting !== null);

/** The rows of a view. Filter and order need the whole list: the rest of it is loaded first. */
function useMatching<Row>(props: ResourceTableProps<Row>, view: ListView) {
  const { list, columns, namesOf } = props;
  const { rows, hasMore, loadMore, error } = list;
  const needsAll = needsWhole(props, view);
  const filter = ownFilter(props, view);
  useEffect(() => {
    if (needsAll && hasMore && error === null && rows.length < mostRows) loadMore();
  }, [needsAll, hasMore, loadMore, error, rows]);
  return useMemo(() => {
    const filtered = filterRows(rows, columns, filter);
    return view.names === null || namesOf === undefined
      ? { rows: filtered, missing: [] }
      : {
          rows: findNames(filtered, namesOf, view.names).rows,
          missing: findNames(rows, namesOf, view.names).missing,
        };
  }, [rows, columns, filter, view.names, namesOf]);
}

/** "37 of 4,812 hosts match", or how far the list is loaded. */
function statusOf<Row>(
  props: ResourceTableProps<Row>,
  view: ListView,
  matching: { readonly rows: readonly Row[]; readonly missing: readonly string[] },
  [one, many]: Nouns,
): string {
  const { rows, total, hasMore, loading, error } = props.list;
  if (loading || (error !== null && rows.length === 0)) return "";
  const loaded = `${formatCount(rows.length)}${total === null ? "" : ` of ${formatCount(total)}`}`;
  const filtered = ownFilter(props, view) !== "";
  if (hasMore) {
    if (!needsWhole(props, view)) return `${loaded} ${many} loaded`;
    if (rows.length >= mostRows)
      return `Only ${loaded} ${many} can be filtered and sorted here; narrow the list first`;
    return error === null
      ? `Loading all ${many} to ${filtered || view.names !== null ? "filter" : "sort"} them: ${loaded}`
      : `${loaded} ${many} loaded; the rest could not be read`;
  }
  if (view.names !== null) {
    const found = view.names.length - matching.missing.length;
    const also = !filtered ? "" : `, ${formatCount(matching.rows.length)} match the filter`;
    return `${formatCount(found)} of ${formatCount(view.names.length)} found${also}`;
  }
  return filtered
    ? `${formatCount(matching.rows.length)} of ${formatCounted(rows.length, one, many)} match`
    : formatCounted(rows.length, one, many);
}

interface NoMatchProps {
  readonly nouns: Nouns;
  readonly keys: readonly string[];
  /** What the server finds rows by, if it does. */
  readonly hint: ReactNode;
  readonly onClear: () => void;
}

function NoMatch({ nouns, keys, hint, onClear }: NoMatchProps) {
  return (
    <Empty
      title={`No ${nouns[0]} matches this filter`}
      act={<Button onClick={onClear}>Show all {nouns[1]}</Button>}
    >
      {hint ?? (
        <>
          Every term must match: {keys.map((key) => `${key}:`).join(" ")} and free text. A comma means or, an
          asterisk is a wildcard, a leading minus means not.
        </>
      )}
    </Empty>
  );
}

/** Checkboxes for the rows that match. */
function useBoxes<Row>(
  { selection, rowId }: ResourceTableProps<Row>,
  rows: readonly Row[],
  many: string,
): TableSelection<Row> | undefined {
  if (selection === undefined) return undefined;
  const { ids, onChange, label, isSelectable = () => true } = selection;
  const selectable = rows.filter(isSelectable).map(rowId);
  return {
    ids,
    label: (row) => `Select ${label(row)}`,
    allLabel: `Select ${selectable.length === 1 ? "the" : `all ${formatCount(selectable.length)}`} ${many} shown`,
    isSelectable,
    toggle: (id) => {
      const after = new Set(ids);
      if (!after.delete(id)) after.add(id);
      onChange(after);
    },
    toggleAll: () => onChange(new Set(selectable.every((id) => ids.has(id)) ? [] : selectable)),
  };
}

interface ToolsProps<Row> {
  readonly props: ResourceTableProps<Row>;
  readonly view: ListView;
  readonly change: (change: Partial<ListView>) => void;
  readonly nouns: Nouns;
  readonly matching: { readonly rows: readonly Row[]; readonly missing: readonly string[] };
}

/** The line above the table: filter, columns, views, and how many rows match. */
function Tools<Row>({ props, view, change, nouns, matching }: ToolsProps<Row>) {
  const { name, columns, list, namesOf, of, searches, parameters } = props;
  const [asksNames, setAsksNames] = useState(false);
  const label = `${searches === undefined ? "Filter" : "Find"} ${nouns[1]}${of === undefined ? "" : ` of ${of}`}`;
  const keys = filterKeys(columns).slice(0, 3);
  const paste = (text: string) => {
    const names = parseNames(text);
    if (names.length < 2 || !text.trim().includes("\n")) return false;
    change({ names });
    return true;
  };
  return (
    <search className="filter" aria-label={label}>
      {parameters === undefined ? (
        <SearchField
          label={label}
          value={view.filter}
          onChange={(filter) => change({ filter })}
          placeholder={
            searches?.placeholder ??
            `Text, ${keys.map((key) => `${key}:`).join(" ")}${namesOf === undefined ? "" : ", or a pasted list of names"}`
          }
          onPaste={namesOf === undefined ? undefined : paste}
        />
      ) : null}
      <ColumnsMenu columns={columns} hidden={view.hidden} onHidden={(hidden) => change({ hidden })} />
      <ViewsMenu
        list={name}
        view={view}
        onView={change}
        parameters={parameters ?? []}
        onNames={namesOf === undefined ? undefined : () => setAsksNames(true)}
      />
      <div className="list-status text-quiet text-compact">
        <p role="status">{statusOf(props, view, matching, nouns)}</p>
        {view.names === null ? null : (
          <button type="button" className="copy" onClick={() => change({ names: null })}>
            Clear the names
          </button>
        )}
        {view.names === null || matching.missing.length === 0 || list.hasMore ? null : (
          <details>
            <summary>{formatCount(matching.missing.length)} not found</summary>
            <CopyButton text={matching.missing.join("\n")} what="the names that were not found" />
            <p className="mono">{matching.missing.join(" ")}</p>
          </details>
        )}
      </div>
      {asksNames ? (
        <NamesDialog
          many={nouns[1]}
          onNames={(names) => change({ names })}
          onClose={() => setAsksNames(false)}
        />
      ) : null}
    </search>
  );
}

export function ResourceTable<Row extends RowData>(props: ResourceTableProps<Row>) {
  const { noun, list, columns, rowId, empty, detail, fullWidth = true } = props;
  const nouns: Nouns = typeof noun === "string" ? [noun, `${noun}s`] : noun;
  const own = useListView(props.prefix, props.searches === undefined);
  const [view, change] = props.searches?.held ?? own;
  const matching = useMatching(props, view);
  const { rows } = matching;
  const [most, setMost] = useState(portion);
  const [at, setAt] = useState<string | null>(null);
  const [ownOpen, setOwnOpen] = useState<string | null>(null);
  const { open = ownOpen, onToggle = (id: string) => setOwnOpen(ownOpen === id ? null : id) } = props;
  const table = useRef<HTMLDivElement>(null);
  const opening =
    props.opensOnClick === true
      ? { onOpen: onToggle, opensOnClick: true }
      : { onOpen: () => clickName(table.current) };
  const selection = useBoxes(props, rows, nouns[1]);
  const needsMore =
    list.hasMore && needsWhole(props, view) && list.error === null && list.rows.length < mostRows;
  const order =
    props.isEndless === true
      ? {}
      : { sorting: view.sorting, onSort: (sorting: Sorting | null) => change({ sorting }) };
  const isEmpty = list.rows.length === 0 && !list.hasMore && !list.loading && !isNarrowed(view);
  return (
    <OpenRowProvider value={{ id: open, onToggle }}>
      {isEmpty ? null : <Tools {...{ props, view, change, nouns, matching }} />}
      <div ref={table}>
        <DataTable<Row>
          caption={props.caption}
          className={props.className}
          rowClassName={props.rowClassName}
          groupOf={props.groupOf}
          detail={detail && ((row) => (rowId(row) === open ? detail(row) : null))}
          fullWidth={fullWidth}
          columns={columns}
          rows={rows}
          rowId={rowId}
          most={most}
          hidden={view.hidden}
          {...order}
          cursor={{ id: at, onMove: setAt, ...opening }}
          selection={selection}
          loading={list.loading || needsMore}
          problem={
            list.error === null ? undefined : (
              <ProblemNotice
                error={list.error}
                before={`The ${nouns[1]} could not be read.`}
                onRetry={list.refetch}
              />
            )
          }
          empty={
            isNarrowed(view) ? (
              <NoMatch
                nouns={nouns}
                keys={filterKeys(columns)}
                hint={props.searches?.hint}
                onClear={() => change({ filter: "", names: null })}
              />
            ) : (
              empty
            )
          }
          paging={{
            label: list.moreWords ?? `Show more ${nouns[1]}`,
            hasMore: rows.length > most || (list.hasMore && !needsMore),
            busy: list.loadingMore,
            note: list.note,
            onMore: () => {
              setMost(most + portion);
              if (rows.length <= most + portion) list.loadMore();
            },
          }}
        />
      </div>
    </OpenRowProvider>
  );
}

/** Opens the row at the cursor as a click on its name does. */
function clickName(table: HTMLElement | null): void {
  const row = table?.querySelector('tr[aria-current="true"]');
  row?.querySelector<HTMLElement>("[data-open], th :is(a, button)")?.click();
}
