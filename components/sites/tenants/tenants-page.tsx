"use client";
// Tenants of all sites: names, permissions and quotas. Saved through a site's document, like every setting.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { allRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { tenantEntry, type TenantEntry } from "@/server/domain/sites/document";
import type { SiteView, TenantLine } from "@/server/surfaces/trpc/types";
import { type TenantAct, TenantActDialog, TenantActs } from "@/components/sites/tenants/tenant-acts";
import { accessEveryMs } from "@/components/access/use-access";
import { useTRPC } from "@/components/trpc/trpc";
import { ApplyDialog, type Draft } from "@/components/sites/apply-dialog";
import { documentWith } from "@/components/sites/draft";
import { NoSite } from "@/components/sites/no-site";
import { SettingsHead } from "@/components/sites/settings-head";
import { useChosenSite, useSiteSettings, useWhyNoSettings } from "@/components/sites/use-settings";
import { z } from "zod";
import { ActFormDialog, pageCloses } from "@/components/ui/dialogs/act-dialog";
import { typedValue } from "@/components/ui/form/schemas";

// Edits a tenant in a site's document: name, quota, and what it may do at that site.
const quota = tenantEntry.shape.instanceQuota.unwrap();

/** Validates the fields. */
export const tenantSchema = (taken: readonly string[]) =>
  z.object({
    org: z
      .string()
      .trim()
      .min(1, "Enter the organization")
      .pipe(tenantEntry.shape.org)
      .refine((org) => !taken.includes(org), "A tenant with this organization already exists"),
    name: z.string().trim().min(1, "Enter a name").pipe(tenantEntry.shape.name),
    networkAllocation: z.boolean(),
    targetedInstanceCreation: z.boolean(),
    instanceQuota: typedValue((text) => {
      if (text.trim() === "") return null;
      return /^\d{1,7}$/.test(text.trim()) ? quota.safeParse(Number(text)).data : undefined;
    }, "Enter a whole number, or leave empty for no limit"),
  });

interface TenantDialogProps {
  readonly site: string;
  /** Undefined for a new one. */
  readonly tenant: TenantEntry | undefined;
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onTyped: (tenant: TenantEntry) => void;
}

const TenantDialog = ({ site, tenant, taken, onClose, onTyped }: TenantDialogProps) => (
  <ActFormDialog
    title={tenant === undefined ? "Add a tenant" : `Change tenant ${tenant.org}`}
    consequence="A lower quota does not end instances. The tenant gets no new ones while it is over its quota."
    confirmWords="Continue"
    edits={tenant !== undefined}
    schema={tenantSchema(tenant === undefined ? taken : [])}
    values={{
      org: tenant?.org ?? "",
      name: tenant?.name ?? "",
      networkAllocation: tenant?.networkAllocation ?? true,
      targetedInstanceCreation: tenant?.targetedInstanceCreation ?? false,
      instanceQuota: tenant?.instanceQuota == null ? "" : String(tenant.instanceQuota),
    }}
    fields={{
      org:
        tenant === undefined
          ? { label: "Organization", aside: "used in addresses; cannot be changed later", mono: true }
          : null,
      name: { label: "Name" },
      instanceQuota: {
        label: "Instance quota",
        inputMode: "numeric",
        placeholder: "no limit",
        short: true,
      },
      networkAllocation: { label: "Network allocation", aside: `can hold hosts of site ${site}` },
      targetedInstanceCreation: {
        label: "May repair",
        aside: `hosts of site ${site}, for repair tenants`,
      },
    }}
    send={onTyped}
    onAccepted={pageCloses}
    onClose={onClose}
  />
);

export function TenantsPage() {
  const { chosen } = useChosenSite();
  return chosen === null ? (
    <>
      <SettingsHead what="no site yet" />
      <NoSite />
    </>
  ) : (
    <Tenants site={chosen.name} />
  );
}

/** The open dialog. */
type Asked =
  | { readonly kind: "edit"; readonly tenant: TenantEntry }
  | { readonly kind: "add" }
  | { readonly kind: "apply"; readonly draft: Draft }
  | { readonly kind: "act"; readonly act: TenantAct };

/** A tenant as in the site's document, with what it holds and may do at every site. */
interface TenantRow {
  readonly entry: TenantEntry;
  /** Null briefly after it was created. */
  readonly line: TenantLine | null;
}

/** The change that replaces the tenant list. */
const draftOf = ({ site, document, revision }: SiteView, tenants: readonly TenantEntry[]): Draft => ({
  site,
  revision,
  document: documentWith(document, { tenants }),
});

function useTenantRows(tenants: readonly TenantEntry[]): readonly TenantRow[] {
  const trpc = useTRPC();
  const { data: lines } = useSuspenseQuery({
    ...trpc.tenants.list.queryOptions(),
    refetchInterval: accessEveryMs,
  });
  return tenants.map((entry) => ({ entry, line: lines.find(({ org }) => org === entry.org) ?? null }));
}

