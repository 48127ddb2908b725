"use client";
// Tenants of all sites: their names, what they may, how many instances they may hold. Saved through a site's document, like every setting.
import { useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { typedValue } from "@/components/ui/form/schemas";
import { actsColumn } from "@/components/ui/table/acts-column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { tenantEntry } from "@/server/domain/site/document";
import type { TenantEntry } from "@/server/domain/site/document";
import type { SiteView } from "@/server/surfaces/trpc/types";
import { ApplyDialog, type Draft } from "@/components/settings/apply-dialog";
import { documentWith } from "@/components/settings/draft";
import { NoSite } from "@/components/settings/no-site";
import { SettingsHead } from "@/components/settings/settings-head";
import { useChosenSite, useSiteSettings, useWhyNoSettings } from "@/components/settings/use-settings";

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

/** What is being done to the list. */
type Asked =
  | { readonly kind: "edit"; readonly tenant: TenantEntry }
  | { readonly kind: "add" }
  | { readonly kind: "apply"; readonly draft: Draft };

/** The list in the place of the present one, as what is applied. */
const draftOf = ({ site, document, revision }: SiteView, tenants: readonly TenantEntry[]): Draft => ({
  site,
  revision,
  document: documentWith(document, { tenants }),
});

function Tenants({ site }: { readonly site: string }) {
  const { view } = useSiteSettings(site);
  const whyNot = useWhyNoSettings();
  const [asked, setAsked] = useState<Asked>();
  const tenants = view.document.tenants ?? [];
  const close = () => setAsked(undefined);
  const apply = (next: readonly TenantEntry[]) => setAsked({ kind: "apply", draft: draftOf(view, next) });
  const columns = columnsOf({
    whyNot,
    onEdit: (tenant) => setAsked({ kind: "edit", tenant }),
    onRemove: ({ org }) => apply(tenants.filter((tenant) => tenant.org !== org)),
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
      <DataTable
        caption="Tenants"
        columns={columns}
        rows={tenants}
        rowId={({ org }) => org}
        empty={
          <Empty title="No tenant yet">
            A tenant holds instances, and its people sign in for it. Add one here or in a site document.
          </Empty>
        }
      />
      {asked?.kind === "edit" || asked?.kind === "add" ? (
        <TenantDialog
          tenant={asked.kind === "edit" ? asked.tenant : undefined}
          taken={tenants.map(({ org }) => org)}
          onClose={close}
          onTyped={(typed) => apply([...tenants.filter(({ org }) => org !== typed.org), typed])}
        />
      ) : null}
      {asked?.kind === "apply" ? (
        <ApplyDialog draft={asked.draft} onApplied={() => undefined} onClose={close}>
          <p>Tenants belong to all sites. The change is a version of site {site}.</p>
        </ApplyDialog>
      ) : null}
    </>
  );
}

interface ColumnSettings {
  readonly whyNot: string | undefined;
  readonly onEdit: (tenant: TenantEntry) => void;
  readonly onRemove: (tenant: TenantEntry) => void;
}

const columnsOf = ({ whyNot, onEdit, onRemove }: ColumnSettings): readonly TableColumn<TenantEntry>[] => [
  {
    id: "org",
    label: "Organization",
    narrow: "top-start",
    rowHeader: true,
    className: "mono",
    cell: ({ org }) => org,
  },
  { id: "name", label: "Name", narrow: "bottom-start", cell: ({ name }) => name },
  {
    id: "targeted",
    label: "May claim an exact host",
    width: 176,
    narrow: "bottom-end",
    cell: ({ targetedInstanceCreation }) => (targetedInstanceCreation ? "yes" : "no"),
  },
  {
    id: "quota",
    label: "Instance quota",
    width: 128,
    align: "end",
    narrow: "top-end",
    cell: ({ instanceQuota }) =>
      instanceQuota === null ? <span className="text-quiet">no limit</span> : instanceQuota,
  },
  actsColumn(168, (tenant) => (
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
    </span>
  )),
];

const quota = tenantEntry.shape.instanceQuota.unwrap();

/** What the fields accept. */
export const tenantSchema = (taken: readonly string[]) =>
  z.object({
    org: z
      .string()
      .trim()
      .min(1, "Enter the organization")
      .pipe(tenantEntry.shape.org)
      .refine((org) => !taken.includes(org), "There is a tenant of this organization"),
    name: z.string().trim().min(1, "Enter a name").pipe(tenantEntry.shape.name),
    networkAllocation: z.boolean(),
    targetedInstanceCreation: z.boolean(),
    instanceQuota: typedValue((text) => {
      if (text.trim() === "") return null;
      return /^\d{1,7}$/.test(text.trim()) ? quota.safeParse(Number(text)).data : undefined;
    }, "A whole number from 0, or nothing for no limit"),
  });

interface TenantDialogProps {
  /** Left out: a new one. */
  readonly tenant: TenantEntry | undefined;
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onTyped: (tenant: TenantEntry) => void;
}

function TenantDialog({ tenant, taken, onClose, onTyped }: TenantDialogProps) {
  const [schema] = useState(() => tenantSchema(tenant === undefined ? taken : []));
  const form = useAppForm({
    defaultValues: {
      org: tenant?.org ?? "",
      name: tenant?.name ?? "",
      networkAllocation: tenant?.networkAllocation ?? true,
      targetedInstanceCreation: tenant?.targetedInstanceCreation ?? false,
      instanceQuota: tenant?.instanceQuota == null ? "" : String(tenant.instanceQuota),
    },
    validators: { onChange: schema },
    onSubmit: ({ value }) => onTyped(schema.parse(value)),
  });
  return (
    <form.AppForm>
      <FormDialog
        title={tenant === undefined ? "Add a tenant" : `Change tenant ${tenant.org}`}
        consequence={
          <p>
            A lower quota ends no instance. The tenant gets no new one while it holds more than its quota.
          </p>
        }
        confirmWords="Continue"
        schema={schema}
        problem={undefined}
        edits={tenant !== undefined}
        onClose={onClose}
      >
        {tenant === undefined ? (
          <form.AppField name="org">
            {(field) => (
              <field.TextField
                label="Organization"
                aside="names it in addresses; cannot be changed later"
                mono
              />
            )}
          </form.AppField>
        ) : null}
        <form.AppField name="name">{(field) => <field.TextField label="Name" />}</form.AppField>
        <form.AppField name="instanceQuota">
          {(field) => (
            <field.TextField label="Instance quota" inputMode="numeric" placeholder="no limit" short />
          )}
        </form.AppField>
        <form.AppField name="networkAllocation">
          {(field) => <field.CheckField label="Network allocation" aside="it may hold hosts of this site" />}
        </form.AppField>
        <form.AppField name="targetedInstanceCreation">
          {(field) => (
            <field.CheckField label="May claim an exact host" aside="of this site, for repair tenants" />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
