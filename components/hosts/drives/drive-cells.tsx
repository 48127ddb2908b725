// Parts shared by the list of drives and the page of one drive.
import Link from "next/link";
import { Mark } from "@/components/ui/mark";
import { routes } from "@/server/domain/console/routes";
import type { DriveErase, DriveStay } from "@/server/surfaces/trpc/types";

/** For a host that has left, links to its record. */
export function HostLink({ host: { id, name, gone } }: { host: DriveStay["host"] }) {
  if (name === null) return <span className="text-quiet">a host without a record</span>;
  return (
    <>
      <Link className="link" href={gone ? routes.gone.one(id) : routes.host(name)} prefetch={false}>
        {name}
      </Link>
      {gone ? <span className="text-quiet"> (gone)</span> : null}
    </>
  );
}

/** "purge, nvme-sanitize-crypto", or that the erase failed. */
export function EraseMark({ erase }: { erase: Pick<DriveErase, "verdict" | "technique" | "level"> }) {
  const good = erase.verdict === "sanitized";
  return (
    <span className="marked-text">
      <Mark tone={good ? "good" : "failed"} label={good ? "sanitized" : "failed"} />
      <span className="cut">{good ? `${erase.level}, ${erase.technique ?? "sanitized"}` : "failed"}</span>
    </span>
  );
}
