"use client";
// The last self-audit in one line above the *Audit* tabs, or as a notice if it needs attention.
import Link from "next/link";
import { useSelfAudit } from "@/components/audit-log/self-audit/use-self-audit";
import { SelfAuditNotice } from "@/components/audit-log/self-audit/self-audit-notice";
import { formatCounted } from "@/server/domain/numbers";
import { ProofTime } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";

export function SelfAuditLine() {
  const { data } = useSelfAudit();
  // The tabs that verify in the browser do not wait for this request.
  if (data === undefined) return null;
  const { last, overdue } = data;
  if (overdue || (last !== null && last.open > 0))
    return (
      <div className="audit-said">
        <SelfAuditNotice standing={data} />
      </div>
    );
  const link = (
    <Link className="link" href={routes.audit({ tab: "checks" })}>
      Self-audit
    </Link>
  );
  return last === null ? (
    <p className="audit-said text-quiet">{link}: none has ended yet. One runs every night.</p>
  ) : (
    <p className="audit-said text-quiet">
      {link} <ProofTime at={last.at} />: {formatCounted(last.events, "event")} checked,{" "}
      {last.faults === 0 ? "nothing wrong" : `${formatCounted(last.faults, "fault")}, all acknowledged`}.
    </p>
  );
}
