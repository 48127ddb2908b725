"use client";
// A host's Parts tab: its parts against the SKU; its GPUs, network cards and memory modules; what changed since it was last verified, and who accepted it.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { SkuParts } from "@/components/hosts/parts/sku-parts";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { Empty } from "@/components/ui/empty";
import { Notice } from "@/components/ui/notice";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { Age, ProofTime } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import { canaryWords, clearedWords } from "@/server/domain/hosts/device-memory/device-memory";
import { partWords } from "@/server/domain/hosts/parts/part";
import { sizeText, skuPartWords } from "@/server/domain/hosts/parts/sku-parts";
import type { HostDetail, HostPartsView } from "@/server/surfaces/trpc/types";

type Source = HostPartsView["sources"][number];
type Row = Source["found"][number];
type Statement = HostPartsView["statements"][number];

const refreshMs = 5000;
const sourceNames: Readonly<Record<string, string>> = { agent: "by the agent", bmc: "by the BMC" };

export function PartsTab({ host, onDone }: { host: HostDetail; onDone: () => void }) {
  const trpc = useTRPC();
  const { data: parts, refetch } = useSuspenseQuery(trpc.parts.ofHost.queryOptions({ hostId: host.id }));
  const { data: inventory, refetch: readInventory } = useSuspenseQuery(
    trpc.host.inventory.queryOptions({ hostId: host.id }),
  );
  const refresh = () => Promise.all([refetch(), readInventory()]);
  useLiveRefresh(refresh, { hostId: host.id, everyMs: refreshMs });
  const done = () => {
    void refresh();
    onDone();
  };
  return (
    <>
      <SkuParts sku={host.sku} inventory={inventory} />
      <div className="sec">
        <h2>GPUs, NICs and memory</h2>
        <span className="sum cut">{comparedText(parts)}</span>
      </div>
      <Changes host={host} parts={parts} onDone={done} />
      {parts.sources.length === 0 ? (
        <Empty title="No parts reported yet">
          The agent reports them each time it starts. Ironic&apos;s agent and agents of earlier releases do
          not.
        </Empty>
      ) : (
        parts.sources.map((source) => <PartTable key={source.source} source={source} />)
      )}
      <MemoryGate host={host} gate={parts.memoryGate} />
      <Statements rows={parts.statements} />
    </>
  );
}

function comparedText({ notCompared }: HostPartsView): string {
  if (notCompared === null) return "no SKU is assigned, so they are not compared with one";
  return notCompared.length === 0
    ? "compared with the SKU"
    : `the SKU does not compare ${notCompared.map((kind) => skuPartWords[kind].many).join(", ")}`;
}

