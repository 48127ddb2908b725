"use client";
// The policy of a site: how its hosts are cleaned, how many at once, and how long everything may take.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMe } from "@/components/frame/me";
import { ChangeLimits } from "@/components/queue/limits-dialog";
import { LimitsTable } from "@/components/queue/limits-table";
import { useTRPC } from "@/components/trpc/trpc";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import { policySections } from "@/server/domain/site/setting-fields";
import { NoSite } from "@/components/settings/no-site";
import { SettingsForm } from "@/components/settings/settings-form";
import { SettingsHead, SiteChoice } from "@/components/settings/settings-head";
import { useChosenSite, useSiteSettings, useWhyNoSettings } from "@/components/settings/use-settings";

export function PolicyPage() {
  const { sites, chosen } = useChosenSite();
  return (
    <>
      <SettingsHead what={chosen === null ? "no site yet" : `policy of site ${chosen.name}`} />
      {chosen === null ? (
        <NoSite />
      ) : (
        <>
          <SiteChoice sites={sites} chosen={chosen.name} hrefOf={routes.settings.policy} />
          <SitePolicy key={chosen.name} site={chosen} />
        </>
      )}
    </>
  );
}

type Site = NonNullable<ReturnType<typeof useChosenSite>["chosen"]>;

function SitePolicy({ site }: { readonly site: Site }) {
  const { view, changes } = useSiteSettings(site.name);
  const whyNot = useWhyNoSettings();
  return (
    <>
      <div className="cols two">
        <div>
          <div className="sec">
            <h2>Automated cleaning</h2>
          </div>
          <p>
            {site.automatedClean ? "On" : "Off"}.{" "}
            <span className="text-quiet">
              Switched, like the priorities of steps, on the page{" "}
              <Link className="link" href={routes.cleaning.steps({ site: site.id })}>
                Clean steps
              </Link>
              .
            </span>
          </p>
        </div>
        <div>
          <Admission siteId={site.id} />
        </div>
      </div>
      <SettingsForm view={view} sections={policySections} changes={changes} whyNot={whyNot} />
    </>
  );
}

/** The limits have an act of their own, which the page of the queue has, too. */
function Admission({ siteId }: { readonly siteId: string }) {
  const trpc = useTRPC();
  const me = useMe();
  const { data } = useSuspenseQuery(trpc.queue.get.queryOptions());
  const queue = data.sites.find((site) => site.siteId === siteId);
  if (queue === undefined) return null;
  const whyNot =
    reachOf(me.role, "cleaning.override") === "any" ? undefined : "Only a provider admin changes limits";
  return <LimitsTable queue={queue} act={<ChangeLimits queue={queue} whyNot={whyNot} />} />;
}
