"use client";
// Grants and revokes what a tenant may do at a site, and disables or enables a tenant (docs/sites.md#tenants).
import { z } from "zod";
import { Menu, MenuAct } from "@/components/ui/menu";
import { ActDialog, ActFormDialog, type Stale } from "@/components/ui/dialogs/act-dialog";
import { reasonField } from "@/components/ui/form/fields";
import { reasonText } from "@/components/ui/form/schemas";
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

/** Site documents contain the tenants. */
const stale: Stale = (trpc) => [trpc.tenants, trpc.site];

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
  const { title, consequence, said } = switchLabels[kind];
  return (
    <ActDialog
      title={`${title} the tenant ${org}?`}
      consequence={consequence}
      confirmWords={`${title} tenant`}
      reason
      send={({ reason }, client) => client.tenants[kind].mutate({ org, reason })}
      said={`The tenant ${org} ${said}.`}
      stale={stale}
      onClose={onClose}
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

const GrantsDialog = ({ tenant: { org }, at, onClose }: GrantsDialogProps) => (
  <ActFormDialog
    title={`What ${org} may do at site ${at.site}`}
    consequence="It applies at once. The tenant keeps its instances and can release them. Without the right to repair, it cannot end a repair."
    confirmWords="Save"
    edits
    schema={grantsSchema}
    values={{
      networkAllocation: at.networkAllocation,
      targetedInstanceCreation: at.targetedInstanceCreation,
      reason: "",
    }}
    fields={{
      networkAllocation: { label: "Network allocation", aside: "can hold hosts of this site" },
      targetedInstanceCreation: {
        label: "May repair",
        aside: "claim an exact host, label it, end its repair",
      },
      reason: reasonField(),
    }}
    send={(grants, client) => client.tenants.setGrants.mutate({ org, site: at.site, ...grants })}
    said={`What ${org} may do at site ${at.site} is changed.`}
    stale={stale}
    onClose={onClose}
  />
);
