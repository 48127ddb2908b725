"use client";
// What was just released on this page, and where to follow it.
import Link from "next/link";
import { instancesHref } from "@/components/instances/instances-view";
import { Button } from "@/components/ui/button";
import { formatCounted } from "@/components/ui/format/numbers";
import { Notice } from "@/components/ui/notice";
import { routes } from "@/server/domain/console/routes";
import type { InstanceRow } from "@/server/surfaces/trpc/types";

/** Links to the released instances: they leave the list of held instances once their machines are off the tenant's network. */
export function JustReleased({ rows, onClose }: { rows: readonly InstanceRow[]; onClose: () => void }) {
  const [first] = rows;
  if (first === undefined) return null;
  const what = rows.length === 1 ? first.name : formatCounted(rows.length, "instance");
  return (
    <div className="after">
      <Notice
        tone="neutral"
        act={
          <Button small kind="plain" onClick={onClose}>
            Hide
          </Button>
        }
      >
        Release of {what} accepted. The machine is erased and verified before anybody else gets it:{" "}
        <Link
          className="link"
          href={rows.length === 1 ? routes.receipt(first.id) : instancesHref({ show: "all", open: null })}
        >
          {rows.length === 1 ? "follow it to the receipt" : "follow them in All"}
        </Link>
        .
      </Notice>
    </div>
  );
}
