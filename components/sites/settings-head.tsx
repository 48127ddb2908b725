"use client";
// The head of the settings pages, and the frame of those that concern one site.
import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import { TabbedHead, type HeadProps } from "@/components/frame/tabbed-head";
import { NoSite } from "@/components/sites/no-site";
import { WaitingChange } from "@/components/sites/waiting-change";
import { useChosenSite, type SiteOfSettings } from "@/components/sites/use-settings";
import { settingsPages } from "@/server/domain/console/subpages";

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
