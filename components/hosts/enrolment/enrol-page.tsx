"use client";
// The enrolment page: one host through a form, many through a CSV file.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { Notice } from "@/components/ui/notice";
import { Tabs } from "@/components/ui/tabs";
import { routes } from "@/server/domain/console/routes";
import { ListForm } from "@/components/hosts/enrolment/list-form";
import { OneHostForm } from "@/components/hosts/enrolment/one-host-form";

export type EnrolBy = "host" | "list";

export function EnrolPage({ by }: { readonly by: EnrolBy }) {
  const trpc = useTRPC();
  const { data } = useSuspenseQuery(trpc.cleaning.scopes.queryOptions());
  const whyNot = data.sites.length === 0 ? "No site yet" : undefined;
  const Form = by === "host" ? OneHostForm : ListForm;
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.hosts()}>
          Hosts
        </Link>
        <h1>Enrol hosts</h1>
        <div className="acts">
          <Link className="btn plain" href={routes.enrolments.list()}>
            Earlier enrolments
          </Link>
        </div>
      </div>
      <Tabs
        label="How to enrol"
        tabs={[
          { href: routes.enrolments.create(), words: "One host", current: by === "host" },
          { href: routes.enrolments.create({ by: "list" }), words: "CSV file", current: by === "list" },
        ]}
      />
      {data.sites.length === 0 ? (
        <Notice
          tone="attention"
          act={
            <Link className="btn small" href={routes.settings.site()}>
              Go to Settings
            </Link>
          }
        >
          No site yet, and every host belongs to one. Create a site first.
        </Notice>
      ) : null}
      <Form sites={data.sites} whyNot={whyNot} />
    </>
  );
}
