"use client";
// Edits a tenant in a site's document: name, quota, and what it may do at that site.
import { z } from "zod";
import { ActFormDialog, pageCloses } from "@/components/ui/dialogs/act-dialog";
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

export const TenantDialog = ({ site, tenant, taken, onClose, onTyped }: TenantDialogProps) => (
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
