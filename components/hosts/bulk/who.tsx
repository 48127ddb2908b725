"use client";
// How many hosts of a bulk act can take part, and why the others cannot.
import type { BulkPreview } from "@/server/surfaces/trpc/types";
import { formatCount, formatCounted } from "@/components/ui/format/numbers";

export function Who({
  can,
  total,
  cannot,
  reasons,
  abandons,
}: Pick<BulkPreview, "can" | "total" | "cannot" | "reasons" | "abandons">) {
  return (
    <>
      <p>
        <b className="text-medium">{formatCount(can)}</b> of {formatCounted(total, "host")} can.
        {abandons === 0
          ? null
          : ` ${formatCounted(abandons, "host")} ${abandons === 1 ? "has" : "have"} a stopped reclamation, which ends as abandoned.`}
      </p>
      {cannot === 0 ? null : (
        <>
          <p>{cannot === 1 ? "One is left out:" : `${formatCount(cannot)} are left out:`}</p>
          <ul className="names" tabIndex={0} aria-label="Hosts that are left out">
            {reasons.map(({ reason, count, hosts }) => (
              <li key={reason}>
                <b className="text-medium">{hosts.join(", ")}</b>
                {count > hosts.length ? ` and ${count - hosts.length} more` : null}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
