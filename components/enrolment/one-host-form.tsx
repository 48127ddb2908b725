"use client";
// Enrols one host.
import { useRouter } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { useAppForm } from "@/components/ui/form/form-kit";
import { PageForm } from "@/components/ui/form/page-form";
import { useSend } from "@/components/ui/form/use-send";
import { routes } from "@/server/domain/console/routes";
import type { EnrolledLine } from "@/server/surfaces/trpc/types";
import { FaultTable } from "@/components/enrolment/fault-table";
import {
  contactOptions,
  emptyOptions,
  goalOptions,
  optionSchema,
  siteOptions,
  type SiteName,
} from "@/components/enrolment/options";

const text = z.string();
const schema = z.object({
  ...optionSchema,
  name: z.string().trim().min(1, "Enter a name"),
  bmcAddress: z.string().trim().min(1, "Enter the address of the BMC"),
  bmcUsername: z.string().trim().min(1, "Enter the BMC's user"),
  bmcPassword: z.string().min(1, "Enter the BMC's password"),
  certificate: text,
  serial: text,
  sku: text,
  rack: text,
  slot: text,
  macs: text,
});

const fields = [
  { name: "name", label: "Name", mono: true },
  { name: "bmcAddress", label: "BMC address", hint: "https:// may be left out", mono: true },
  { name: "bmcUsername", label: "BMC user", mono: true },
  { name: "bmcPassword", label: "BMC password", type: "password", autoComplete: "new-password" },
  { name: "certificate", label: "Certificate", aside: "SHA-256, if known", mono: true },
  { name: "serial", label: "Serial", aside: "that its BMC must say, if known", mono: true },
  { name: "sku", label: "SKU", aside: "optional" },
  { name: "rack", label: "Rack", aside: "optional" },
  { name: "slot", label: "Slot", aside: "optional" },
  { name: "macs", label: "MACs", aside: "of cabled NICs, if the BMC lists none", mono: true },
] as const;

const choices = [
  { name: "goal", label: "Goes by itself", options: goalOptions },
  { name: "firstContact", label: "First contact", options: contactOptions },
] as const;

export function OneHostForm({ sites, whyNot }: { sites: readonly SiteName[]; whyNot: string | undefined }) {
  const client = useTRPCClient();
  const router = useRouter();
  const [faults, setFaults] = useState<readonly EnrolledLine[]>([]);
  const { send, problem } = useSend({ onAccepted: () => undefined, onDone: () => undefined });
  const [empty] = useState(() => ({
    ...emptyOptions(sites),
    ...{ name: "", bmcAddress: "", bmcUsername: "", bmcPassword: "", certificate: "" },
    ...{ serial: "", sku: "", rack: "", slot: "", macs: "" },
  }));
  const form = useAppForm({
    defaultValues: empty,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { site, goal, firstContact, ...host } = schema.parse(value);
      return send(
        formApi,
        ({ id }: { id: string | null }) =>
          id === null ? `${host.name} has faults` : `${host.name} enrolled`,
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
          {fields.map(({ name, ...look }) => (
            <form.AppField key={name} name={name}>
              {(field) => <field.TextField {...look} />}
            </form.AppField>
          ))}
          <form.AppField name="site">
            {(field) => <field.SelectField label="Site" options={siteOptions(sites)} />}
          </form.AppField>
          {choices.map(({ name, ...look }) => (
            <form.AppField key={name} name={name}>
              {(field) => <field.SelectField {...look} options={[...look.options]} />}
            </form.AppField>
          ))}
        </div>
        {faults.length === 0 ? null : <FaultTable lines={faults} />}
      </PageForm>
    </form.AppForm>
  );
}
