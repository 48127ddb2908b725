"use client";
// The catalogue of clean steps for a site, a SKU, a host or a hardware type, with effective priorities and the resulting order.
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCounted } from "@/server/domain/numbers";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time/time";
import type {
  Catalogue,
  CatalogueStep,
  CatalogueSubject,
  CleaningScopes,
} from "@/server/surfaces/trpc/types";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { AutomatedClean } from "@/components/cleaning/steps/automated-clean";
import { sourceText, StepsTable } from "@/components/cleaning/steps/steps-table";
import { stepsHref, type StepsView } from "@/components/cleaning/steps/steps-view";
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import { routes } from "@/server/domain/console/routes";
import { Breakable } from "@/components/ui/breakable";
import { Empty } from "@/components/ui/empty";
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { traitText } from "@/components/cleaning/runbooks/runbook-text";
import { Fragment, useState } from "react";
import { Menu, MenuChoice, MenuLabel, MenuRule } from "@/components/ui/menu";
import { SearchField } from "@/components/ui/search-field";
import { fieldOf } from "@/components/cleaning/plan/schema-field";
import { type EditedScope, OverrideEditor } from "@/components/cleaning/steps/override-editor";

// An expanded row of the catalogue: the priority at every relevant scope, the step's arguments and limits, and the editor.
interface StepDetailProps {
  step: CatalogueStep;
  subject: CatalogueSubject;
  mayOverride: boolean;
  onClose: () => void;
}

/** The scope of an override for this subject; null for a hardware type, which is not a scope. */
function editedScope(subject: CatalogueSubject): EditedScope | null {
  if (subject.kind === "hardwareType") return null;
  return {
    scope: subject.kind,
    scopeId: subject.id,
    words: `${subject.kind === "sku" ? "SKU" : subject.kind} ${subject.name}`,
  };
}

/** Why the priority cannot be changed here, by this user or by anybody; null if it can. */
function refusalOf({ step, subject, mayOverride }: Omit<StepDetailProps, "onClose">): string | null {
  if (step.reserved)
    return "A reserved step runs only in manual cleanings that name it, so it has no priority.";
  if (subject.kind === "hardwareType")
    return "Priorities are set for a site, a SKU or a host. Choose one above.";
  return mayOverride
    ? null
    : "Only a provider admin can change priorities: they decide what proves a host clean.";
}

function StepDetail({ step, subject, mayOverride, onClose }: StepDetailProps) {
  const at = editedScope(subject);
  const refusal = refusalOf({ step, subject, mayOverride });
  return (
    <div className="step-detail">
      <dl className="pairs">
        {step.reserved ? null : (
          <>
            <dt>Priority</dt>
            <dd>
              <Priorities step={step} subject={subject} />
            </dd>
          </>
        )}
        <dt>Runs in</dt>
        <dd>
          {step.where}, shown as {step.state.replaceAll("/", " / ")}; when it fails: {step.failureCause}
          {step.restarts ? "; restarts the host" : ""}
        </dd>
        <dt>Arguments</dt>
        <dd>
          {step.args.length === 0
            ? "none"
            : step.args
                .map(fieldOf)
                .map(({ name, hint }) => `${name} (${hint})`)
                .join(", ")}
        </dd>
        {step.manager === null ? null : (
          <>
            <dt>Offered by</dt>
            <dd>
              {step.manager.name} {step.manager.version}, of the host&apos;s agent
            </dd>
          </>
        )}
      </dl>
      {refusal !== null ? (
        <p className="text-quiet">{refusal}</p>
      ) : at === null ? null : (
        <OverrideEditor step={step} at={at} onClose={onClose} />
      )}
    </div>
  );
}

type OfSubject = Pick<StepDetailProps, "step" | "subject">;

/** What each scope that applies to the subject sets, least specific first. */
function scopesOf({ step, subject: { kind, name, site, sku } }: OfSubject) {
  const { overrides } = step;
  return [
    { words: "default", value: step.defaultPriority },
    ...(site === null ? [] : [{ words: `site ${site.name}`, value: overrides.site }]),
    ...(sku === null ? [] : [{ words: `SKU ${sku.name}`, value: overrides.sku }]),
    ...(kind === "host" ? [{ words: `host ${name}`, value: overrides.host }] : []),
  ];
}

function Priorities(of: OfSubject) {
  const scopes = scopesOf(of);
  const inForce = scopes.findLastIndex(({ value }) => value !== null);
  const look = (index: number, value: number | null) =>
    index === inForce ? "text-medium text-strong" : value === null ? "text-faint" : "struck";
  return (
    <>
      {scopes.map(({ words, value }, index) => (
        <Fragment key={words}>
          {index === 0 ? "" : ", "}
          <span className={look(index, value)}>
            {words} {value ?? "none"}
          </span>
        </Fragment>
      ))}
      ; the most specific one applies
    </>
  );
}

// Chooses what the catalogue is for: a site, a SKU, a hardware type, or one host by name.
const kindText = {
  site: "Site",
  sku: "SKU",
  host: "Host",
  hardwareType: "Hardware type",
} as const satisfies Record<CatalogueSubject["kind"], string>;

interface ScopeBarProps {
  scopes: CleaningScopes;
  subject: CatalogueSubject;
  onChoose: (view: StepsView) => void;
}

