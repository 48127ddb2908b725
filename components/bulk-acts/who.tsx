"use client";
// Of the hosts of an act: how many can, and why the others cannot.
import type { BulkPreview } from "@/server/surfaces/trpc/types";

const hostsWords = (count: number) => (count === 1 ? "1 host" : `${count.toLocaleString("en")} hosts`);

/** How many can, and why the others cannot. */
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
        <b className="b">{can.toLocaleString("en")}</b> of {hostsWords(total)} can.
        {abandons === 0
          ? null
          : ` ${hostsWords(abandons)} ${abandons === 1 ? "has" : "have"} a stopped reclamation, which ends as abandoned.`}
      </p>
      {cannot === 0 ? null : (
        <>
          <p>{cannot === 1 ? "One is left out:" : `${cannot.toLocaleString("en")} are left out:`}</p>
          <ul className="names" tabIndex={0} aria-label="Hosts that are left out">
            {reasons.map(({ reason, count, hosts }) => (
              <li key={reason}>
                <b className="b">{hosts.join(", ")}</b>
                {count > hosts.length ? ` and ${count - hosts.length} more` : null}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
