"use client";
// The *Audit* tab of a host: what was done to it, and what was refused.
import { useState } from "react";
import Link from "next/link";
import { emptySearch } from "@/components/audit-log/audit-view";
import { EventList } from "@/components/audit-log/events/event-list";
import { EventPanel } from "@/components/audit-log/events/event-panel";
import { Button } from "@/components/ui/button";
import { ListWithPanel } from "@/components/ui/side/side-panel";
import { routes } from "@/server/domain/console/routes";
import type { HostDetail } from "@/server/surfaces/trpc/types";

export function HostAuditTab({ host }: { readonly host: Pick<HostDetail, "id" | "name"> }) {
  const [open, setOpen] = useState<string | null>(null);
  const [isFollowed, setFollowed] = useState(false);
  return (
    <>
      <div className="sec">
        <h2>Events</h2>
        <span className="sum cut">acts on this host, and what was refused</span>
        <span className="end">
          <Link href={routes.audit({ target: host.name })}>Search all</Link>
          <a href={routes.files.auditCsv({ targetId: host.id })} download={`audit-${host.name}.csv`}>
            As CSV
          </a>
          <Button small aria-pressed={isFollowed} onClick={() => setFollowed(!isFollowed)}>
            {isFollowed ? "Stop following" : "Follow live"}
          </Button>
        </span>
      </div>
      <ListWithPanel
        label="Events"
        className="audit-list"
        panel={open === null ? null : <EventPanel key={open} id={open} onClose={() => setOpen(null)} />}
      >
        <EventList
          search={emptySearch}
          targetId={host.id}
          isFollowed={isFollowed}
          open={open}
          onOpen={(id) => setOpen(open === id ? null : id)}
        />
      </ListWithPanel>
    </>
  );
}
