"use client";
// One drive: its identity, where it has been, every erase with its attempts, failures it caused, and its dispositions.
import { SignedFile } from "@/components/assurance/proof/signed-file";
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Fragment, type ReactNode, useState } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { CopyButton } from "@/components/ui/copy-button";
import { formatBytes } from "@/components/ui/format/bytes";
import { formatCounted } from "@/server/domain/numbers";
import { type Fact, Facts } from "@/components/ui/head/facts";
import { Mark } from "@/components/ui/mark";
import { ProofTime, proofTimeWidth } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { DriveDetail, DriveErase, DriveStay } from "@/server/surfaces/trpc/types";
import type { Tone } from "@/components/ui/tone";
import { AttemptAnswer } from "@/components/reclamations/step-runs/attempt-cells";
import { Opener } from "@/components/reclamations/step-runs/opener";
import { Empty } from "@/components/ui/empty";
import { usePrinting } from "@/components/ui/media/use-printing";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { EraseMark, HostLink } from "@/components/hosts/drives/drive-cells";

// The tables on a drive's page, other than its erases.
type Failure = DriveDetail["failures"][number];
type Disposition = DriveDetail["dispositions"][number];

const hostColumn: TableColumn<Pick<DriveStay, "host">> = {
  id: "host",
  label: "Host",
  narrow: "top-start",
  rowHeader: true,
  cell: ({ host }) => <HostLink host={host} />,
};

const whenColumn: TableColumn<{ readonly at: Date }> = {
  id: "at",
  label: "When",
  width: proofTimeWidth,
  align: "end",
  narrow: "top-end",
  className: "text-quiet",
  cell: ({ at }) => <ProofTime at={at} />,
};

const driveStayColumn = columnsOf<DriveStay>();

const stayColumns: readonly TableColumn<DriveStay>[] = [
  hostColumn,
  driveStayColumn.text("slot", "Slot", ({ slot }) => slot, { narrow: "top-end", className: "text-quiet" }),
  driveStayColumn.proofTime("from", "From", ({ from }) => from, {
    narrow: "bottom-start",
    className: "text-quiet",
  }),
  driveStayColumn.cell(
    "until",
    "Until",
    ({ until, readAt, lackedAt }) =>
      until !== null ? (
        <ProofTime at={until} />
      ) : (
        <>
          now
          {readAt === null ? null : (
            <span className="text-quiet">
              , as read <ProofTime at={readAt} />
            </span>
          )}
          {lackedAt === null ? null : (
            <span className="text-quiet">
              ; missing from the inventory of <ProofTime at={lackedAt} />
            </span>
          )}
        </>
      ),
    { narrow: "bottom-end" },
  ),
];

const StaysTable = ({ stays }: { stays: readonly DriveStay[] }) => (
  <DataTable
    caption="Hosts of this drive"
    columns={stayColumns}
    rows={stays}
    rowId={({ host, from }) => `${host.id} ${from.toISOString()}`}
    empty={
      <Empty title="No host has listed it">It appears only in erase results, not in any inventory.</Empty>
    }
  />
);

const failureColumn = columnsOf<Failure>();

const failureColumns: readonly TableColumn<Failure>[] = [
  { ...hostColumn, width: "18%" },
  failureColumn.cell(
    "state",
    "State",
    ({ state }) => (
      <span className="marked-text">
        <Mark tone="failed" label="" />
        <span className="cut">{state}</span>
      </span>
    ),
    { width: "22%", narrow: "bottom-start" },
  ),
  failureColumn.text("words", "What happened", ({ words }) => words, {
    narrow: "line",
    className: "wrapping",
  }),
  whenColumn,
];

const FailuresTable = ({ failures }: { failures: readonly Failure[] }) => (
  <DataTable
    caption="Failures"
    columns={failureColumns}
    rows={failures}
    rowId={({ host, at, state }) => `${host.id} ${at.toISOString()} ${state}`}
    empty={<Empty title="No failure names it">No host stopped because of this drive.</Empty>}
  />
);

const dispositionColumn = columnsOf<Disposition>();

const dispositionColumns: readonly TableColumn<Disposition>[] = [
  { ...hostColumn, width: "18%" },
  dispositionColumn.cell(
    "words",
    "Stated",
    ({ words, slot, withdrawn }) => (
      <span className={withdrawn === null ? undefined : "text-faint"}>
        {words}
        {slot === null ? null : `, ${slot}`}
        {withdrawn === null ? null : (
          <>
            ; withdrawn <ProofTime at={withdrawn.at} />
            {withdrawn.reason === null ? null : `: ${withdrawn.reason}`}
          </>
        )}
      </span>
    ),
    { width: "30%", narrow: "bottom-start", className: "wrapping" },
  ),
  dispositionColumn.text("reason", "Reason", ({ reason }) => reason, {
    narrow: "line",
    className: "text-quiet wrapping",
  }),
  dispositionColumn.text("by", "By", ({ by }) => by, { from: "medium", width: 160 }),
  whenColumn,
];

