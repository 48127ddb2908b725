"use client";
// The record of a host that has left the fleet: how, by whom and why, with its leftovers, reclamations, gates and states.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { CopyButton } from "@/components/ui/copy-button";
import { Empty } from "@/components/ui/empty";
import { Facts, type Fact } from "@/components/ui/head/facts";
import { Mark } from "@/components/ui/mark";
import { ProofTime } from "@/components/ui/time/time";
import { formatCounted } from "@/server/domain/numbers";
import { GatesTable } from "@/components/reclamations/gates-table";
import { ReclamationsTable, StatesTable } from "@/components/reclamations/history-tables";
import { RunsTable } from "@/components/reclamations/step-runs/runs-table";
import { routes } from "@/server/domain/console/routes";
import type { GoneDetail } from "@/server/surfaces/trpc/types";
import { goneLook } from "@/components/hosts/decommission/gone-look";
import { LeftoversTable } from "@/components/hosts/decommission/leftovers-table";

interface GoneRecordProps {
  id: string;
  /** The reclamation to show; undefined for the one with which it left. */
  reclamationId: string | undefined;
}

export function GoneRecord({ id, reclamationId }: GoneRecordProps) {
  const trpc = useTRPC();
  const { data: gone } = useSuspenseQuery(trpc.hosts.goneOne.queryOptions({ host: id }));
  return (
    <>
      <Head gone={gone} />
      <div className="sec">
        <h2>Leftovers</h2>
      </div>
      <LeftoversTable leftovers={gone.leftovers} />
      <Reclamation gone={gone} reclamationId={reclamationId ?? gone.reclamationId ?? undefined} />
      <History gone={gone} />
    </>
  );
}

function factsOf(gone: GoneDetail): readonly Fact[] {
  const place = [`site ${gone.site}`, gone.rack, gone.slot].filter((part) => part !== null).join(" / ");
  return [
    ["By", gone.byName ?? "unknown"],
    ["Reason", gone.reason ?? "none given"],
    ["Place", place],
    ["SKU", gone.sku ?? "none"],
    ["BMC", gone.bmcAddress ?? "none"],
    ["Enrolled", <ProofTime key="enrolled" at={gone.enrolledAt} />],
    ...(gone.debts === 0
      ? []
      : [["Debt", `${formatCounted(gone.debts, "sanitization")} owed by this chassis`] as const]),
    ...(gone.returnedAs === null
      ? []
      : [
          [
            "Enrolled again as",
            <Link key="back" className="link" href={routes.host(gone.returnedAs)}>
              {gone.returnedAs}
            </Link>,
          ] as const,
        ]),
  ];
}

function Head({ gone }: { gone: GoneDetail }) {
  const { tone, words } = goneLook[gone.how];
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.gone.list()}>
          Removed hosts
        </Link>
        <h1>{gone.name}</h1>
        <span className="what">
          {gone.model ?? gone.manufacturer ?? "unknown model"}, {gone.serial ?? "serial never read"}{" "}
          {gone.serial === null ? null : <CopyButton text={gone.serial} what={`serial ${gone.serial}`} />}
        </span>
      </div>
      <div className="now" data-tone={tone}>
        <div>
          <p className="line">
            <Mark tone={tone} live={false} />
            {words}
            <span className="since">
              <ProofTime at={gone.goneAt} />
            </span>
          </p>
          <p className="says next">The host has left the fleet. This is its read-only record.</p>
        </div>
        <Facts facts={factsOf(gone)} />
      </div>
    </>
  );
}

/** One of its reclamations: step runs with their devices, and gates with their evidence. */
function Reclamation({ gone, reclamationId }: { gone: GoneDetail; reclamationId: string | undefined }) {
  const trpc = useTRPC();
  const of = { hostId: gone.hostId, ...(reclamationId === undefined ? {} : { reclamationId }) };
  const { data: detail } = useSuspenseQuery(trpc.host.reclamation.queryOptions(of));
  const { data: gates } = useSuspenseQuery(trpc.host.gates.queryOptions(of));
  if (detail === null) return null;
  return (
    <>
      <div className="sec">
        <h2>Reclamation {detail.reclamation.number}</h2>
        <span className="sum cut">{detail.reclamation.outcome ?? "not ended"}</span>
      </div>
      {detail.stepRuns.length === 0 ? (
        <Empty title="No plan was made">No clean step ran in this reclamation.</Empty>
      ) : (
        <RunsTable runs={detail.stepRuns} disabled={detail.disabled} />
      )}
      <div className="sec">
        <h2>Gates</h2>
      </div>
      <GatesTable gates={gates} host={null} />
    </>
  );
}

function History({ gone }: { gone: GoneDetail }) {
  const trpc = useTRPC();
  const { data: history } = useSuspenseQuery(trpc.host.history.queryOptions({ hostId: gone.hostId }));
  return (
    <>
      <div className="sec">
        <h2>Reclamations</h2>
        <span className="sum cut">newest first</span>
      </div>
      <ReclamationsTable
        href={(reclamation) => routes.gone.one(gone.id, { reclamation })}
        reclamations={gone.reclamations}
        empty={<Empty title="No reclamations">This host never had a reclamation.</Empty>}
      />
      <div className="sec">
        <h2>States</h2>
        <span className="sum cut">the last {history.states.length}, newest first</span>
      </div>
      <StatesTable states={history.states} />
    </>
  );
}
