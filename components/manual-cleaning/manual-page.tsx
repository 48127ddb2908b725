"use client";
// Manual cleaning: a list of steps is built and run, on one host, several, or all that a filter finds.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo, useState } from "react";
import { BulkDialog, type Work } from "@/components/bulk-acts/bulk-dialog";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCounted } from "@/components/ui/format/numbers";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { formatMoment } from "@/components/ui/format/times";
import { useNow, useTimeZone } from "@/components/ui/time/clock";
import type { Catalogue, CleaningEstimate, RunbookLine } from "@/server/surfaces/trpc/types";
import { Builder } from "@/components/plans/builder";
import { emptyOrder, orderOf, stepsOf, type Order } from "@/components/plans/order";
import { sumWords } from "@/components/plans/take";
import { TakeSection } from "@/components/plans/take-section";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { OpenRunbook, SaveRunbook } from "@/components/runbooks/runbook-dialogs";
import type { CleanTarget } from "@/components/manual-cleaning/manual-view";
import { RunFoot } from "@/components/manual-cleaning/run-foot";
import { RunOneDialog } from "@/components/manual-cleaning/run-one-dialog";
import { useEstimate, useFaults } from "@/components/plans/use-estimate";
import { routes } from "@/server/domain/console/routes";

const refreshMs = 2000;

interface ManualPageProps {
  target: Exclude<CleanTarget, { kind: "none" }>;
  /** The one host, or with many the one that serves as an example. */
  host: string;
  /** How many hosts. */
  count: number;
  /** Opened from the URL. */
  runbook: RunbookLine | null;
}

/** A runbook runs as itself, with the lock of its traits, as long as its list is untouched. */
function workOf(order: Order, runbook: RunbookLine | null): Work {
  const steps = stepsOf(order);
  return runbook !== null && JSON.stringify(steps) === JSON.stringify(stepsOf(orderOf(runbook.steps)))
    ? { runbookId: runbook.id }
    : { steps };
}

export function ManualPage({ target, host, count, runbook: opened }: ManualPageProps) {
  const trpc = useTRPC();
  const { data: scopes } = useSuspenseQuery(trpc.cleaning.scopes.queryOptions());
  const { data: catalogue, refetch } = useSuspenseQuery(
    trpc.cleaning.catalogue.queryOptions({ kind: "host", host }),
  );
  useLiveRefresh(refetch, { hostId: catalogue.subject.id, everyMs: refreshMs });
  const [runbook, setRunbook] = useState(opened);
  const [order, setOrder] = useState(() => (opened === null ? emptyOrder : orderOf(opened.steps)));
  const [dialog, setDialog] = useState<"run" | "open" | "save" | null>(null);
  const steps = useMemo(() => stepsOf(order), [order]);
  const faults = useFaults(steps, catalogue.steps);
  const { estimate, error, refetch: again } = useEstimate(catalogue.subject.id, steps);
  const one = target.kind === "one";
  const name = catalogue.subject.name;
  const work = workOf(order, runbook);
  const asRunbook = "runbookId" in work ? runbook : null;
  const erasing = order.items.flatMap((item, index) =>
    catalogue.steps.find((step) => step.name === `${item.interface}.${item.step}`)?.erases === true
      ? [index + 1]
      : [],
  );
  const locked =
    asRunbook !== null &&
    one &&
    !asRunbook.traits.some((trait) => catalogue.host?.traits.includes(trait) === true)
      ? `The host shares no trait with the runbook ${asRunbook.name}, which is for ${asRunbook.traits.join(", ")}`
      : null;
  const refusal = !scopes.mayClean
    ? "Your role may not clean hosts"
    : (locked ?? (one ? (estimate?.refusal ?? null) : null));
  const onWhat = one ? name : formatCounted(count, "host");
  return (
    <>
      <CleaningHead
        what={<HeadWords target={target} catalogue={catalogue} count={count} />}
        acts={
          <>
            <Button onClick={() => setDialog("open")}>Open runbook…</Button>
            <Button
              onClick={() => setDialog("save")}
              disabledReason={
                !scopes.mayWriteRunbooks
                  ? "Your role may not write runbooks"
                  : steps.length === 0
                    ? "Add a step first"
                    : faults.length > 0
                      ? "A step is not complete"
                      : undefined
              }
            >
              Save as runbook…
            </Button>
          </>
        }
      />
      <div className="above">
        {one ? <Abandons name={name} state={catalogue.host?.state} estimate={estimate} /> : null}
      </div>
      <Builder
        steps={catalogue.steps}
        ofOneHost={one}
        order={order}
        onChange={setOrder}
        faults={faults}
        estimates={estimate?.steps ?? []}
        sum={
          asRunbook === null
            ? estimate === undefined
              ? ""
              : sumWords(estimate, steps.length)
            : `runbook ${asRunbook.name}${estimate === undefined ? "" : `: ${sumWords(estimate, steps.length)}`}`
        }
        below={
          steps.length === 0 ? null : (
            <TakeSection estimate={estimate} error={error} onRetry={again} exampleOf={one ? null : name} />
          )
        }
        foot={
          <RunFoot
            count={steps.length}
            onWhat={onWhat}
            faults={faults}
            refusal={refusal}
            erasing={erasing}
            typed={one ? "the host's name" : "how many hosts"}
            onRun={() => setDialog("run")}
          />
        }
      />
      {dialog === "run" ? (
        one ? (
          <RunOneDialog
            host={{ id: catalogue.subject.id, name, stateVersion: catalogue.host?.stateVersion ?? "" }}
            work={work}
            estimate={estimate}
            words={`Run ${formatCounted(steps.length, "step")} on ${name}`}
            onClose={() => setDialog(null)}
          />
        ) : (
          <BulkDialog
            intent="clean"
            words={`Run ${formatCounted(steps.length, "step")}`}
            target={target.kind === "many" ? { hostIds: [...target.hostIds] } : { filter: target.filter }}
            work={work}
            onClose={() => setDialog(null)}
          />
        )
      ) : null}
      {dialog === "open" ? (
        <OpenRunbook
          onClose={() => setDialog(null)}
          onOpen={(chosen) => {
            setRunbook(chosen);
            setOrder(orderOf(chosen.steps));
            setDialog(null);
          }}
        />
      ) : null}
      {dialog === "save" ? (
        <SaveRunbook
          steps={steps}
          traits={scopes.traits}
          hostTraits={catalogue.host?.traits ?? []}
          onClose={() => setDialog(null)}
          onSaved={(saved) => {
            setRunbook(saved);
            setDialog(null);
          }}
        />
      ) : null}
    </>
  );
}

