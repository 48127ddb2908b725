// What people do with a host's health: apply a template, add a report, remove one (docs/repair.md#templates).
import { health as contract } from "@/server/contract/repair/health";
import type { Transaction } from "@/server/db/prisma";
import type { ReportChange } from "@/server/domain/repair/health/change-report";
import { fromTemplate, healthTemplates } from "@/server/domain/repair/health/templates";
import type { AuditFacts } from "@/server/db/audit";
import { defineAct } from "@/server/usecases/define-act";
import type { Acted, ActContext, Target } from "@/server/usecases/define-act";
import { writeReports } from "@/server/usecases/repair/health/write-reports";
import type { Written } from "@/server/usecases/repair/health/write-reports";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

const names = ({ hostId }: { readonly hostId: string }) => ({ kind: "host", id: hostId });

async function findHost(
  { tx }: ActContext<Transaction>,
  { hostId }: { readonly hostId: string },
): Promise<Target<string> | null> {
  const host = await tx.host.findUnique({ where: { id: hostId }, select: { id: true } });
  return host === null ? null : { id: host.id, belongs: { tenantId: null }, value: host.id };
}

async function write(
  { tx, actor }: ActContext<Transaction>,
  hostId: string,
  change: ReportChange,
  reason: string,
  after: AuditFacts,
): Promise<Outcome<Acted<{ level: Written["level"] }>>> {
  const written = await writeReports(tx, hostId, [change], { name: actor.name, reason });
  if (!written.ok) return written;
  const { level, news } = written.value;
  return done({
    value: { level },
    changes: news
      ? [{ targetId: hostId, tenantId: null, before: null, after: { ...after, reason, level } }]
      : [],
  });
}

export const applyTemplate = defineAct({
  ...contract.apply,
  names,
  find: findHost,
  run: (context, hostId, { template, message, tenantMessage, replace }) => {
    const { source } = healthTemplates[template];
    const mode = replace ? "replace" : "merge";
    const report = fromTemplate(template, message, tenantMessage ?? null);
    return write(context, hostId, { kind: "set", source, mode, report, heartbeatSeconds: null }, message, {
      template,
      source,
      mode,
    });
  },
});

export const addReport = defineAct({
  ...contract.add,
  names,
  find: findHost,
  run: (context, hostId, { source, mode, report, reason }) =>
    write(context, hostId, { kind: "set", source, mode, report, heartbeatSeconds: null }, reason, {
      source,
      mode,
      alerts: report.alerts.map(({ id }) => id),
    }),
});

export const removeReport = defineAct({
  ...contract.remove,
  names,
  find: findHost,
  run: (context, hostId, { source, mode, reason }) =>
    write(context, hostId, { kind: "removed", source, mode }, reason, { source, mode, removed: true }),
});