const DispositionsTable = ({ dispositions }: { dispositions: readonly Disposition[] }) => (
  <DataTable
    caption="Dispositions"
    columns={dispositionColumns}
    rows={dispositions}
    rowId={({ at, words }) => `${at.toISOString()} ${words}`}
    empty={
      <Empty title="No dispositions">
        The disposition of a missing drive is recorded on its host&apos;s page.
      </Empty>
    }
  />
);

const formatTries = ({ readable, tries, passedOver }: DriveErase): string =>
  readable
    ? [
        tries.length === 0 ? "nothing sent" : formatCounted(tries.length, "attempt", "attempts"),
        passedOver.length === 0 ? null : `${passedOver.length} not offered`,
      ]
        .filter((part) => part !== null)
        .join(", ")
    : "report unreadable by this version";

const reclamationHref = ({ host, reclamation }: DriveErase): string =>
  host.gone || host.name === null
    ? routes.gone.one(host.id, { reclamation: reclamation.id })
    : routes.host(host.name, { reclamation: reclamation.id });

const column = columnsOf<DriveErase>();

const columnsFor = (
  open: ReadonlySet<string>,
  onToggle: (id: string) => void,
): readonly TableColumn<DriveErase>[] => [
  column.cell("result", "Result", (erase) => <EraseMark erase={erase} />, {
    width: "24%",
    narrow: "top-start",
    rowHeader: true,
  }),
  column.cell(
    "tries",
    "Attempts",
    (erase) => (
      <Opener isOpen={open.has(erase.id)} onToggle={() => onToggle(erase.id)} what="attempts">
        {formatTries(erase)}
      </Opener>
    ),
    { width: "16%", narrow: "bottom-start" },
  ),
  column.text("read", "Read back", ({ verification }) => verification, {
    from: "medium",
    className: "text-quiet",
  }),
  column.cell("host", "Host", ({ host }) => <HostLink host={host} />, { width: "16%", narrow: "top-end" }),
  column.cell(
    "reclamation",
    "Reclamation",
    (erase) => (
      <Link className="link" href={reclamationHref(erase)} prefetch={false}>
        {erase.reclamation.number}
      </Link>
    ),
    { width: 112, from: "medium", className: "mono" },
  ),
  column.proofTime("at", "When", ({ at }) => at, {
    align: "end",
    narrow: "bottom-end",
    className: "text-quiet",
  }),
];

/** A drive's erases, one per line; expanded, every technique of the policy with what was sent, answered and refused. */
function ErasesTable({ erases }: { erases: readonly DriveErase[] }) {
  const printing = usePrinting();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return (
    <DataTable
      caption="Erases"
      columns={columnsFor(open, toggle)}
      rows={erases}
      rowId={({ id }) => id}
      detail={(erase) => (printing || open.has(erase.id) ? <EraseTries erase={erase} /> : null)}
      empty={
        <Empty title="Never erased by Reclaim">No reclamation has reported a result for this drive.</Empty>
      }
    />
  );
}

/** Why it counts or not, the techniques passed over, and each command with its answer. */
function EraseTries({ erase }: { erase: DriveErase }) {
  const { reason, level, standard, techniqueTable, step, attempt, firmware, readable, passedOver, tries } =
    erase;
  return (
    <div className="gate-evidence">
      <p>
        {reason}. Level {level} under {standard}, by version {techniqueTable} of the table of techniques;{" "}
        <span className="mono text-small">{step}</span>, attempt {attempt}
        {firmware === null ? null : `, firmware ${firmware}`}.
        {readable ? null : " This version cannot read the report, so the commands sent are not known."}
      </p>
      <ol>
        {passedOver.map(({ technique, why }) => (
          <li key={technique}>
            <span className="mono text-small">{technique}</span>: not sent because the drive does not support
            it: {why}
          </li>
        ))}
        {tries.map((tried, index) => (
          <li key={index}>
            <span className="mono text-small">{tried.technique}</span>: {tried.refused ?? "completed"}
            <AttemptAnswer attempt={tried} />
          </li>
        ))}
      </ol>
    </div>
  );
}

type Standing = Pick<DriveDetail, "stays" | "erases" | "dispositions">;

