"use client";
// The catalogue of clean steps for a site, a SKU, a host or a hardware type, with effective priorities and the resulting order.
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCounted } from "@/components/ui/format/numbers";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time/time";
import type { Catalogue, CleaningScopes } from "@/server/surfaces/trpc/types";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { AutomatedClean } from "@/components/cleaning/steps/automated-clean";
import { HostTraits } from "@/components/cleaning/steps/host-traits";
import { OrderSection } from "@/components/cleaning/steps/order-section";
import { ScopeBar, formatSubject } from "@/components/cleaning/steps/scope-bar";
import { StepDetail } from "@/components/cleaning/steps/step-detail";
import { StepsTable } from "@/components/cleaning/steps/steps-table";
import { stepsHref, type StepsView } from "@/components/cleaning/steps/steps-view";
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import { routes } from "@/server/domain/console/routes";

const refreshMs = 3000;

export function StepsPage({ view }: { view: StepsView }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { data: scopes } = useSuspenseQuery(trpc.cleaning.scopes.queryOptions());
  const { data: catalogue, refetch } = useSuspenseQuery(trpc.cleaning.catalogue.queryOptions(view));
  const { subject } = catalogue;
  const overrides = useQuery(trpc.cleaning.overrides.queryOptions({}));
  useLiveRefresh(refetch, {
    hostId: subject.kind === "host" ? subject.id : undefined,
    everyMs: refreshMs,
    enabled: subject.kind === "host",
  });
  return (
    <>
      <CleaningHead
        what={whatText(catalogue, overrides.data?.length)}
        acts={
          subject.kind === "host" && scopes.mayClean ? (
            <Link className="btn" href={routes.cleaning.manual({ hosts: [subject.name] })}>
              Clean {subject.name} manually…
            </Link>
          ) : undefined
        }
      />
      <ScopeBar scopes={scopes} subject={subject} onChoose={(chosen) => router.push(stepsHref(chosen))} />
      {catalogue.agent === null ? null : (
        <p className="text-quiet">
          Agent {catalogue.agent.version} reported at <Time at={catalogue.agent.reportedAt} />:{" "}
          {catalogue.agent.managers.map(({ name, version }) => `${name} ${version}`).join(", ")}.
        </p>
      )}
      <FaultyFiles faults={catalogue.agent?.faults ?? []} />
      {catalogue.host === null ? null : (
        <HostTraits host={subject} traits={catalogue.host.traits} mayClean={scopes.mayClean} />
      )}
      <OrderSection catalogue={catalogue} off={offText(catalogue, scopes)} />
      <AutomatedClean catalogue={catalogue} scopes={scopes} />
      <StepsTable
        key={subject.id}
        catalogue={catalogue}
        detail={(step, close) => (
          <StepDetail step={step} subject={subject} mayOverride={scopes.mayOverride} onClose={close} />
        )}
      />
    </>
  );
}

/** Site-defined steps that the agent image should contain but the agent cannot offer. */
function FaultyFiles({ faults }: { faults: readonly string[] }) {
  if (faults.length === 0) return null;
  return (
    <div className="after">
      <Notice tone="failed">
        The agent image contains invalid step files, so no automated plan is made with it: {faults.join("; ")}
      </Notice>
    </div>
  );
}

/** "34 steps for site a; 12 automated; 3 overrides in all". */
function whatText({ steps, order, subject }: Catalogue, overrides: number | undefined): string {
  const set =
    overrides === undefined
      ? ""
      : overrides === 0
        ? "; no overrides"
        : `; ${formatCounted(overrides, "override")} in all`;
  return `${steps.length} steps for ${formatSubject(subject)}; ${order.length} automated${set}`;
}

/** Why no plan would be made; null if one would be. */
function offText({ subject, host }: Catalogue, { sites }: CleaningScopes): string | null {
  if (host?.automatedClean === false)
    return `Automated cleaning is off for ${subject.name}: no plan is made, and with a sanitization debt it does not become Ready. ${leftOutMeaning}.`;
  const site = sites.find(({ id }) => id === subject.site?.id);
  return site?.automatedClean === false && host?.automatedClean !== true
    ? `Automated cleaning is off for site ${site.name}: no plan is made there, and hosts with a sanitization debt do not become Ready. ${leftOutMeaning}.`
    : null;
}
