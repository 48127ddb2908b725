"use client";
// A site's procedures: the list, and one of them with its form and versions.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { ProcedureEditor } from "@/components/assurance/procedures/procedure-editor";
import { beginnings, formOf } from "@/components/assurance/procedures/procedure-form";
import { ProcedureVersions } from "@/components/assurance/procedures/procedure-versions";
import { SitePageFrame } from "@/components/sites/settings-head";
import { useWhyNoSettings, type SiteOfSettings } from "@/components/sites/use-settings";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Notice } from "@/components/ui/notice";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { routes } from "@/server/domain/console/routes";
import { formatValidity, formatWhen } from "@/server/domain/assurance/procedures/text";
import type { SiteProcedures } from "@/server/surfaces/trpc/types";

export function ProceduresPage() {
  return (
    <SitePageFrame what="procedures of site" hrefOf={routes.settings.procedures}>
      {(site) => <OfSite site={site} />}
    </SitePageFrame>
  );
}

function OfSite({ site }: { readonly site: SiteOfSettings }) {
  const trpc = useTRPC();
  const search = useSearchParams();
  const { data } = useSuspenseQuery(trpc.procedures.list.queryOptions());
  const found = data.find(({ siteId }) => siteId === site.id);
  if (found === undefined) return null;
  const begin = search.get("begin");
  const open = search.get("open");
  const known = found.procedures.find(({ name }) => name === open);
  if (known !== undefined)
    return (
      <>
        <BackLink site={found.site} />
        <ProcedureEditor
          key={`${known.name} ${known.version}`}
          site={found}
          saved={known}
          start={formOf(known)}
        />
        <ProcedureVersions siteId={found.siteId} name={known.name} />
      </>
    );
  if (begin === "drain" || begin === "empty")
    return (
      <>
        <BackLink site={found.site} />
        <ProcedureEditor key={begin} site={found} saved={null} start={beginnings[begin]} />
      </>
    );
  return <ProcedureList site={found} />;
}

const BackLink = ({ site }: { readonly site: string }) => (
  <p className="after">
    <Link className="link" href={routes.settings.procedures({ site })}>
      All procedures of site {site}
    </Link>
  </p>
);

type Line = SiteProcedures["procedures"][number];

const column = columnsOf<Line>();

const columns = (site: string): readonly TableColumn<Line>[] => [
  column.cell(
    "title",
    "Procedure",
    ({ name, title }) => (
      <Link href={routes.settings.procedures({ site, open: name })} data-open="">
        {title}
      </Link>
    ),
    { width: "28%", narrow: "top-start", rowHeader: true, title: ({ title }) => title },
  ),
  column.text("name", "Name", ({ name }) => name, { width: 190, from: "medium", className: "mono" }),
  column.count("version", "Version", ({ version }) => version, { width: 72, narrow: "top-end" }),
  column.cell("due", "Due", ({ when }) => formatWhen(when) || "never", {
    spaced: true,
    narrow: "line",
    title: ({ when }) => formatWhen(when),
  }),
  column.text("validity", "A record counts for", formatValidity, {
    width: 190,
    from: "wide",
    className: "text-quiet",
  }),
];

function ProcedureList({ site }: { readonly site: SiteProcedures }) {
  const router = useRouter();
  const whyNot = useWhyNoSettings();
  const begin = (how: "drain" | "empty") =>
    router.push(routes.settings.procedures({ site: site.site, begin: how }));
  const drain = (
    <Button kind="main" disabledReason={whyNot} onClick={() => begin("drain")}>
      Start with an AC power drain…
    </Button>
  );
  return (
    <>
      <div className="sec">
        <h2>Procedures</h2>
        <span className="sum cut">what people do at machines of site {site.site}, record and sign</span>
        {site.procedures.length === 0 ? null : (
          <span className="end">
            <Button small disabledReason={whyNot} onClick={() => begin("empty")}>
              New procedure…
            </Button>
          </span>
        )}
      </div>
      {site.required || site.procedures.length === 0 ? null : <NotRequired site={site.site} />}
      <DataTable
        caption={`Procedures of site ${site.site}`}
        columns={columns(site.site)}
        rows={site.procedures}
        rowId={({ name }) => name}
        empty={
          <Empty
            title="No procedure yet"
            act={
              <div className="acts left">
                {drain}
                <Button disabledReason={whyNot} onClick={() => begin("empty")}>
                  Start empty…
                </Button>
              </div>
            }
          >
            A procedure is a manual task at a machine, such as a full AC drain. You say when it is due. A host
            for which it is due becomes Ready only after one person has recorded it and another has signed it
            off.
          </Empty>
        }
      />
    </>
  );
}

/** Shown if the gate is not required, because then no host waits for a procedure. */
export const NotRequired = ({ site }: { readonly site: string }) => (
  <Notice tone="attention">
    The policy of site {site} does not require signed procedures, so no host waits for one.{" "}
    <Link className="link" href={routes.settings.policy({ site })}>
      Require them in the policy
    </Link>
    .
  </Notice>
);
