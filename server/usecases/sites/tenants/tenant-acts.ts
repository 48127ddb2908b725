// Acts on tenants: creating, renaming, disabling, and what each may do at a site (docs/sites.md#tenants). Changes take effect at once.
import { randomUUID } from "node:crypto";
import { tenants as contract } from "@/server/contract/sites/tenants";
import type { AuditFacts } from "@/server/db/audit";
import { isUniqueViolation } from "@/server/db/transaction";
import { tenantGrants } from "@/server/domain/access/tenant-grants";
import { accessChanged } from "@/server/usecases/access/access-changes";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import type { ActContext, Acted } from "@/server/usecases/define-act";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { lockShared } from "@/server/usecases/sites/lock-shared";
import { lockTenant, writeGrant } from "@/server/usecases/sites/tenants/write-grants";

interface TenantTarget {
  readonly id: string;
  readonly name: string;
  readonly instanceQuota: number | null;
  readonly disabledAt: Date | null;
}

interface Named {
  readonly org: string;
}

const onTenant = {
  names: ({ org }: Named) => ({ kind: "tenant", id: org }),
  find: async ({ tx }: ActContext, { org }: Named) => {
    await lockShared(tx);
    const id = await lockTenant(tx, org);
    const value: TenantTarget | null = id === null ? null : await tx.tenant.findUnique({ where: { id } });
    return value === null ? null : { id: org, belongs: { tenantId: null }, value };
  },
  committed: accessChanged,
};

/** Audit events about tenants are for the provider only. */
const changeOf = (org: string, before: AuditFacts | null, after: AuditFacts) => ({
  targetId: org,
  tenantId: null,
  before,
  after,
});

export const createTenant = defineAct({
  ...contract.create,
  names: onTenant.names,
  find: async ({ tx }, { org }) => {
    await lockShared(tx);
    return { id: org, belongs: { tenantId: null }, value: null };
  },
  run: async ({ tx }, _none, { org, name, instanceQuota }) => {
    try {
      await tx.tenant.create({ data: { id: randomUUID(), org, name, instanceQuota } });
    } catch (error) {
      if (isUniqueViolation(error)) return refused("conflict", `A tenant ${org} already exists.`, "org");
      throw error;
    }
    return acted({ value: { org }, ...changeOf(org, null, { name, instanceQuota }) });
  },
});

export const changeTenant = defineAct({
  ...contract.change,
  ...onTenant,
  run: async ({ tx }, found, { org, ...asked }) => {
    const before = { name: found.name, instanceQuota: found.instanceQuota };
    const after = {
      name: asked.name ?? before.name,
      instanceQuota: asked.instanceQuota === undefined ? before.instanceQuota : asked.instanceQuota,
    };
    if (JSON.stringify(before) === JSON.stringify(after)) return unchanged({ org });
    await tx.tenant.update({ where: { id: found.id }, data: after });
    return acted({ value: { org }, ...changeOf(org, before, after) });
  },
});

async function setDisabled(
  { tx }: ActContext,
  { id, disabledAt }: TenantTarget,
  { org, reason }: Named & { readonly reason: string },
  disabled: boolean,
): Promise<Outcome<Acted<Named>>> {
  if ((disabledAt !== null) === disabled) return unchanged({ org });
  await tx.tenant.update({ where: { id }, data: { disabledAt: disabled ? new Date() : null } });
  // Its webhooks were not tried meanwhile, so that time must not disable them at the first failed attempt.
  if (!disabled) await tx.webhook.updateMany({ where: { tenantId: id }, data: { failingSince: null } });
  return acted({ value: { org }, ...changeOf(org, { disabled: !disabled }, { disabled, reason }) });
}

export const disableTenant = defineAct({
  ...contract.disable,
  ...onTenant,
  run: (context, found, asked) => setDisabled(context, found, asked, true),
});

export const enableTenant = defineAct({
  ...contract.enable,
  ...onTenant,
  run: (context, found, asked) => setDisabled(context, found, asked, false),
});

export const setTenantGrants = defineAct({
  ...contract.setGrants,
  ...onTenant,
  run: async ({ tx, actor }, { id: tenantId }, { org, site, reason, ...asked }) => {
    const found = await tx.site.findUnique({ where: { name: site }, select: { id: true } });
    if (found === null) return notFound("site", site);
    const changed = new Map<string, boolean>();
    for (const kind of tenantGrants) {
      const given = asked[kind];
      const grant = { tenantId, siteId: found.id, kind, by: actor.name };
      if (given !== undefined && (await writeGrant(tx, grant, given))) changed.set(kind, given);
    }
    const before = Object.fromEntries([...changed].map(([kind, given]) => [kind, !given]));
    return done({
      value: { org, site, changed: changed.size > 0 },
      changes:
        changed.size === 0
          ? []
          : [changeOf(org, { site, ...before }, { site, ...Object.fromEntries(changed), reason })],
    });
  },
});