function placeText({ stays, dispositions }: Standing): string {
  const now = stays.filter(({ until }) => until === null);
  const names = now.map(
    ({ host, slot }) => `${host.name ?? "a host without a record"}${slot === null ? "" : `, ${slot}`}`,
  );
  if (now.length > 1)
    return `Listed by ${formatCounted(now.length, "host")}, ${names.join("; ")}: their next inventories will show which of them has it`;
  if (now.length === 1) return `In ${names[0] ?? ""}`;
  const stated = dispositions.find(({ withdrawn }) => withdrawn === null);
  if (stated !== undefined) return `Not in any host; ${stated.words}, stated by ${stated.by}`;
  return stays.length === 0 ? "Never listed by a host" : "Not in any host";
}

/** A drive's status in one line: where it is, and its latest result. Pure. */
export function driveStatus(drive: Standing): { readonly tone: Tone; readonly words: string } {
  const [newest] = drive.erases;
  const last =
    newest === undefined
      ? "never erased by Reclaim"
      : newest.verdict === "sanitized"
        ? `last erase: ${newest.level}`
        : "last erase failed";
  const twice = drive.stays.filter(({ until }) => until === null).length > 1;
  const failed = newest !== undefined && newest.verdict !== "sanitized";
  return {
    tone: failed ? "failed" : twice ? "attention" : "neutral",
    words: `${placeText(drive)}; ${last}.`,
  };
}

const refreshMs = 5_000;

export function DrivePage({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data: drive, refetch } = useSuspenseQuery(trpc.drives.get.queryOptions({ id }));
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const { stays, moreStays, erases, erasesTotal, failures, moreFailures, dispositions } = drive;
  return (
    <>
      <Head drive={drive} />
      <Section words="Hosts" sum={moreStays ? `the newest ${stays.length}` : "newest first"}>
        <StaysTable stays={stays} />
      </Section>
      <Section
        words="Erases"
        sum={
          erases.length < erasesTotal
            ? `the newest ${erases.length} of ${erasesTotal}`
            : formatCounted(erasesTotal, "result")
        }
      >
        <ErasesTable erases={erases} />
      </Section>
      <Section
        words="Failures"
        sum={
          moreFailures
            ? `the newest ${failures.length} that stopped hosts because of this drive`
            : "failures that this drive caused"
        }
      >
        <FailuresTable failures={failures} />
      </Section>
      <Section words="Dispositions" sum="what people recorded about it">
        <DispositionsTable dispositions={dispositions} />
      </Section>
    </>
  );
}

function Section({ words, sum, children }: { words: string; sum: string; children: ReactNode }) {
  return (
    <>
      <div className="sec">
        <h2>{words}</h2>
        <span className="sum cut">{sum}</span>
      </div>
      {children}
    </>
  );
}

const factsOf = (drive: DriveDetail): readonly Fact[] => [
  ["Manufacturer", drive.manufacturer ?? "not reported"],
  ["Firmware", drive.firmware ?? "not reported"],
  [
    "Medium",
    [...new Set([drive.media, drive.transport])].filter((part) => part !== null).join(", ") || "not reported",
  ],
  ["Size", drive.capacityBytes === null ? "not reported" : formatBytes(drive.capacityBytes)],
  ["WWN", drive.wwn ?? "not reported"],
  ["First seen", <ProofTime key="first" at={drive.firstSeenAt} />],
];

function Head({ drive }: { drive: DriveDetail }) {
  const { tone, words } = driveStatus(drive);
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.drives.list()}>
          Drives
        </Link>
        <h1 className="mono">{drive.serial}</h1>
        <span className="what">
          {drive.model} <CopyButton text={drive.serial} what={`serial ${drive.serial}`} />
        </span>
        <SignedFile text={drive.serial} />
      </div>
      <div className="now" data-tone={tone}>
        <div>
          <p className="line">
            <Mark tone={tone} live={false} />
            <span className="standing">{words}</span>
          </p>
          {drive.debts.map(({ chassisSerial, since }) => (
            <p key={`${chassisSerial} ${since.toISOString()}`} className="says next">
              Chassis {chassisSerial} has a sanitization debt for this drive since <ProofTime at={since} />.
              Debts identify drives by serial number only.
            </p>
          ))}
          {drive.twins.length === 0 ? null : (
            <p className="says next">
              Another drive has this serial number:{" "}
              {drive.twins.map(({ id, model }, index) => (
                <Fragment key={id}>
                  {index === 0 ? null : ", "}
                  <Link className="link" href={routes.drives.one(id)}>
                    {model}
                  </Link>
                </Fragment>
              ))}
              .
            </p>
          )}
        </div>
        <Facts facts={factsOf(drive)} />
      </div>
    </>
  );
}
