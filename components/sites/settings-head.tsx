"use client";
// The head of the settings pages, and the frame of those that concern one site.
import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import { type HeadProps, TabbedHead } from "@/components/frame/tabbed-head";
import { NoSite } from "@/components/sites/no-site";
import { type SiteOfSettings, useChosenSite } from "@/components/sites/use-settings";
import { settingsPages } from "@/server/domain/console/subpages";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { Notice } from "@/components/ui/notice";
import { routes } from "@/server/domain/console/routes";

/** Polled: the live stream carries host events only, not decisions on changes. */
const refreshMs = 10_000;

/** A notice on settings pages that a site change awaits another person, so the settings shown still apply. */
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

export const SettingsHead = (props: HeadProps) => (
  <TabbedHead title="Settings" pages={settingsPages} {...props} />
);

interface SiteChoiceProps {
  readonly sites: readonly { readonly name: string }[];
  readonly chosen: string;
  readonly hrefOf: (query: { site: string }) => string;
}

/** Links to the same page of other sites; empty if there is only one site. */
function SiteChoice({ sites, chosen, hrefOf }: SiteChoiceProps) {
  if (sites.length < 2) return null;
  return (
    <nav className="site-choice" aria-label="Sites">
      {sites.map(({ name }) => (
        <Link
          key={name}
          href={hrefOf({ site: name })}
          {...(name === chosen ? { "aria-current": "page" as const } : {})}
        >
          Site {name}
        </Link>
      ))}
    </nav>
  );
}

interface SitePageFrameProps {
  /** The page's subject, used as in "policy of site". */
  readonly what: string;
  readonly hrefOf: SiteChoiceProps["hrefOf"];
  /** Buttons of the page, shown once there is a site. */
  readonly acts?: ReactNode;
  readonly children: (site: SiteOfSettings) => ReactNode;
}

/** A settings page for the site in the URL; its content is remounted for each site. */
export function SitePageFrame({ what, hrefOf, acts, children }: SitePageFrameProps) {
  const { sites, chosen } = useChosenSite();
  if (chosen === null)
    return (
      <>
        <SettingsHead what="no site yet" />
        <NoSite />
      </>
    );
  return (
    <>
      <SettingsHead what={`${what} ${chosen.name}`} acts={acts} />
      <SiteChoice sites={sites} chosen={chosen.name} hrefOf={hrefOf} />
      <Fragment key={chosen.id}>
        <WaitingChange site={chosen.name} />
        {children(chosen)}
      </Fragment>
    </>
  );
}
