"use client";
// One host in the side panel: what is wrong, earlier repairs, and what its last reclamation proved.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Suspense, useEffect, useRef } from "react";
import { HostAssuranceTab } from "@/components/assurance/host-assurance";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import {
  ClaimSection,
  EarlierRepairs,
  IssueSection,
  RepairAlerts,
} from "@/components/repair/repair-sections";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/server/domain/numbers";
import { Mark } from "@/components/ui/mark";
import { SidePanel } from "@/components/ui/side/side-panel";
import { Skeleton } from "@/components/ui/skeleton";
import { StateLabel } from "@/components/ui/state-label";
import { ProofTime, Since, Time } from "@/components/ui/time/time";
import type { Tone } from "@/components/ui/tone";
import { routes } from "@/server/domain/console/routes";
import type { RepairHost } from "@/server/surfaces/trpc/types";

const refreshMs = 3_000;

interface HostPanelProps {
  /** Host name. */
  readonly host: string;
  readonly onClose: () => void;
  /** Undefined if this user may not claim hosts. */
  readonly onClaim: ((host: RepairHost) => void) | undefined;
}

export function HostPanel({ host, onClose, onClaim }: HostPanelProps) {
  const trpc = useTRPC();
  const read = useQuery(trpc.repair.host.queryOptions({ host }));
  useLiveRefresh(() => read.refetch(), { everyMs: refreshMs });
  const panel = useRef<HTMLElement>(null);
  // On a narrow window the panel replaces the list, which hides the focused element.
  useEffect(() => {
    if (document.activeElement?.checkVisibility() === false) panel.current?.focus();
  }, []);
  return (
    <SidePanel
      ref={panel}
      tabIndex={-1}
      className="repair-panel"
      label={host}
      title={host}
      what={read.data?.sku ?? ""}
      acts={
        read.data === undefined || onClaim === undefined || !read.data.claim.allowed ? null : (
          <ClaimButton host={read.data} onClaim={onClaim} />
        )
      }
      onClose={onClose}
    >
      {read.isError ? (
        problemOf(read.error).status === 404 ? (
          <Empty title="Not in the queue">
            The host needs no repair now, or somebody else is repairing it.
          </Empty>
        ) : (
          <ProblemNotice error={read.error} before={`${host} could not be read.`} />
        )
      ) : null}
      {read.isPending ? <Skeleton rows={8} /> : null}
      {read.data === undefined || read.isError ? null : <PanelBody host={read.data} />}
    </SidePanel>
  );
}

const ClaimButton = ({
  host,
  onClaim,
}: {
  host: RepairHost;
  onClaim: NonNullable<HostPanelProps["onClaim"]>;
}) => (
  <Button small kind="main" onClick={() => onClaim(host)}>
    Claim…<span className="visually-hidden"> {host.host}</span>
  </Button>
);

function PanelBody({ host }: { host: RepairHost }) {
  const me = useMe();
  return (
    <>
      <p className="after">
        <StateLabel tone={host.tone} path={host.state} />{" "}
        {host.stateSince === null ? null : (
          <span className="text-quiet">
            <Since at={host.stateSince} />
          </span>
        )}
      </p>
      <ClaimSection host={host} />
      {me.pages.includes("hosts") ? (
        <p className="after">
          <Link className="link" href={routes.host(host.host, { tab: "repair" })}>
            Everything about {host.host}
          </Link>
        </p>
      ) : null}
      <h3>Issue, as reported</h3>
      <IssueSection host={host} />
      <h3>Alerts that request repair</h3>
      <RepairAlerts caption="Alerts that request repair" alerts={host.repairAlerts} />
      <h3>Earlier repairs</h3>
      <EarlierRepairs host={host} />
      <Labels labels={host.labels} />
      <Reclamation host={host} />
      <Procedures host={host} />
      <States host={host} />
    </>
  );
}

/** A tenant can read the procedures of a host it may claim, and record them on a host it has. For another tenant's host, it gets no state. */
function Procedures({ host }: { host: RepairHost }) {
  const trpc = useTRPC();
  const isProvider = useMe().pages.includes("hosts");
  const isTold = host.stateSince !== null;
  // Queried here as well, so that a 404 for a host released in the meantime does not break the page.
  const { isSuccess } = useQuery(
    trpc.procedures.ofHost.queryOptions({ hostId: host.hostId }, { enabled: !isProvider && isTold }),
  );
  if (!isProvider && isTold && isSuccess)
    return (
      <Suspense fallback={<Skeleton rows={3} />}>
        <HostAssuranceTab host={{ id: host.hostId, name: host.host }} />
      </Suspense>
    );
  return (
    <>
      <h3>Procedures</h3>
      <p className="after text-quiet">
        {isProvider ? (
          <Link className="link" href={routes.host(host.host, { tab: "assurance" })}>
            Procedures of {host.host} and their sign-off
          </Link>
        ) : (
          "Whoever may claim the host can read them; whoever holds it can record them."
        )}
      </p>
    </>
  );
}

function Labels({ labels }: Pick<RepairHost, "labels">) {
  if (labels === null) return null;
  const pairs = Object.entries(labels);
  return (
    <>
      <h3>Labels</h3>
      <p className={pairs.length === 0 ? "after text-quiet" : "after mono"}>
        {pairs.length === 0 ? "None." : pairs.map((pair) => pair.join("=")).join(", ")}
      </p>
    </>
  );
}

const gateTones: Readonly<Record<string, Tone>> = {
  satisfied: "good",
  unsatisfied: "attention",
  failed: "failed",
};

function Reclamation({ host: { reclamation } }: { host: RepairHost }) {
  if (reclamation === null) return null;
  return (
    <>
      <h3>
        Last reclamation, {reclamation.number}{" "}
        <span className="text-quiet">
          {reclamation.kind},{" "}
          {reclamation.endedAt === null ? (
            reclamation.stopped ? (
              "stopped"
            ) : (
              "in progress"
            )
          ) : (
            <>
              ended <ProofTime at={reclamation.endedAt} />
            </>
          )}
        </span>
      </h3>
      <ul className="repair-lines">
        {reclamation.gates.map(({ gate, status, reason }) => (
          <li key={gate}>
            <Mark
              tone={gateTones[status] ?? "neutral"}
              none={status.startsWith("not required")}
              label={status}
            />
            <span>{gate}</span>
            <span className="text-quiet">{reason ?? status}</span>
          </li>
        ))}
      </ul>
      {reclamation.steps.length === 0 ? null : <h3>Steps</h3>}
      <ul className="repair-lines">
        {reclamation.steps.map(({ step, status, devices }) => (
          <li key={step}>
            <Mark
              tone={status === "succeeded" ? "good" : status === "failed" ? "failed" : "neutral"}
              label=""
            />
            <span>{step}</span>
            <span className="text-quiet">
              {status}
              {devices === null ? "" : `, ${devices.succeeded} of ${formatCounted(devices.total, "drive")}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function States({ host: { states } }: { host: RepairHost }) {
  if (states === null || states.length === 0) return null;
  return (
    <>
      <h3>
        States <span className="text-quiet">since that reclamation began, newest first</span>
      </h3>
      <ul className="repair-lines">
        {states.map(({ state, tone, at }, index) => (
          <li key={index}>
            <Mark tone={tone} label="" />
            <span>{state}</span>
            <span className="text-quiet">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
