"use client";
// Manual cleaning: builds a list of steps and runs it on one host, several hosts, or all that a filter matches.
import Link from "next/link";
import { useState } from "react";
import { BulkDialog } from "@/components/hosts/bulk/bulk-dialog";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { RunFoot } from "@/components/cleaning/manual/run-foot";
import { RunOneDialog } from "@/components/cleaning/manual/run-one-dialog";
import { erasingSteps, useManualPlan } from "@/components/cleaning/manual/use-manual-plan";
import type { Chosen, ManualPlan } from "@/components/cleaning/manual/use-manual-plan";
import { AddTraits } from "@/components/cleaning/manual/add-traits";
import { Builder } from "@/components/cleaning/plan/builder";
import { DraftNotice } from "@/components/cleaning/plan/draft-notice";
import { TakeSection } from "@/components/cleaning/plan/take-section";
import { OpenRunbook, SaveRunbook } from "@/components/cleaning/runbooks/runbook-dialogs";
import { runbookRefusal } from "@/components/cleaning/runbooks/runbook-text";
import { Button } from "@/components/ui/button";
import { formatCounted } from "@/components/ui/format/numbers";
import { formatMoment } from "@/components/ui/format/times";
import { Notice } from "@/components/ui/notice";
import { useNow, useTimeZone } from "@/components/ui/time/clock";
import { routes } from "@/server/domain/console/routes";
import { traitRefusal } from "@/server/domain/cleaning/plan/manual";
import type { Catalogue, CleaningEstimate } from "@/server/surfaces/trpc/types";

type DialogName = "run" | "open" | "save";

export function ManualPage(chosen: Chosen) {
  const { target, count } = chosen;
  const plan = useManualPlan(chosen);
  const { catalogue, steps, faults, taken } = plan;
  const [dialog, setDialog] = useState<DialogName>();
  const one = target.kind === "one";
  const { name } = catalogue.subject;
  return (
    <>
      <CleaningHead
        what={<HeadText target={target} catalogue={catalogue} count={count} />}
        acts={<RunbookActs plan={plan} onAsk={setDialog} />}
      />
      <div className="above">
        {plan.draft.restored ? (
          <DraftNotice
            onDiscard={() => {
              plan.discard();
              plan.draft.drop();
            }}
          />
        ) : null}
        <LockedOut plan={plan} one={one} />
        {one ? <Abandons name={name} state={catalogue.host?.state} estimate={taken.estimate} /> : null}
      </div>
      <Builder
        steps={catalogue.steps}
        ofOneHost={one}
        order={plan.order}
        onChange={plan.setOrder}
        faults={faults}
        estimates={taken.byKey}
        sum={plan.words}
        below={
          steps.length === 0 ? null : (
            <TakeSection
              estimate={taken.estimate}
              error={taken.error}
              onRetry={taken.refetch}
              exampleOf={one ? null : name}
            />
          )
        }
        foot={
          <RunFoot
            count={steps.length}
            onWhat={one ? name : formatCounted(count, "host")}
            faults={faults}
            refusal={plan.refusal}
            erasing={erasingSteps(plan)}
            typed={one ? "the host's name" : "how many hosts"}
            onRun={() => setDialog("run")}
          />
        }
      />
      <Dialogs asked={dialog} plan={plan} target={target} onClose={() => setDialog(undefined)} />
    </>
  );
}

function RunbookActs({ plan, onAsk }: { plan: ManualPlan; onAsk: (name: DialogName) => void }) {
  return (
    <>
      <Button onClick={() => onAsk("open")}>Open runbook…</Button>
      <Button
        onClick={() => onAsk("save")}
        disabledReason={runbookRefusal(plan.scopes, plan.steps, plan.faults)}
      >
        Save as runbook…
      </Button>
    </>
  );
}

interface DialogsProps {
  asked: DialogName | undefined;
  plan: ManualPlan;
  target: Chosen["target"];
  onClose: () => void;
}

function Dialogs({ asked, plan, target, onClose }: DialogsProps) {
  switch (asked) {
    case undefined:
      return null;
    case "run":
      return <RunDialog plan={plan} target={target} onClose={onClose} />;
    case "open":
      return (
        <OpenRunbook
          onClose={onClose}
          onOpen={(runbook) => {
            plan.open(runbook);
            onClose();
          }}
        />
      );
    case "save":
      return (
        <SaveRunbook
          steps={plan.steps}
          traits={plan.scopes.traits}
          skus={plan.catalogue.subject.sku === null ? plan.scopes.skus : [plan.catalogue.subject.sku]}
          hostTraits={plan.catalogue.host?.traits ?? []}
          onClose={onClose}
          onSaved={plan.saved}
        />
      );
  }
}

function RunDialog({ plan, target, onClose }: Omit<DialogsProps, "asked">) {
  const { subject, host } = plan.catalogue;
  const words = `Run ${formatCounted(plan.steps.length, "step")}`;
  if (target.kind === "one")
    return (
      <RunOneDialog
        host={{ id: subject.id, name: subject.name, stateVersion: host?.stateVersion ?? "" }}
        work={plan.work}
        estimate={plan.taken.estimate}
        words={`${words} on ${subject.name}`}
        onStarted={plan.draft.drop}
        onClose={onClose}
      />
    );
  return (
    <BulkDialog
      intent="clean"
      words={words}
      target={target.kind === "many" ? { hostIds: [...target.hostIds] } : { filter: target.filter }}
      work={plan.work}
      onStarted={plan.draft.drop}
      onClose={onClose}
    />
  );
}

/** "gpu-a-0417, R750xa; 41 steps known, reported by agent 1.4.0 at 13:59". */
function HeadText({
  target,
  catalogue,
  count,
}: {
  target: Chosen["target"];
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

/** The runbook is locked to other traits: the reason, with a way out. */
function LockedOut({ plan, one }: { plan: ManualPlan; one: boolean }) {
  const { asRunbook, catalogue, scopes } = plan;
  if (!one || asRunbook === null || catalogue.host === null) return null;
  const { traits } = catalogue.host;
  if (traitRefusal(asRunbook, traits) === null || !scopes.mayClean) return null;
  return <AddTraits host={catalogue.subject} traits={traits} runbook={asRunbook} />;
}

/** What running this ends, and which debt remains. */
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
      ? "it has no debt"
      : `its debt of ${formatCounted(abandons.debtDrives, "drive")} stays`;
  return (
    <Notice tone="attention">
      {name} is in {state.replaceAll("/", " / ")}. Running this ends {abandons.kind} {abandons.number} as{" "}
      <b className="text-medium">abandoned</b>; {debt}, and providing the host begins a new one.
    </Notice>
  );
}
