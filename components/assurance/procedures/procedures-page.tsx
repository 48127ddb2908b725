"use client";
// A site's procedures: the list, and one of them with its form and versions.
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import {
  beginnings,
  formOf,
  type ProcedureForm,
  procedureSchema,
} from "@/components/assurance/procedures/procedure-form";
import { SitePageFrame } from "@/components/sites/settings-head";
import { type SiteOfSettings, useWhyNoSettings } from "@/components/sites/use-settings";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Notice } from "@/components/ui/notice";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { allRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { routes } from "@/server/domain/console/routes";
import { formatValidity, formatWhen, procedureChanges } from "@/server/domain/assurance/procedures/text";
import type { ProcedurePreview, ProcedureVersion, SiteProcedures } from "@/server/surfaces/trpc/types";
import { ChangeTable } from "@/components/assurance/procedures/change-table";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time/time";
import { useStore } from "@tanstack/react-form";
import { useMemo, useState } from "react";
import { useUnsaved } from "@/components/frame/unsaved";
import { ProcedureFields } from "@/components/assurance/procedures/procedure-fields";
import { useAppForm } from "@/components/ui/form/form-kit";
import { PageForm } from "@/components/ui/form/page-form";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";
import type { z } from "zod";
import { effectOf, type ShownEffect } from "@/components/cleaning/policy/effect";
import { ActDialog, type Stale } from "@/components/ui/dialogs/act-dialog";
import { formatCount, formatCounted } from "@/server/domain/numbers";

// Saves or removes a procedure, after showing what changes.
type Saved = z.output<typeof procedureSchema>;

interface SaveDialogProps {
  readonly site: SiteProcedures;
  readonly before: Procedure | null;
  readonly next: Saved;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** What depends on policies. */
const stale: Stale = (trpc) => [trpc.procedures, trpc.site, trpc.cleaning];

function SaveDialog({ site, before, next, onSaved, onClose }: SaveDialogProps) {
  const { siteId, policyVersion } = site;
  const { effect, calculating } = useProcedureEffect(site, next);
  return (
    <ActDialog
      reason
      title={
        before === null
          ? `Add ${next.name} to site ${site.site}?`
          : `Change ${next.name} of site ${site.site}?`
      }
      consequence={
        <>
          {effect}
          {before === null ? null : (
            <ChangeTable
              caption="What changes"
              changes={procedureChanges(before, { ...next, version: before.version })}
            />
          )}
          <p>
            Reclamations in progress keep the procedures they started with.
            {before === null ? "" : " Records of earlier versions do not count for the new one."}
          </p>
        </>
      }
      confirmWords="Save procedure"
      missing={calculating}
      send={({ reason }, client) =>
        client.procedures.save.mutate({ siteId, procedure: next, policyVersion, reason })
      }
      said={(saved) => `The policy of site ${site.site} is at version ${saved.policyVersion}.`}
      onClose={onClose}
      stale={stale}
      onAccepted={() => {
        onClose();
        onSaved();
      }}
    />
  );
}

function useProcedureEffect(site: SiteProcedures, { when }: Saved): ShownEffect {
  const trpc = useTRPC();
  const isNever = formatWhen(when) === "";
  const query = useQuery({
    ...trpc.procedures.preview.queryOptions({ siteId: site.siteId, when }),
    enabled: !isNever,
  });
  const never = <p>It is never due: no condition is set. It can still be recorded.</p>;
  const told = query.data === undefined ? undefined : <Told site={site} told={query.data} />;
  return effectOf(query, isNever ? never : told);
}

function Told({ site, told: data }: { readonly site: SiteProcedures; readonly told: ProcedurePreview }) {
  return (
    <p>
      It would now be due in the next reclamation of {formatCount(data.due)} of{" "}
      {formatCounted(data.hosts, "host")} of the site: {formatCount(data.ofSkus)} by SKU,{" "}
      {formatCount(data.ofTenants)} by their tenant, {formatCount(data.inRepair)} held by a repair tenant.
      Failures cannot be predicted. {formatCounted(data.inReclamation, "host")} in a reclamation now.
      {site.required ? "" : " The policy does not require signed procedures, so no host waits for it."}
    </p>
  );
}

interface RemoveDialogProps {
  readonly site: SiteProcedures;
  readonly procedure: Procedure;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

function RemoveDialog({ site, procedure, onRemoved, onClose }: RemoveDialogProps) {
  const { siteId, policyVersion } = site;
  const { name } = procedure;
  return (
    <ActDialog
      reason
      title={`Take ${name} out of the policy of site ${site.site}?`}
      consequence={
        <p>
          Reclamations that begin later do not ask for it. Reclamations in progress still do. Its records
          stay. When it is saved again, it goes on from version {procedure.version + 1}.
        </p>
      }
      confirmWords="Take out"
      send={({ reason }, client) => client.procedures.remove.mutate({ siteId, name, policyVersion, reason })}
      said={(saved) => `The policy of site ${site.site} is at version ${saved.policyVersion}.`}
      onClose={onClose}
      stale={stale}
      onAccepted={() => {
        onClose();
        onRemoved();
      }}
    />
  );
}

interface ProcedureEditorProps {
  readonly site: SiteProcedures;
  /** The procedure in force; null for a new one. */
  readonly saved: Procedure | null;
  readonly start: ProcedureForm;
}

/** The form of one procedure; the effect of a change is shown before it is saved. */
function ProcedureEditor({ site, saved, start }: ProcedureEditorProps) {
  const whyNot = useWhyNoSettings();
  const [begun] = useState(start);
  const [asked, setAsked] = useState<Saved>();
  const [removing, setRemoving] = useState(false);
  const form = useAppForm({
    defaultValues: begun,
    validators: { onChange: procedureSchema },
    onSubmit: ({ value }) => setAsked(procedureSchema.parse(value)),
  });
  const typed = useStore(form.store, (state) => (state.isDefaultValue ? null : state.values.name));
  useUnsaved(typed === null ? undefined : "The procedure is not saved.");
  const name = useStore(form.store, (state) => state.values.name.trim());
  const taken =
    saved === null && site.procedures.some((each) => each.name === name)
      ? `Site ${site.site} has a procedure ${name}: open it to change it`
      : undefined;
  return (
    <>
      <div className="sec">
        <h2>{saved === null ? "New procedure" : `${saved.title}, version ${saved.version}`}</h2>
      </div>
      <form.AppForm>
        <PageForm
          className="settings-form"
          schema={procedureSchema}
          problem={undefined}
          submitWords="Preview and save…"
          missing={whyNot ?? taken}
          edits={saved !== null}
          acts={
            saved === null ? undefined : (
              <Button small disabledReason={whyNot} onClick={() => setRemoving(true)}>
                Take out…
              </Button>
            )
          }
        >
          <ProcedureFields form={form} isNew={saved === null} />
        </PageForm>
      </form.AppForm>
      <Dialogs
        site={site}
        saved={saved}
        asked={asked}
        removing={removing}
        onSaved={() => form.reset(form.state.values)}
        onClose={() => {
          setAsked(undefined);
          setRemoving(false);
        }}
      />
    </>
  );
}

interface DialogsProps extends Pick<ProcedureEditorProps, "site" | "saved"> {
  /** What is about to be saved. */
  readonly asked: Saved | undefined;
  readonly removing: boolean;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

function Dialogs({ site, saved, asked, removing, onSaved, onClose }: DialogsProps) {
  const router = useRouter();
  return (
    <>
      {asked === undefined ? null : (
        <SaveDialog
          site={site}
          before={saved}
          next={asked}
          onSaved={() => {
            onSaved();
            router.push(routes.settings.procedures({ site: site.site, open: asked.name }));
          }}
          onClose={onClose}
        />
      )}
      {removing && saved !== null ? (
        <RemoveDialog
          site={site}
          procedure={saved}
          onRemoved={() => router.push(routes.settings.procedures({ site: site.site }))}
          onClose={onClose}
        />
      ) : null}
    </>
  );
}

interface ProcedureVersionsProps {
  readonly siteId: string;
  readonly name: string;
}

/** The versions of a procedure, each with its difference from the previous one. */
function ProcedureVersions({ siteId, name }: ProcedureVersionsProps) {
  const trpc = useTRPC();
  const { data, error, isPending } = useQuery(trpc.procedures.history.queryOptions({ siteId, name }));
  return (
    <section aria-label="Versions">
      <div className="sec">
        <h2>Versions</h2>
        <span className="sum cut">the newest first; a record names the version that was carried out</span>
      </div>
      {isPending ? <Skeleton rows={3} /> : null}
      {error === null ? null : <ProblemNotice error={error} before="The versions could not be read." />}
      {(data ?? []).map((each, index) => (
        <OneVersion
          key={each.policyVersion}
          version={each}
          before={data?.[index + 1] ?? null}
          open={index === 0}
        />
      ))}
    </section>
  );
}

interface OneVersionProps {
  readonly version: ProcedureVersion;
  /** The previous version; null for the first. */
  readonly before: ProcedureVersion | null;
  readonly open: boolean;
}

function OneVersion({ version: { procedure, policyVersion, at, byName }, before, open }: OneVersionProps) {
  const words = procedure === null ? "Taken out" : `Version ${procedure.version}`;
  return (
    <details className="assurance-record" open={open}>
      <summary>
        {words}, policy {policyVersion}, <Time at={at} />
        {byName === null ? "" : `, ${byName}`}
      </summary>
      {procedure === null ? (
        <p className="text-quiet">The policy no longer names it. Its records stay.</p>
      ) : (
        <ChangeTable
          caption={`Changes of ${words.toLowerCase()}, policy ${policyVersion}`}
          changes={procedureChanges(before?.procedure ?? null, procedure)}
        />
      )}
    </details>
  );
}

export function ProceduresPage() {
  return (
    <SitePageFrame what="procedures of site" hrefOf={routes.settings.procedures}>
      {(site) => <OfSite site={site} />}
    </SitePageFrame>
  );
}

function OfSite({ site }: { readonly site: SiteOfSettings }) {
  const trpc = useTRPC();
  const search = useSearchParams();
  const { data } = useSuspenseQuery(trpc.procedures.list.queryOptions());
  const found = data.find(({ siteId }) => siteId === site.id);
  if (found === undefined) return null;
  const begin = search.get("begin");
  const open = search.get("open");
  const known = found.procedures.find(({ name }) => name === open);
  if (known !== undefined)
    return (
      <>
        <BackLink site={found.site} />
        <ProcedureEditor
          key={`${known.name} ${known.version}`}
          site={found}
          saved={known}
          start={formOf(known)}
        />
        <ProcedureVersions siteId={found.siteId} name={known.name} />
      </>
    );
  if (begin === "drain" || begin === "empty")
    return (
      <>
        <BackLink site={found.site} />
        <ProcedureEditor key={begin} site={found} saved={null} start={beginnings[begin]} />
      </>
    );
  return <ProcedureList site={found} />;
}

const BackLink = ({ site }: { readonly site: string }) => (
  <p className="after">
    <Link className="link" href={routes.settings.procedures({ site })}>
      All procedures of site {site}
    </Link>
  </p>
);

type Line = SiteProcedures["procedures"][number];

const column = columnsOf<Line>();

const columnsFor = (site: string): readonly TableColumn<Line>[] => [
  column.cell(
    "title",
    "Procedure",
    ({ name, title }) => (
      <Link href={routes.settings.procedures({ site, open: name })} data-open="">
        {title}
      </Link>
    ),
    {
      ...{ width: "28%", narrow: "top-start", rowHeader: true, always: true },
      title: ({ title }) => title,
      sort: ({ title }) => title,
    },
  ),
  column.text("name", "Name", ({ name }) => name, { width: 190, from: "medium", className: "mono" }),
  column.count("version", "Version", ({ version }) => version, { width: 72, narrow: "top-end" }),
  column.cell("due", "Due", ({ when }) => formatWhen(when) || "never", {
    spaced: true,
    narrow: "line",
    title: ({ when }) => formatWhen(when),
    sort: ({ when }) => formatWhen(when) || "never",
  }),
  column.text("validity", "A record counts for", formatValidity, {
    width: 190,
    from: "wide",
    className: "text-quiet",
  }),
];

function ProcedureList({ site }: { readonly site: SiteProcedures }) {
  const router = useRouter();
  const whyNot = useWhyNoSettings();
  const columns = useMemo(() => columnsFor(site.site), [site.site]);
  const begin = (how: "drain" | "empty") =>
    router.push(routes.settings.procedures({ site: site.site, begin: how }));
  const drain = (
    <Button kind="main" disabledReason={whyNot} onClick={() => begin("drain")}>
      Start with an AC power drain…
    </Button>
  );
  return (
    <>
      <div className="sec">
        <h2>Procedures</h2>
        <span className="sum cut">what people do at machines of site {site.site}, record and sign</span>
        {site.procedures.length === 0 ? null : (
          <span className="end">
            <Button small disabledReason={whyNot} onClick={() => begin("empty")}>
              New procedure…
            </Button>
          </span>
        )}
      </div>
      {site.required || site.procedures.length === 0 ? null : <NotRequired site={site.site} />}
      <ResourceTable
        name="procedures"
        noun="procedure"
        caption={`Procedures of site ${site.site}`}
        columns={columns}
        list={allRows(site.procedures)}
        rowId={({ name }) => name}
        namesOf={({ name }) => [name]}
        empty={
          <Empty
            title="No procedure yet"
            act={
              <div className="acts left">
                {drain}
                <Button disabledReason={whyNot} onClick={() => begin("empty")}>
                  Start empty…
                </Button>
              </div>
            }
          >
            A procedure is a manual task at a machine, such as a full AC drain. You say when it is due. A host
            for which it is due becomes Ready only after one person has recorded it and another has signed it
            off.
          </Empty>
        }
      />
    </>
  );
}

/** Shown if the gate is not required, because then no host waits for a procedure. */
export const NotRequired = ({ site }: { readonly site: string }) => (
  <Notice tone="attention">
    The policy of site {site} does not require signed procedures, so no host waits for one.{" "}
    <Link className="link" href={routes.settings.policy({ site })}>
      Require them in the policy
    </Link>
    .
  </Notice>
);
