"use client";
// A site's policy: how its hosts are cleaned, how many at once, and the time limits.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMe } from "@/components/frame/me";
import { ChangeLimits } from "@/components/cleaning/queue/limits-dialog";
import { LimitsTable } from "@/components/cleaning/queue/limits-table";
import { useTRPC } from "@/components/trpc/trpc";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import { policySections } from "@/server/domain/sites/setting-fields";
import { SettingsForm } from "@/components/sites/settings-form";
import { SitePageFrame } from "@/components/sites/settings-head";
import { useSiteSettings, useWhyNoSettings, type SiteOfSettings } from "@/components/sites/use-settings";

export function PolicyPage() {
  return (
    <SitePageFrame what="policy of site" hrefOf={routes.settings.policy}>
      {(site) => <SitePolicy site={site} />}
    </SitePageFrame>
  );
}

function SitePolicy({ site }: { readonly site: SiteOfSettings }) {
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

/** The limits have their own dialog, shared with the queue page. */
function Admission({ siteId }: { readonly siteId: string }) {
  const trpc = useTRPC();
  const me = useMe();
  const { data } = useSuspenseQuery(trpc.queue.get.queryOptions());
  const queue = data.sites.find((site) => site.siteId === siteId);
  if (queue === undefined) return null;
  const whyNot =
    reachOf(me.role, "cleaning.override") === "any" ? undefined : "Only a provider admin can change limits";
  return <LimitsTable queue={queue} act={<ChangeLimits queue={queue} whyNot={whyNot} />} />;
}
