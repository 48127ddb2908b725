"use client";
// Edits a tenant in a site's document: name, quota, and what it may do at that site.
import { useState } from "react";
import { z } from "zod";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { typedValue } from "@/components/ui/form/schemas";
import { tenantEntry } from "@/server/domain/sites/document";
import type { TenantEntry } from "@/server/domain/sites/document";

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

export function TenantDialog({ site, tenant, taken, onClose, onTyped }: TenantDialogProps) {
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
          <p>A lower quota does not end instances. The tenant gets no new ones while it is over its quota.</p>
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
              <field.TextField label="Organization" aside="used in addresses; cannot be changed later" mono />
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
          {(field) => (
            <field.CheckField label="Network allocation" aside={`can hold hosts of site ${site}`} />
          )}
        </form.AppField>
        <form.AppField name="targetedInstanceCreation">
          {(field) => (
            <field.CheckField label="May repair" aside={`hosts of site ${site}, for repair tenants`} />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