function Tenants({ site }: { readonly site: string }) {
  const { view } = useSiteSettings(site);
  const whyNot = useWhyNoSettings();
  const [asked, setAsked] = useState<Asked>();
  const tenants = view.document.tenants ?? [];
  const rows = useTenantRows(tenants);
  const close = () => setAsked(undefined);
  const apply = (next: readonly TenantEntry[]) => setAsked({ kind: "apply", draft: draftOf(view, next) });
  const columns = columnsFor({
    whyNot,
    onEdit: (tenant) => setAsked({ kind: "edit", tenant }),
    onRemove: ({ org }) => apply(tenants.filter((tenant) => tenant.org !== org)),
    onAct: (act) => setAsked({ kind: "act", act }),
  });
  return (
    <>
      <SettingsHead
        what="of all sites"
        acts={
          <Button small disabledReason={whyNot} onClick={() => setAsked({ kind: "add" })}>
            Add a tenant…
          </Button>
        }
      />
      <ResourceTable
        name="tenants"
        noun="tenant"
        caption="Tenants"
        fullWidth={false}
        columns={columns}
        list={allRows(rows)}
        rowId={({ entry }) => entry.org}
        namesOf={({ entry }) => [entry.org]}
        rowClassName={({ line }) => (line === null || line.disabledAt === null ? undefined : "off")}
        empty={
          <Empty title="No tenant yet">
            A tenant holds instances, and its users sign in for it. Add one here or in a site document.
          </Empty>
        }
      />
      {asked?.kind === "edit" || asked?.kind === "add" ? (
        <TenantDialog
          site={site}
          tenant={asked.kind === "edit" ? asked.tenant : undefined}
          taken={tenants.map(({ org }) => org)}
          onClose={close}
          onTyped={(typed) => apply([...tenants.filter(({ org }) => org !== typed.org), typed])}
        />
      ) : null}
      {asked?.kind === "apply" ? (
        <ApplyDialog draft={asked.draft} onApplied={() => undefined} onClose={close}>
          <p>
            Names and quotas of tenants apply to all sites; their rights apply to site {site}. The change is
            stored as a version of the site.
          </p>
        </ApplyDialog>
      ) : null}
      {asked?.kind === "act" ? <TenantActDialog act={asked.act} onClose={close} /> : null}
    </>
  );
}

interface ColumnSettings {
  readonly whyNot: string | undefined;
  readonly onEdit: (tenant: TenantEntry) => void;
  readonly onRemove: (tenant: TenantEntry) => void;
  readonly onAct: (act: TenantAct) => void;
}

const quiet = (text: string) => <span className="text-quiet">{text}</span>;

/** As a phrase, because narrow windows have no column header. */
function Sites({ line }: { line: TenantLine | null }) {
  const sites = line?.sites ?? [];
  const held = sites.filter((at) => at.networkAllocation).map(({ site }) => site);
  const repaired = sites.filter((at) => at.targetedInstanceCreation).map(({ site }) => site);
  if (held.length + repaired.length === 0) return quiet("nothing at any site");
  const hosts = held.length === 0 ? "no hosts" : `hosts at ${held.join(", ")}`;
  return repaired.length === 0 ? hosts : `${hosts}; repairs at ${repaired.join(", ")}`;
}

const column = columnsOf<TenantRow>();

const factColumns = [
  column.name("org", "Organization", ({ entry }) => entry.org, { className: "mono" }),
  column.cell(
    "name",
    "Name",
    ({ entry, line }) => (
      <>
        {entry.name}
        {line === null || line.disabledAt === null ? null : quiet(", disabled")}
      </>
    ),
    { narrow: "bottom-start" },
  ),
  column.cell("sites", "Sites", ({ line }) => <Sites line={line} />, { narrow: "line" }),
  column.count("people", "Users", ({ line }) => line?.people, {
    width: 72,
    align: "end",
    from: "wide",
    none: null,
  }),
  column.cell(
    "quota",
    "Instances",
    ({ entry: { instanceQuota }, line }) => (
      <>
        {line?.instances ?? 0} {quiet(instanceQuota === null ? "no limit" : `of ${instanceQuota}`)}
      </>
    ),
    { width: 128, align: "end", narrow: "top-end" },
  ),
];

const columnsFor = ({
  whyNot,
  onEdit,
  onRemove,
  onAct,
}: ColumnSettings): readonly TableColumn<TenantRow>[] => [
  ...factColumns,
  column.acts(248, ({ entry: tenant, line }) => (
    <span className="row-acts">
      <Button
        small
        disabledReason={whyNot}
        aria-label={`Change ${tenant.org}`}
        onClick={() => onEdit(tenant)}
      >
        Change…
      </Button>
      <Button
        small
        disabledReason={whyNot}
        aria-label={`Remove ${tenant.org}`}
        onClick={() => onRemove(tenant)}
      >
        Remove…
      </Button>
      {line === null ? null : <TenantActs tenant={line} whyNot={whyNot} ask={onAct} />}
    </span>
  )),
];
