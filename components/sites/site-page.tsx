"use client";
// A site's network controller, provisioning networks and agent image, and the button to create another site.
import Link from "next/link";
import { routes } from "@/server/domain/console/routes";
import { networkSections } from "@/server/domain/sites/setting-fields";
import { Authorities } from "@/components/sites/authorities/authorities";
import { BmcCredentials } from "@/components/sites/bmc-credentials";
import { ControllerForm } from "@/components/sites/controller-form";
import { CreateSite } from "@/components/sites/create-site";
import { SettingsForm } from "@/components/sites/settings-form";
import { SitePageFrame } from "@/components/sites/settings-head";
import { useSiteSettings, useWhyNoSettings } from "@/components/sites/use-settings";

export function SitePage() {
  return (
    <SitePageFrame what="site" hrefOf={routes.settings.site} acts={<CreateSite />}>
      {({ name }) => <OneSite name={name} />}
    </SitePageFrame>
  );
}

function OneSite({ name }: { readonly name: string }) {
  const { view, changes } = useSiteSettings(name);
  const whyNot = useWhyNoSettings();
  const { agentImage } = view.document;
  return (
    <>
      <ControllerForm view={view} whyNot={whyNot} />
      <SettingsForm view={view} sections={networkSections} changes={changes} whyNot={whyNot} />
      <Authorities view={view} whyNot={whyNot} />
      <BmcCredentials view={view} whyNot={whyNot} />
      <div className="sec">
        <h2>Agent image</h2>
      </div>
      <p>
        {agentImage === undefined ? "The server’s default" : `Version ${agentImage.version}`}.{" "}
        <span className="text-quiet">
          Added and rolled out on the page{" "}
          <Link className="link" href={routes.cleaning.images()}>
            Agent images
          </Link>
          .
        </span>
      </p>
      <p className="text-quiet after">
        The same settings as a document: <code>reclaim site export {name}</code>, then{" "}
        <code>reclaim site apply -f &lt;file&gt;</code>.
      </p>
    </>
  );
}