/** "site a", "SKU R750 at site a", "host gpu-a-001", "hardware redfish". */
function formatSubject({ kind, name, site }: CatalogueSubject): string {
  const at = site === null || kind === "site" ? "" : ` at site ${site.name}`;
  return `${kind === "hardwareType" ? "hardware" : kind === "sku" ? "SKU" : kind} ${name}${at}`;
}

function ScopeBar({ scopes, subject, onChoose }: ScopeBarProps) {
  const [host, setHost] = useState("");
  const siteId = subject.site?.id;
  const site = siteId === undefined ? {} : { siteId };
  const words = (name: string, hosts: number) => `${name}, ${formatCounted(hosts, "host")}`;
  return (
    <search className="filter scope">
      <Menu
        align="start"
        trigger={
          <button type="button" className="btn" aria-label={`Catalogue of: ${formatSubject(subject)}`}>
            {kindText[subject.kind]} {subject.name}
          </button>
        }
      >
        <MenuLabel>Site</MenuLabel>
        <MenuChoice
          label="Site"
          value={subject.kind === "site" ? subject.id : ""}
          choices={scopes.sites.map(({ id, name, hosts }) => ({ value: id, words: words(name, hosts) }))}
          onChoose={(id) => onChoose({ kind: "site", siteId: id })}
        />
        <MenuRule />
        <MenuLabel>SKU</MenuLabel>
        <MenuChoice
          label="SKU"
          value={subject.kind === "sku" ? subject.id : ""}
          choices={scopes.skus.map(({ id, name, hosts }) => ({ value: id, words: words(name, hosts) }))}
          onChoose={(id) => onChoose({ kind: "sku", skuId: id, ...site })}
        />
        <MenuRule />
        <MenuLabel>Hardware type</MenuLabel>
        <MenuChoice
          label="Hardware type"
          value={subject.kind === "hardwareType" ? subject.name : ""}
          choices={scopes.hardwareTypes.map(({ name, hosts }) => ({
            value: name,
            words: words(name, hosts),
          }))}
          onChoose={(hardwareType) => onChoose({ kind: "hardwareType", hardwareType, ...site })}
        />
      </Menu>
      <SearchField
        label="Catalogue of a host"
        value={host}
        onChange={setHost}
        onSubmit={() => (host.trim() === "" ? undefined : onChoose({ kind: "host", host: host.trim() }))}
        placeholder="or enter a host name"
      />
    </search>
  );
}

interface HostTraitsProps {
  host: { readonly id: string; readonly name: string };
  traits: readonly string[];
  mayClean: boolean;
}

/** A host's traits, which decide which runbooks may run on it. Users who may clean the host can change them. */
function HostTraits({ host, traits, mayClean }: HostTraitsProps) {
  return (
    <p className="automated">
      <span>
        Traits:{" "}
        {traits.length === 0 ? (
          <span className="text-quiet">none, so no runbook can run on it</span>
        ) : (
          <span className="mono">{traits.join(", ")}</span>
        )}
      </span>
      <DialogButton
        disabledReason={mayClean ? undefined : "Your role may not clean hosts"}
        dialog={(onClose) => <TraitsDialog host={host} traits={traits} onClose={onClose} />}
      >
        Change traits…
      </DialogButton>
    </p>
  );
}

const schema = z.object({ traits: traitText });

const TraitsDialog = ({
  host,
  traits,
  onClose,
}: Omit<HostTraitsProps, "mayClean"> & { onClose: () => void }) => (
  <ActFormDialog
    title={`Traits of ${host.name}`}
    consequence="A runbook runs only on hosts that share a trait with it. A running cleaning is not affected."
    confirmWords="Save traits"
    edits
    schema={schema}
    values={{ traits: traits.join(", ") }}
    fields={{ traits: { label: "Traits, separated by commas or spaces", mono: true } }}
    send={(typed, client) => client.cleaning.setTraits.mutate({ hostId: host.id, ...typed })}
    said={`Traits of ${host.name} saved`}
    stale={(trpc) => [trpc.cleaning]}
    onClose={onClose}
  />
);

/** `off`: a sentence that says why no plan would be made. */
function OrderSection({ catalogue, off }: { catalogue: Catalogue; off: string | null }) {
  const byName = new Map(catalogue.steps.map((step) => [step.name, step]));
  return (
    <section aria-label="Order">
      <div className="sec">
        <h2>Order</h2>
        <span className="sum cut">
          {catalogue.subject.kind === "host" && catalogue.steps.some((step) => step.applies !== null)
            ? "the plan as it would run on this host now"
            : "steps that do not apply to the host are left out of its plan"}
        </span>
      </div>
      {off === null ? null : <Notice tone="attention">{off}</Notice>}
      {catalogue.ties.map((tie) => (
        <Notice key={tie} tone="failed">
          {tie}: a plan cannot be made until one of them changes.
        </Notice>
      ))}
      {catalogue.order.length === 0 ? (
        <Empty title="No automated steps">
          Every step has priority 0 here, or none of them applies to the host.
        </Empty>
      ) : (
        <ol className="plan-order">
          {catalogue.order.map((name, index) => {
            const step = byName.get(name);
            return (
              <li key={name}>
                <span className="position">{index + 1}</span>
                <span className="mono">
                  <Breakable text={name} />
                </span>
                <span className="text-quiet text-compact">
                  {step === undefined ? "" : `${step.priority}, ${sourceText[step.source]}`}
                </span>
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}

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
  return `${formatCounted(steps.length, "step")} for ${formatSubject(subject)}; ${order.length} automated${set}`;
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
