"use client";
// The enrolment page: one host through a form, many through a list.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Notice } from "@/components/ui/notice";
import { Tabs } from "@/components/ui/tabs";
import { routes } from "@/server/domain/console/routes";
import { ListForm } from "@/components/hosts/enrolment/list-form";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { Fields, type FieldSpecs } from "@/components/ui/form/fields";
import { useAppForm } from "@/components/ui/form/form-kit";
import { PageForm } from "@/components/ui/form/page-form";
import { useSend } from "@/components/ui/form/use-send";
import type { EnrolledLine } from "@/server/surfaces/trpc/types";
import { FaultTable } from "@/components/hosts/enrolment/fault-table";
import { emptyOptions, optionSchema, optionSpecs, type SiteName } from "@/components/hosts/enrolment/options";

// Enrols one host.
const text = z.string();
/** One of the site's credential sets can replace user and password. */
const needed = { bmcUsername: "Enter the BMC's user", bmcPassword: "Enter the BMC's password" } as const;
const schema = z
  .object({
    ...optionSchema,
    name: text.trim().min(1, "Enter a name"),
    bmcAddress: text.trim().min(1, "Enter the address of the BMC"),
    bmcSystem: text,
    bmcUsername: text.trim(),
    bmcPassword: text,
    bmcCredentials: text.trim(),
    certificate: text,
    serial: text,
    systemUuid: text,
    hardwareType: text,
    sku: text,
    rack: text,
    slot: text,
    macs: text,
    networkInterfaces: text,
    labels: text,
  })
  .superRefine((host, context) => {
    for (const name of ["bmcUsername", "bmcPassword"] as const)
      if (host.bmcCredentials === "" && host[name] === "")
        context.addIssue({ code: "custom", path: [name], message: needed[name] });
  });

export const hostFields = {
  name: { label: "Name", mono: true },
  bmcAddress: { label: "BMC address", hint: "https:// may be left out", mono: true },
  bmcSystem: { label: "System", aside: "path, if the BMC has several", mono: true },
  bmcUsername: { label: "BMC user", mono: true },
  bmcPassword: { label: "BMC password", type: "password", autoComplete: "new-password" },
  bmcCredentials: {
    label: "BMC credentials",
    aside: "name of a credential set, instead of user and password",
  },
  certificate: { label: "Certificate", aside: "SHA-256, if known", mono: true },
  serial: { label: "Serial", aside: "expected from the BMC, if known", mono: true },
  systemUuid: { label: "System UUID", aside: "expected from the BMC, if known", mono: true },
  hardwareType: { label: "Hardware type", aside: "redfish, idrac or xclarity; empty: as detected" },
  sku: { label: "SKU", aside: "optional" },
  rack: { label: "Rack", aside: "optional" },
  slot: { label: "Slot", aside: "optional" },
  macs: { label: "MACs", aside: "of cabled NICs, if the BMC lists none", mono: true },
  networkInterfaces: {
    label: "Network interfaces",
    aside: "if they differ from the MACs",
    mono: true,
  },
  labels: { label: "Labels", aside: "key=value; key=value" },
} satisfies FieldSpecs;

function OneHostForm({ sites, whyNot }: { sites: readonly SiteName[]; whyNot: string | undefined }) {
  const client = useTRPCClient();
  const router = useRouter();
  const [faults, setFaults] = useState<readonly EnrolledLine[]>([]);
  const { send, problem } = useSend({ onAccepted: () => undefined, onDone: () => undefined });
  const [empty] = useState(() => ({
    ...emptyOptions(sites),
    ...{ name: "", bmcAddress: "", bmcSystem: "", bmcUsername: "", bmcPassword: "", bmcCredentials: "" },
    ...{ certificate: "", serial: "", systemUuid: "", hardwareType: "", sku: "" },
    ...{ rack: "", slot: "", macs: "", networkInterfaces: "", labels: "" },
  }));
  const form = useAppForm({
    defaultValues: empty,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { site, goal, firstContact, ...host } = schema.parse(value);
      return send(
        formApi,
        ({ id }: { id: string | null }) =>
          id === null ? `${host.name} has errors` : `${host.name} enrolled`,
        async () => {
          const answer = await client.enrolment.enroll.mutate({ site, goal, firstContact, hosts: [host] });
          setFaults(answer.lines.filter((line) => line.faults.length > 0));
          if (answer.id !== null) router.push(routes.enrolments.one(answer.id));
          return answer;
        },
      );
    },
  });
  return (
    <form.AppForm>
      <PageForm
        className="enrolment-form"
        schema={schema}
        problem={problem}
        submitWords="Enrol host"
        missing={whyNot}
      >
        <div className="fields">
          <Fields form={form} fields={{ ...hostFields, ...optionSpecs(sites) }} />
        </div>
        {faults.length === 0 ? null : <FaultTable lines={faults} />}
      </PageForm>
    </form.AppForm>
  );
}

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
          { href: routes.enrolments.create({ by: "list" }), words: "List", current: by === "list" },
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
