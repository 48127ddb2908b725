"use client";
// Manual cleaning: builds a list of steps and runs it on one host, several hosts, or all that a filter matches.
import Link from "next/link";
import { useState } from "react";
import { BulkDialog, type Work } from "@/components/hosts/bulk/bulk-dialog";
import { CleaningHead } from "@/components/frame/cleaning-head";
import {
  type Chosen,
  erasingSteps,
  type ManualPlan,
  useManualPlan,
} from "@/components/cleaning/manual/use-manual-plan";
import { Builder } from "@/components/cleaning/plan/builder";
import { DraftNotice } from "@/components/cleaning/plan/draft-notice";
import { TakeSection } from "@/components/cleaning/plan/take-section";
import { OpenRunbook, SaveRunbook } from "@/components/cleaning/runbooks/runbook-dialogs";
import { runbookRefusal } from "@/components/cleaning/runbooks/runbook-text";
import { Button } from "@/components/ui/button";
import { formatCounted } from "@/server/domain/numbers";
import { formatMoment } from "@/components/ui/format/times";
import { Notice } from "@/components/ui/notice";
import { useNow, useTimeZone } from "@/components/ui/time/clock";
import { routes } from "@/server/domain/console/routes";
import { type ManualFault, traitRefusal } from "@/server/domain/cleaning/plan/manual";
import type { Catalogue, CleaningEstimate } from "@/server/surfaces/trpc/types";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { useRouter } from "next/navigation";
import { hostActions } from "@/server/domain/hosts/host-actions";

interface RunOneProps {
  host: { readonly id: string; readonly name: string; readonly stateVersion: string };
  work: Work;
  estimate: CleaningEstimate | undefined;
  words: string;
  onStarted: () => void;
  onClose: () => void;
}

/** Opens the host's page once accepted. */
function RunOneDialog({ host, work, estimate, words, onStarted, onClose }: RunOneProps) {
  const router = useRouter();
  const erases = estimate?.erases ?? [];
  return (
    <ActDialog
      title={`${words}?`}
      consequence={
        <>
          <p>{hostActions.clean.consequence}</p>
          {erases.length === 0 ? null : (
            <p>
              {erases.length === 1
                ? `Everything on the drive ${erases[0]?.serial ?? ""} is erased.`
                : `Everything is erased on ${formatCounted(erases.length, "drive")}.`}{" "}
              This cannot be undone.
            </p>
          )}
          {estimate?.abandons == null ? null : <p>{estimate.abandons.number} ends as abandoned.</p>}
        </>
      }
      confirmWords={words}
      send={async (_, client) => {
        await client.cleaning.start.mutate({
          hostId: host.id,
          stateVersion: host.stateVersion,
          ...work,
        });
        onStarted();
        router.push(routes.host(host.name));
      }}
      said={`Manual cleaning: requested on ${host.name}`}
      onClose={onClose}
      typeName={estimate?.steps.some((step) => step.erases) === true ? host.name : undefined}
    />
  );
}

interface RunFootProps {
  count: number;
  /** "gpu-a-0417", "12 hosts". */
  onWhat: string;
  faults: readonly ManualFault[];
  /** Why the host cannot run it now, or why this user may not; null if it can. */
  refusal: string | null;
  /** Numbers of the erasing steps, counted from 1. */
  erasing: readonly number[];
  /** What has to be typed to confirm: "the host's name", "how many hosts". */
  typed: string;
  onRun: () => void;
}

const formatSteps = (count: number) => formatCounted(count, "step");
const sentence = (words: string) =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;

/** "Steps 2 and 4 have faults" */
function faultyText(faults: readonly ManualFault[]): string | null {
  const numbers = [...new Set(faults.map(({ index }) => index + 1))];
  if (numbers.length === 0) return null;
  return numbers.length === 1
    ? `Step ${numbers[0]} is not complete: ${faults.length === 1 ? "one argument is" : `${faults.length} arguments are`} wrong or missing.`
    : `Steps ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)} are not complete: ${faults.length} arguments are wrong or missing.`;
}

/** The button that runs the list, or the reason why it cannot run, and what the confirmation will ask. */
function RunFoot({ count, onWhat, faults, refusal, erasing, typed, onRun }: RunFootProps) {
  const faulty = faultyText(faults);
  const reason = count === 0 ? "Add a step first" : (faulty ?? (refusal === null ? null : sentence(refusal)));
  const asks =
    erasing.length === 0
      ? null
      : `You will be asked to type ${typed}, because ${erasing.length === 1 ? `step ${erasing[0]} erases` : `steps ${erasing.join(", ")} erase`}.`;
  return (
    <>
      <Button kind="main" onClick={onRun} disabledReason={reason ?? undefined}>
        {count === 0 ? `Run on ${onWhat}…` : `Run ${formatSteps(count)} on ${onWhat}…`}
      </Button>
      <p className="why after">
        {reason} {asks}
      </p>
    </>
  );
}

interface AddTraitsProps {
  host: { readonly id: string; readonly name: string };
  traits: readonly string[];
  runbook: { readonly name: string; readonly traits: readonly string[] };
}

/** Adds a trait to a host that shares none with a runbook, after confirmation: traits keep runbooks off the wrong hardware. */
function AddTraits({ host, traits, runbook }: AddTraitsProps) {
  const [chosen, setChosen] = useState<string>();
  return (
    <Notice
      tone="attention"
      act={runbook.traits.map((trait) => (
        <Button key={trait} small onClick={() => setChosen(trait)}>
          Add {trait}…
        </Button>
      ))}
    >
      {host.name} shares no trait with runbook {runbook.name}. If the runbook is meant for this hardware, add
      the trait to the host.
      {chosen === undefined ? null : (
        <ActDialog
          title={`Add the trait ${chosen} to ${host.name}?`}
          consequence={`Every runbook for ${chosen} may then run on ${host.name}, ${runbook.name} among them. Add it only if the hardware matches.`}
          confirmWords={`Add ${chosen}`}
          send={(_, client) =>
            client.cleaning.setTraits.mutate({ hostId: host.id, traits: [...traits, chosen] })
          }
          said={`Trait ${chosen} added to ${host.name}`}
          stale={(trpc) => [trpc.cleaning]}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Notice>
  );
}

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
  const known = `${formatCounted(steps.length, "step")} known${agent === null ? "" : `, reported by agent ${agent.version} at ${formatMoment(agent.reportedAt, now, zone)}`}`;
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