/** "gpu-a-0417, R750xa; 41 steps known, reported by agent 1.4.0 at 13:59". */
function HeadWords({
  target,
  catalogue,
  count,
}: {
  target: ManualPageProps["target"];
  catalogue: Catalogue;
  count: number;
}) {
  const now = useNow();
  const zone = useTimeZone();
  const { subject, agent, steps } = catalogue;
  const known = `${steps.length} steps known${agent === null ? "" : `, reported by agent ${agent.version} at ${formatMoment(agent.reportedAt, now, zone)}`}`;
  if (target.kind === "one") {
    return (
      <>
        <Link className="link" href={routes.host(subject.name)}>
          {subject.name}
        </Link>
        {subject.sku === null ? "" : `, ${subject.sku.name}`}; {known}
      </>
    );
  }
  return (
    <>
      {target.kind === "filter" ? (
        <Link className="link" href={routes.hosts({ q: target.filter })}>
          {formatCounted(count, "host")}
        </Link>
      ) : (
        formatCounted(count, "host")
      )}
      {target.kind === "filter"
        ? ` by filter${target.filter === "" ? "" : ` ${target.filter}`}`
        : " selected"}
      ; {known} on {subject.name}
    </>
  );
}

/** What running this ends, and what stays owed. */
function Abandons({
  name,
  state,
  estimate,
}: {
  name: string;
  state: string | undefined;
  estimate: CleaningEstimate | undefined;
}) {
  const abandons = estimate?.abandons;
  if (abandons == null || state === undefined) return null;
  const debt =
    abandons.debtDrives === 0
      ? "it owes nothing"
      : `its debt of ${formatCounted(abandons.debtDrives, "drive")} stays`;
  return (
    <Notice tone="attention">
      {name} is in {state.replaceAll("/", " / ")}. Running this ends {abandons.kind} {abandons.number} as{" "}
      <b className="text-medium">abandoned</b>; {debt}, and providing the host begins a new one.
    </Notice>
  );
}
