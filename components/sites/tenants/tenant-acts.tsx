"use client";
// Grants and revokes what a tenant may do at a site, and disables or enables a tenant (docs/sites.md#tenants).
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Menu, MenuAct } from "@/components/ui/menu";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { ReasonDialog } from "@/components/ui/form/reason-dialog";
import { reasonText } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";
import type { TenantLine } from "@/server/surfaces/trpc/types";

type AtSite = TenantLine["sites"][number];

export type TenantAct =
  | { readonly kind: "disable" | "enable"; readonly tenant: TenantLine }
  | { readonly kind: "grants"; readonly tenant: TenantLine; readonly at: AtSite };

interface TenantActsProps {
  readonly tenant: TenantLine;
  /** Why this user may not change tenants. */
  readonly whyNot: string | undefined;
  readonly ask: (act: TenantAct) => void;
}

export function TenantActs({ tenant, whyNot, ask }: TenantActsProps) {
  const kind = tenant.disabledAt === null ? "disable" : "enable";
  return (
    <Menu
      trigger={
        <button type="button" className="btn small" aria-label={`More acts on ${tenant.org}`}>
          More
        </button>
      }
    >
      {tenant.sites.map((at) => (
        <MenuAct key={at.siteId} onSelect={() => ask({ kind: "grants", tenant, at })} disabledReason={whyNot}>
          At site {at.site}…
        </MenuAct>
      ))}
      <MenuAct onSelect={() => ask({ kind, tenant })} disabledReason={whyNot}>
        {kind === "disable" ? "Disable" : "Enable"}…
      </MenuAct>
    </Menu>
  );
}

/** Also refetches site documents, which contain the tenants. */
function useTenantsChanged(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => {
    for (const noun of [trpc.tenants, trpc.site])
      void queryClient.invalidateQueries({ queryKey: noun.pathKey() });
  };
}

interface TenantActDialogProps {
  readonly act: TenantAct;
  readonly onClose: () => void;
}

export function TenantActDialog({ act, onClose }: TenantActDialogProps) {
  return act.kind === "grants" ? (
    <GrantsDialog tenant={act.tenant} at={act.at} onClose={onClose} />
  ) : (
    <SwitchDialog kind={act.kind} tenant={act.tenant} onClose={onClose} />
  );
}

const switchLabels = {
  disable: {
    title: "Disable",
    consequence:
      "Its users cannot sign in, its tokens are refused, it gets no new hosts, and its webhook events are queued. Its instances stay until an operator releases them.",
    said: "is disabled",
  },
  enable: {
    title: "Enable",
    consequence:
      "Its users can sign in again, and its rights at each site apply again. Queued events are sent.",
    said: "is enabled",
  },
} as const;

interface SwitchDialogProps {
  readonly kind: keyof typeof switchLabels;
  readonly tenant: TenantLine;
  readonly onClose: () => void;
}

function SwitchDialog({ kind, tenant: { org }, onClose }: SwitchDialogProps) {
  const client = useTRPCClient();
  const onDone = useTenantsChanged();
  const { title, consequence, said } = switchLabels[kind];
  return (
    <ReasonDialog
      title={`${title} the tenant ${org}?`}
      consequence={<p>{consequence}</p>}
      confirmWords={`${title} tenant`}
      send={({ reason }) => client.tenants[kind].mutate({ org, reason })}
      said={`The tenant ${org} ${said}.`}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

const grantsSchema = z.object({
  networkAllocation: z.boolean(),
  targetedInstanceCreation: z.boolean(),
  reason: reasonText(),
});

interface GrantsDialogProps {
  readonly tenant: TenantLine;
  readonly at: AtSite;
  readonly onClose: () => void;
}

function GrantsDialog({ tenant: { org }, at, onClose }: GrantsDialogProps) {
  const client = useTRPCClient();
  const onDone = useTenantsChanged();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [defaultValues] = useState(() => ({
    networkAllocation: at.networkAllocation,
    targetedInstanceCreation: at.targetedInstanceCreation,
    reason: "",
  }));
  const form = useAppForm({
    defaultValues,
    validators: { onChange: grantsSchema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `What ${org} may do at site ${at.site} is changed.`, () =>
        client.tenants.setGrants.mutate({ org, site: at.site, ...grantsSchema.parse(value) }),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog
        title={`What ${org} may do at site ${at.site}`}
        consequence={
          <p>
            It applies at once. The tenant keeps its instances and can release them. Without the right to
            repair, it cannot end a repair.
          </p>
        }
        confirmWords="Save"
        schema={grantsSchema}
        problem={problem}
        edits
        onClose={onClose}
      >
        <form.AppField name="networkAllocation">
          {(field) => <field.CheckField label="Network allocation" aside="can hold hosts of this site" />}
        </form.AppField>
        <form.AppField name="targetedInstanceCreation">
          {(field) => (
            <field.CheckField label="May repair" aside="claim an exact host, label it, end its repair" />
          )}
        </form.AppField>
        <form.AppField name="reason">{(field) => <field.TextAreaField label="Reason" />}</form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
