"use client";
// One return in the side panel: its standing, what was proven, exceptions with their people, drives, timeline, and verification in this browser.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMe } from "@/components/frame/me";
import { VerifyCertificate } from "@/components/assurance/certificates/verify-certificate";
import { ProofCommand } from "@/components/assurance/proof/proof-drawer";
import { FileLinks, FullTime, isInProgress } from "@/components/assurance/proof/return-cells";
import { ReturnDrives, ReturnExceptions } from "@/components/assurance/proof/return-parts";
import { ReturnTimeline } from "@/components/assurance/proof/return-timeline";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Mark } from "@/components/ui/mark";
import { SidePanel } from "@/components/ui/side/side-panel";
import { Skeleton } from "@/components/ui/skeleton";
import { standingMeaning, standingText, standingTone } from "@/server/domain/assurance/standing";
import { routes } from "@/server/domain/console/routes";
import type { ProofReturn } from "@/server/surfaces/trpc/types";

interface PanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

const titleOf = ({ host, instance, tenant }: ProofReturn, isTenant: boolean): string => {
  if (isTenant) return instance?.name ?? "Return";
  const name = host.name ?? host.serial ?? "Host";
  return tenant === null ? name : `${name}, returned by ${tenant.name}`;
};

export function ReturnPanel({ id, onClose }: PanelProps) {
  const trpc = useTRPC();
  const isTenant = useMe().tenant !== null;
  const read = useQuery(trpc.proof.get.queryOptions({ id }));
  const found = read.data;
  return (
    <SidePanel
      label="Return"
      title={found === undefined ? "Return" : titleOf(found, isTenant)}
      what={found?.host.serial == null ? "" : `serial ${found.host.serial}`}
      onClose={onClose}
    >
      {read.isPending ? <Skeleton rows={10} /> : null}
      {read.isError ? (
        <ProblemNotice
          error={read.error}
          before="The return could not be read."
          onRetry={() => void read.refetch()}
        />
      ) : null}
      {found === undefined ? null : <Found found={found} isTenant={isTenant} />}
    </SidePanel>
  );
}

function Found({ found, isTenant }: { readonly found: ProofReturn; readonly isTenant: boolean }) {
  const { instance, sku, site, rack, points, file, settledBy } = found;
  const place = [site === null ? null : `site ${site}`, rack === null ? null : `rack ${rack}`];
  const where = [instance === null ? null : `Instance ${instance.name}`, sku, ...place].filter(
    (part) => part !== null,
  );
  return (
    <>
      <p className="text-quiet">
        {where.join(", ")}; returned <FullTime at={found.at} />
      </p>
      <Verdict found={found} />
      {settledBy === null ? null : (
        <p>
          What it left open was settled by{" "}
          <Link className="link" href={routes.proof({ open: settledBy.id })}>
            {settledBy.name}
          </Link>
          .
        </p>
      )}
      {points.length === 0 ? null : (
        <>
          <h3>{isTenant ? "What this means for you" : "What was proven"}</h3>
          <ul className="proof-points">
            {points.map(({ tone, words }) => (
              <li key={words}>
                <Mark tone={tone} />
                <span>{words}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <ReturnExceptions exceptions={found.exceptions} isTenant={isTenant} />
      <ReturnDrives drives={found.drives} isTenant={isTenant} />
      <ReturnTimeline key={found.id} found={found} isTenant={isTenant} />
      {file?.signedAt == null ? null : <Verify id={file.id} />}
    </>
  );
}

function Verdict({ found }: { readonly found: ProofReturn }) {
  const { standing, says, endedAt, file } = found;
  const inProgress = isInProgress(found);
  const tone = inProgress ? "neutral" : standingTone[standing];
  return (
    <div className="proof-verdict" data-tone={tone}>
      <Mark tone={tone} label="" />
      <div>
        <b>{standingText[standing]}</b>
        {inProgress ? null : <p>{standingMeaning[standing]}</p>}
        <p className="text-quiet">
          {says}
          {endedAt === null ? null : (
            <>
              , ended <FullTime at={endedAt} />
            </>
          )}
          {file?.number == null ? null : <span className="mono"> {file.number}</span>}
        </p>
      </div>
      <FileLinks line={found} />
    </div>
  );
}

/** The same check as `reclaim verify`, in this browser. */
function Verify({ id }: { readonly id: string }) {
  const trpc = useTRPC();
  const read = useQuery(trpc.certificates.get.queryOptions({ id }));
  const command = `reclaim verify certificate-${id}.json`;
  return (
    <>
      {read.data === undefined ? null : <VerifyCertificate key={id} bundle={read.data.bundle} byKey />}
      {read.isError ? (
        <ProblemNotice
          error={read.error}
          before="The certificate could not be read."
          onRetry={() => void read.refetch()}
        />
      ) : null}
      <ProofCommand label="Or without us, on your own machine:" text={command} />
    </>
  );
}
