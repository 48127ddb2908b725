"use client";
// One certificate in the side panel: its content, its files, and its verification.
import { useQuery } from "@tanstack/react-query";
import { typeLabel } from "@/components/assurance/certificates/certificate-labels";
import { VerifyCertificate } from "@/components/assurance/certificates/verify-certificate";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Facts } from "@/components/ui/head/facts";
import { IdText } from "@/components/ui/id-text";
import { Notice } from "@/components/ui/notice";
import { SidePanel } from "@/components/ui/side/side-panel";
import { Skeleton } from "@/components/ui/skeleton";
import { ProofTime } from "@/components/ui/time/time";
import { isWhole } from "@/server/domain/assurance/certificates/statement";
import { readAs } from "@/server/domain/assurance/certificates/supported";
import type { AnyStatement } from "@/server/domain/assurance/certificates/statement";
import { openBundle } from "@/server/domain/assurance/certificates/verify";
import { routes } from "@/server/domain/console/routes";

interface PanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function CertificatePanel({ id, onClose }: PanelProps) {
  const trpc = useTRPC();
  const read = useQuery(trpc.certificates.get.queryOptions({ id }));
  const opened = read.data === undefined ? null : openBundle(read.data.bundle);
  const said = opened === null || "what" in opened ? null : opened.statement;
  return (
    <SidePanel
      className="certificate-panel"
      label="Certificate"
      title={said === null ? "Certificate" : labelOf(said)}
      what={<IdText id={id} copy="the id" />}
      onClose={onClose}
    >
      {read.isPending ? <Skeleton rows={8} /> : null}
      {read.isError ? (
        <ProblemNotice
          error={read.error}
          before="The certificate could not be read."
          onRetry={() => void read.refetch()}
        />
      ) : null}
      {opened !== null && "what" in opened ? <Notice tone="failed">{opened.why}</Notice> : null}
      {read.data === undefined ? null : (
        <>
          <div className="certificate-acts">
            <a
              className="btn small"
              href={routes.files.certificatePdf(id)}
              download={`certificate-${id}.pdf`}
            >
              Download PDF
            </a>
            <a className="btn small" href={routes.files.certificate(id)} download={`certificate-${id}.json`}>
              Download JSON
            </a>
          </div>
          {said === null ? null : <StatementFacts said={said} />}
          <VerifyCertificate key={id} bundle={read.data.bundle} />
        </>
      )}
    </SidePanel>
  );
}

const labelOf = (said: AnyStatement): string =>
  typeLabel(readAs(said).type, isWhole(said) ? "certificate" : "receipt").words;

function StatementFacts({ said: { predicate } }: { readonly said: AnyStatement }) {
  const serial = "host" in predicate ? predicate.host.serial : predicate.machine.serial;
  const ended = "host" in predicate ? predicate.reclamation.endedAt : predicate.endedAt;
  const outcome = "host" in predicate ? predicate.reclamation.outcome : null;
  const of = "machine" in predicate ? typeLabel(predicate.certificate.type).words : null;
  const exceptions = "exceptions" in predicate ? predicate.exceptions : [];
  return (
    <>
      {exceptions.length === 0 ? null : (
        <>
          <h3>Exceptions</h3>
          <ul>
            {exceptions.map(({ gate, serial: drive, reason }, index) => (
              <li key={index}>
                {[gate, drive].filter((part) => part !== null).join(", ")}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
      <Facts
        facts={[
          [
            "Serial number",
            <span key="serial" className="mono">
              {serial}
            </span>,
          ],
          ["Ended", ended === null ? "not recorded" : <ProofTime key="ended" at={ended} />],
          ...(of === null ? [] : [["Receipt of", of] as const]),
          ...(outcome === null ? [] : [["Outcome", outcome] as const]),
        ]}
      />
      <h3>Drives</h3>
      {predicate.devices.length === 0 ? <p className="text-quiet">No drive was expected.</p> : null}
      <ul>
        {predicate.devices.map(({ serial: drive, model, result, method, technique }) => (
          <li key={`${model} ${drive}`}>
            <span className="mono">{drive}</span> ({model}): {result}
            {technique === null ? null : `, ${method ?? "no method"}, ${technique}`}
          </li>
        ))}
      </ul>
      <h3>What this does not say</h3>
      <ul>
        {predicate.limits.map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
    </>
  );
}