/** What changed, with the way to accept it. Empty if nothing has. */
function Changes({ host, parts, onDone }: { host: HostDetail; parts: HostPartsView; onDone: () => void }) {
  const [asked, setAsked] = useState(false);
  if (parts.changes.length === 0) return null;
  const mayAccept = host.actions.some(({ intent }) => intent === "disposeDrive");
  const waiting = parts.statements.find(({ status }) => status === "waits");
  return (
    <div className="after">
      <Notice tone="failed">
        Changed since this host was last verified
        {parts.knownAt === null ? null : (
          <>
            {" "}
            (<ProofTime at={parts.knownAt} />)
          </>
        )}
        :
        <ul>
          {parts.changes.map(({ words }) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
        {waiting === undefined
          ? "The host does not become Ready until two people accept this: an operator records it, another person signs it."
          : `Recorded by ${waiting.by}; it waits for the signature of another person.`}
      </Notice>
      {mayAccept && waiting === undefined ? (
        <Button small onClick={() => setAsked(true)}>
          Accept changed parts…
        </Button>
      ) : null}
      {asked ? (
        <ActDialog
          title={`Accept the changed parts of ${host.name}?`}
          consequence={`${parts.changes.map(({ words }) => words).join(". ")}. Once another person has signed it, the host is compared with these parts from now on.`}
          confirmWords="Accept parts"
          reason="For example, an RMA number."
          send={({ reason }, client) =>
            client.parts.accept.mutate({ hostId: host.id, evidence: parts.evidence, reason })
          }
          said="Changed parts recorded; they wait for another person"
          onClose={() => setAsked(false)}
          onDone={onDone}
        />
      ) : null}
    </div>
  );
}

/** What the column "Memory cleared" rests on. */
function MemoryGate({ host, gate }: { host: HostDetail; gate: HostPartsView["memoryGate"] }) {
  if (gate === null) return null;
  const where = routes.host(host.name, { tab: "reclamation", reclamation: gate.reclamationId });
  return (
    <p className="text-quiet after">
      <Link href={where}>Reclamation {gate.reclamation}</Link>, {`${gate.gate}: ${gate.status}`}{" "}
      <ProofTime at={gate.at} />: {gate.reason}
    </p>
  );
}

function PartTable({ source: { source, collectedAt, untold, found, boards } }: { source: Source }) {
  const told = sourceNames[source] ?? source;
  return (
    <>
      <p className="text-quiet after">
        Reported {told} <Age at={collectedAt} /> ago
        {untold.map(({ kind, reason }) => `; ${partWords[kind].many} not reported: ${reason}`).join("")}
      </p>
      <DataTable
        caption={`Parts reported ${told}`}
        columns={columns}
        rows={found}
        rowId={({ kind, slot, serial }) => `${kind} ${slot} ${serial ?? ""}`}
        empty={
          untold.length === 0 ? (
            <Empty title="No parts">This source lists none.</Empty>
          ) : (
            <Empty title="No parts known">This source did not report them, for the reasons above.</Empty>
          )
        }
      />
      {boards.length === 0 ? null : (
        <p className="text-quiet after">
          Boards:{" "}
          {boards
            .map(({ name, model, serial }) => [name, model, `serial ${serial}`].filter(isText).join(" "))
            .join("; ")}
        </p>
      )}
    </>
  );
}

const isText = (value: string | undefined): value is string => value !== undefined && value !== "";

const clearedText = ({ cleared }: Row): string =>
  cleared === null
    ? ""
    : `${clearedWords[cleared.verdict]}${cleared.canary === null ? "" : `; ${canaryWords[cleared.canary]}`}`;

const linkText = ({ link }: Row): string => {
  if (link?.width === undefined) return "";
  const speed = link.speed === undefined ? "" : `, ${link.speed} GT/s`;
  return `x${link.width}${link.maxWidth === undefined ? "" : ` of x${link.maxWidth}`}${speed}`;
};

const column = columnsOf<Row>();

const columns = [
  column.cell("part", "Part", ({ kind }) => partWords[kind].one, {
    width: 120,
    narrow: "top-start",
    rowHeader: true,
  }),
  column.cell("slot", "Slot", ({ slot }) => slot, { width: 120, narrow: "top-end", className: "mono" }),
  column.cell("model", "Model", ({ model }) => model, { narrow: "line", className: "wrapping" }),
  column.cell("serial", "Serial", ({ serial }) => serial ?? "", {
    narrow: "bottom-start",
    className: "mono",
  }),
  column.cell("firmware", "Firmware", ({ firmware }) => firmware ?? "", { className: "text-quiet" }),
  column.cell(
    "memory",
    "Memory",
    ({ memoryBytes, memoryType }) =>
      [memoryType ?? "", memoryBytes === undefined ? "" : sizeText(memoryBytes)]
        .filter((each) => each !== "")
        .join(" "),
    { narrow: "bottom-end" },
  ),
  column.cell("link", "PCIe link", linkText, { className: "text-quiet wrapping" }),
  column.cell("errors", "Memory errors", ({ errors }) => errors ?? "", {
    narrow: "line",
    className: "text-quiet wrapping",
  }),
  column.cell(
    "cleared",
    "Memory cleared",
    (row) => <span title={row.cleared?.why ?? undefined}>{clearedText(row)}</span>,
    { narrow: "line", className: "wrapping" },
  ),
  column.cell(
    "fault",
    "Fault",
    ({ trouble }) =>
      trouble === null ? (
        ""
      ) : (
        <span className="tone" data-tone="failed">
          {trouble}
        </span>
      ),
    { narrow: "line", className: "wrapping", sort: ({ trouble }) => (trouble === null ? 1 : 0) },
  ),
];

const statusWords = {
  waits: "waits for a signature",
  signed: "signed",
  rejected: "rejected",
  void: "void",
  taken: "verified",
} as const satisfies Record<Statement["status"], string>;

function Statements({ rows }: { rows: readonly Statement[] }) {
  return rows.length === 0 ? null : (
    <DataTable
      caption="Accepted changes of parts"
      columns={statementColumns}
      rows={rows}
      rowId={({ id }) => id}
    />
  );
}

const statementColumn = columnsOf<Statement>();

const statementColumns = [
  statementColumn.cell("words", "Change", ({ words }) => words, {
    narrow: "line",
    className: "wrapping",
    rowHeader: true,
  }),
  statementColumn.cell("reason", "Reason", ({ reason }) => reason, { narrow: "line", className: "wrapping" }),
  statementColumn.cell("by", "Recorded by", ({ by, at }) => (
    <>
      {by}, <ProofTime at={at} />
    </>
  )),
  statementColumn.cell(
    "status",
    "Status",
    ({ status, decidedBy }) => `${statusWords[status]}${decidedBy === null ? "" : `, ${decidedBy}`}`,
    { narrow: "bottom-end" },
  ),
];
