"use client";
// A notice on settings pages that a site change awaits another person, so the settings shown still apply.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Notice } from "@/components/ui/notice";
import { routes } from "@/server/domain/console/routes";

/** Polled: the live stream carries host events only, not decisions on changes. */
const refreshMs = 10_000;

export function WaitingChange({ site }: { readonly site: string }) {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.policyChanges.list.queryOptions({ site, limit: 1 }),
    refetchInterval: refreshMs,
  });
  const line = data?.items.find(({ voided }) => voided === null);
  if (line === undefined) return null;
  return (
    <div className="waiting-change">
      <Notice
        tone="waiting"
        act={
          <Link className="btn small" href={routes.assurance({ tab: "changes" })}>
            {line.mayDecide ? "Review the change" : "Show the change"}
          </Link>
        }
      >
        {line.own ? "Your change" : `A change by ${line.askedBy}`} of site {site} waits for approval by
        another provider admin. Until then the site stays as it is.
      </Notice>
    </div>
  );
}
