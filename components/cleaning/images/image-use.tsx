"use client";
// How an image did on the hosts that booted it; each number links to its hosts.
import Link from "next/link";
import { formatCounted } from "@/server/domain/numbers";
import { Changed } from "@/components/ui/changed";
import { Mark } from "@/components/ui/mark";
import type { ImageUse } from "@/server/surfaces/trpc/types";
import { routes } from "@/server/domain/console/routes";

/** Rows of a fact list. */
export function ImageUseFacts({ use: { given, cameUp, failed, filter } }: { use: ImageUse }) {
  const silent = given - cameUp;
  return (
    <>
      <dt>Booted by</dt>
      <dd>
        {given === 0 ? (
          <span className="text-quiet">no hosts yet; hosts get it at their next boot</span>
        ) : (
          <Changed of={given}>
            <Link className="link" href={routes.hosts({ q: filter })}>
              {formatCounted(given, "host")}
            </Link>
          </Changed>
        )}
      </dd>
      {given === 0 ? null : (
        <>
          <dt>Came up on</dt>
          <dd>
            <Changed of={cameUp}>{formatCounted(cameUp, "host")}</Changed>
            {silent === 0 ? null : (
              <span className="text-quiet">
                ; on {formatCounted(silent, "host")} its agent has not registered
              </span>
            )}
          </dd>
          <dt>Failed now</dt>
          <dd>
            {failed === 0 ? (
              "none of them"
            ) : (
              <span className="marked-text">
                <Mark tone="failed" label="" />
                <Link className="link" href={routes.hosts({ q: `${filter} state:Failed` })}>
                  {formatCounted(failed, "host")}
                </Link>
              </span>
            )}
          </dd>
        </>
      )}
    </>
  );
}
