"use client";
// What needs attention: open faults of the last self-audit, or no completed self-audit for too long.
import Link from "next/link";
import type { ReactNode } from "react";
import { useSelfAudit } from "@/components/audit-log/self-audit/use-self-audit";
import { useMe } from "@/components/frame/me";
import { formatCounted } from "@/server/domain/numbers";
import { Notice } from "@/components/ui/notice";
import { ProofTime } from "@/components/ui/time/time";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import type { SelfAuditStanding } from "@/server/surfaces/trpc/types";

const kindsOf = ({ kinds }: NonNullable<SelfAuditStanding["last"]>): string =>
  kinds.flatMap(({ label, open }) => (open === 0 ? [] : `${label} ${open}`)).join(", ");

const toChecks = (
  <Link className="link" href={routes.audit({ tab: "checks" })}>
    Open the self-audit
  </Link>
);

/** Empty if nothing needs attention. */
export function SelfAuditNotice({ standing }: { readonly standing: SelfAuditStanding }) {
  const { last } = standing;
  return (
    <>
      {last === null || last.open === 0 ? null : (
        <Notice tone="failed">
          <b className="text-medium">
            The self-audit found {formatCounted(last.open, "fault")} that nobody has acknowledged.
          </b>{" "}
          <ProofTime at={last.at} />: {kindsOf(last)}. {toChecks}
        </Notice>
      )}
      <OverdueNotice standing={standing} act={toChecks} />
    </>
  );
}

/** No self-audit has completed for too long. */
export function OverdueNotice({
  standing: { last, overdue },
  act,
}: {
  readonly standing: SelfAuditStanding;
  readonly act?: ReactNode;
}) {
  if (!overdue) return null;
  return (
    <Notice tone="attention">
      <b className="text-medium">The self-audit is overdue.</b>{" "}
      {last === null ? (
        "None has ended yet"
      ) : (
        <>
          The last one ended <ProofTime at={last.at} />
        </>
      )}
      ; one should end every night. Check that a controller is running, and read its log. {act}
    </Notice>
  );
}

/** For the fleet page, shown to users who may read the audit log. */
export function SelfAuditAlert() {
  const me = useMe();
  return reachOf(me.role, "audit.read") === "any" ? <Alert /> : null;
}

function Alert() {
  const { data } = useSelfAudit();
  return data === undefined ? null : (
    <div className="above">
      <SelfAuditNotice standing={data} />
    </div>
  );
}
