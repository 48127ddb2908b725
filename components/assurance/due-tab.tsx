"use client";
// Due procedures, recorded on one host or on several selected ones.
import { useMemo, useRef, useState } from "react";
import { RecordDialog } from "@/components/assurance/record-dialog";
import { Button } from "@/components/ui/button";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { routes } from "@/server/domain/console/routes";
import type { DueLine } from "@/server/surfaces/trpc/types";
import Link from "next/link";
import { Empty } from "@/components/ui/empty";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import type { ResourceList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { Age } from "@/components/ui/time/time";
import {
  beginning,
  bring,
  FileFields,
  type Files,
  recordSchema,
  recordSpecs,
  workOf,
} from "@/components/assurance/record-fields";
import { problemOf, ShownError } from "@/components/trpc/query-client";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";
import { isSerial } from "@/server/domain/assurance/procedures/record";

// Records one procedure on several hosts: shared fields once, one serial number per host. Each host is sent separately,
// so a refusal affects only that host and the rest can be retried.
// Matches serial numbers scanned at the machines to the selected hosts.
interface ChosenHost {
  readonly id: string;
  readonly name: string;
  readonly serial: string | null;
}

interface Scanned {
  /** Each with the serial number as scanned. */
  readonly found: readonly (ChosenHost & { readonly read: string })[];
  readonly missing: readonly ChosenHost[];
  /** Serial numbers that match none of the hosts. */
  readonly unknown: readonly string[];
}

/** One serial number per line, as scanners send them. Pure. */
export function scannedHosts(hosts: readonly ChosenHost[], text: string): Scanned {
  const lines = text
    .split(/[\s,;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const readOf = ({ serial }: ChosenHost) => lines.find((line) => isSerial(line, serial));
  return {
    found: hosts.flatMap((host) => {
      const read = readOf(host);
      return read === undefined ? [] : [{ ...host, read }];
    }),
    missing: hosts.filter((host) => readOf(host) === undefined),
    unknown: lines.filter((line) => !hosts.some(({ serial }) => isSerial(line, serial))),
  };
}

interface RecordManyDialogProps {
  readonly hosts: readonly ChosenHost[];
  readonly procedure: Procedure;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const recorded = "recorded";

/** Sends the hosts one after the other; `results` holds the outcome of each: recorded, or the error. */
function RecordManyDialog({ hosts, procedure, ...rest }: RecordManyDialogProps) {
  const [files, setFiles] = useState<Files>({});
  const [serial, setSerial] = useState("");
  const [results, setResults] = useState<ReadonlyMap<string, string>>(new Map());
  const brought = useRef<{ of: Files; files: ReturnType<typeof bring> }>(null);
  const { missing, unknown } = scannedHosts(hosts, serial);
  const open = missing.filter(({ id }) => results.get(id) !== recorded);
  /** Uploads once: a retry of refused hosts does not upload the files again. */
  const bringOnce = () => {
    if (brought.current?.of !== files) brought.current = { of: files, files: bring(files) };
    return brought.current.files.catch((error: unknown) => {
      brought.current = null;
      throw error;
    });
  };
  return (
    <ActFormDialog
      title={`${procedure.title} on ${formatCounted(hosts.length, "host")}`}
      consequence={`Version ${procedure.version}. One record each, with the same checklist, times and files. Another person must sign each off. Each host is checked again in a new boot before it becomes Ready.`}
      confirmWords={results.size === 0 ? `Record on ${hosts.length}` : "Send the rest"}
      cancelWords={results.size === 0 ? "Cancel" : "Close"}
      schema={recordSchema}
      values={beginning(procedure)}
      onValues={(values) => setSerial(values.serial)}
      fields={{
        serial: {
          label: "Serial numbers",
          hint: "scanned or read at each machine, one per line, in any order",
          rows: 3,
          maxLength: 20_000,
          mono: true,
        },
        "serial.results": <HostResults hosts={hosts} serial={serial} results={results} />,
        ...recordSpecs(procedure),
      }}
      after={<FileFields needs={procedure.evidence} onFiles={setFiles} />}
      missing={
        unknown[0] === undefined
          ? open[0] && `Read the serial number of ${open[0].name} at the machine`
          : `${unknown[0]} matches none of these hosts`
      }
      send={async (value, client) => {
        const work = { ...workOf(procedure, value), files: await bringOnce() };
        const left = scannedHosts(hosts, value.serial).found.filter(({ id }) => results.get(id) !== recorded);
        const after = new Map(results);
        for (const { id, read } of left) {
          const result = await client.procedures.record
            .mutate({ ...work, hosts: [{ hostId: id, serial: read }] })
            .then(() => recorded)
            .catch((error: unknown) => problemOf(error).words);
          after.set(id, result);
          setResults(new Map(after));
        }
        const count = hosts.filter(({ id }) => after.get(id) === recorded).length;
        if (count < hosts.length)
          throw new ShownError(
            `Recorded ${count} of ${hosts.length} hosts. Fix the errors below, then send the rest.`,
          );
      }}
      said={`Recorded ${procedure.name} on ${formatCounted(hosts.length, "host")}`}
      {...rest}
    />
  );
}

interface HostResultsProps {
  readonly hosts: readonly ChosenHost[];
  readonly serial: string;
  readonly results: ReadonlyMap<string, string>;
}

function HostResults({ hosts, serial, results }: HostResultsProps) {
  const { found } = scannedHosts(hosts, serial);
  return (
    <ul className="assurance-lines" aria-label="Hosts" aria-live="polite">
      {hosts.map(({ id, name }) => {
        const read = found.find((each) => each.id === id)?.read;
        return (
          <li key={id}>
            <span>{name}</span>
            <span className={read === undefined ? "text-quiet" : undefined}>
              {results.get(id) ?? (read === undefined ? "no serial number yet" : `${read}, matches`)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

// Hosts that wait for a procedure or its sign-off, longest wait first.
const column = columnsOf<DueLine>();

const columns = [
  column.link(
    "host",
    "Host",
    ({ host }) => ({ words: host.name, href: routes.host(host.name, { tab: "assurance" }) }),
    { width: 150, linkClass: "", title: ({ host }) => host.name },
  ),
  column.text("procedure", "Procedure", ({ procedure }) => procedure.title, { width: 210, narrow: "line" }),
  column.cell(
    "says",
    "Status",
    ({ words, status }) => (
      <span className="tone" data-tone={status === "rejected" ? "attention" : "neutral"}>
        {words}
      </span>
    ),
    { title: ({ words }) => words, sort: ({ words }) => words, narrow: "line" },
  ),
  column.text("why", "Why", ({ reason }) => reason, { width: 160, from: "medium", className: "text-quiet" }),
  column.cell(
    "waits",
    "Waiting, limit 24 h",
    ({ since, overLimit }) =>
      overLimit ? (
        <span className="tone" data-tone="attention">
          <Mark tone="attention" label="over its limit" /> <Age at={since} />
        </span>
      ) : (
        <Age at={since} />
      ),
    {
      ...{ width: 150, align: "end", narrow: "bottom-start", className: "text-quiet" },
      sort: ({ since }) => since,
    },
  ),
];

const actsColumn = (onRecord: (row: DueLine) => void): TableColumn<DueLine> =>
  column.acts(
    100,
    (row) =>
      row.status === "awaitsSignOff" ? null : (
        <Button
          small
          onClick={() => onRecord(row)}
          aria-label={`Record… ${row.procedure.name} on ${row.host.name}`}
        >
          Record…
        </Button>
      ),
    { narrow: "bottom-end" },
  );

/** Row id: one row per host and procedure. */
export const dueId = ({ host, procedure }: DueLine): string => `${host.id} ${procedure.name}`;

const isOpen = ({ status, serial }: DueLine): boolean => status !== "awaitsSignOff" && serial !== null;

/** Why the selected lines cannot be recorded together; undefined if they can. */
function refusalOf(chosen: readonly DueLine[]): string | undefined {
  const [first] = chosen;
  return chosen.every(({ procedure }) => JSON.stringify(procedure) === JSON.stringify(first?.procedure))
    ? undefined
    : "Choose hosts with the same procedure in the same version";
}

interface DueTabProps {
  readonly list: ResourceList<DueLine>;
  readonly mayRecord: boolean;
  readonly onDone: () => void;
}

export function DueTab({ list, mayRecord, onDone }: DueTabProps) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<readonly DueLine[]>([]);
  const all = useMemo(
    () => (mayRecord ? [...columns, actsColumn((row) => setAsked([row]))] : columns),
    [mayRecord],
  );
  /** Those that still exist. */
  const chosen = list.rows.filter((row) => isOpen(row) && ids.has(dueId(row)));
  return (
    <>
      <ResourceTable
        name="procedures-due"
        noun="procedure"
        caption="Procedures due"
        list={list}
        columns={all}
        rowId={dueId}
        namesOf={({ host, serial }) => [host.name, serial]}
        selection={
          mayRecord
            ? {
                ids: new Set(chosen.map(dueId)),
                onChange: setIds,
                label: ({ host, procedure }) => `${procedure.name} on ${host.name}`,
                isSelectable: isOpen,
              }
            : undefined
        }
        empty={
          <Empty title="No procedures due">
            A host appears here when everything else is proven and a procedure of its policy is still due.
            Procedures are defined in{" "}
            <Link className="link" href={routes.settings.procedures()}>
              Settings, Procedures
            </Link>
            .
          </Empty>
        }
      />
      {chosen.length === 0 ? null : (
        <div className="bulk" role="toolbar" aria-label="Selected hosts">
          <b className="text-medium">{formatCount(chosen.length)} selected</b>
          <div className="acts end">
            <Button kind="main" disabledReason={refusalOf(chosen)} onClick={() => setAsked(chosen)}>
              {`Record on ${chosen.length}…`}
            </Button>
            <Button kind="plain" onClick={() => setIds(new Set())} aria-label="Clear the selection">
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
