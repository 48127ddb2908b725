// What a tenant sees of the alerts of a host it holds: their messages for tenants, and nothing about who raises them (docs/repair.md#what-a-tenant-sees).
import { storedBody } from "@/server/domain/repair/health/report";

/** Replaces an alert's own id, which is the provider's. */
export const tenantAlert = "HealthNotice";

export interface TenantNotice {
  readonly message: string;
  readonly since: Date;
}

/** `shown`: a host's aggregate as stored; null: there are no reports. Each message appears once, with its earliest start. Pure. */
export function tenantNotices(shown: unknown): readonly TenantNotice[] {
  const notices = new Map<string, number>();
  for (const { tenantMessage, inAlertSince } of storedBody.safeParse(shown).data?.alerts ?? []) {
    if (tenantMessage === null || tenantMessage === "") continue;
    const sinceMs = Date.parse(inAlertSince);
    notices.set(tenantMessage, Math.min(sinceMs, notices.get(tenantMessage) ?? sinceMs));
  }
  return [...notices].map(([message, sinceMs]) => ({ message, since: new Date(sinceMs) }));
}
