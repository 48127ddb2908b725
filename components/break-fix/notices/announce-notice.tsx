"use client";
// Announces maintenance, retirement or replacement of a host, a rack or a site.
import { useStore } from "@tanstack/react-form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { noticeKinds, noticeScopes } from "@/server/domain/break-fix/notice";
import { NoticeTexts } from "@/components/break-fix/notices/notice-texts";
import { messageText, noteText, noticeKindLabels } from "@/components/break-fix/notices/notice-text";
import { typedMoment } from "@/components/ui/form/schemas";

const schema = z
  .object({
    kind: z.enum(noticeKinds),
    scope: z.enum(noticeScopes),
    host: z.string().trim(),
    site: z.string(),
    rack: z.string().trim(),
    startsAt: typedMoment,
    endsAt: typedMoment,
    message: messageText,
    note: noteText,
  })
  .refine(({ scope, host }) => scope !== "host" || host !== "", { path: ["host"], error: "Enter a host" })
  .refine(({ scope, site }) => scope === "host" || site !== "", { path: ["site"], error: "Select a site" })
  .refine(({ scope, rack }) => scope !== "rack" || rack !== "", { path: ["rack"], error: "Enter a rack" });

const kindOptions = noticeKinds.map((kind) => ({ value: kind, label: noticeKindLabels[kind] }));
const scopeOptions = [
  { value: "host", label: "one host" },
  { value: "rack", label: "the hosts of a rack" },
  { value: "site", label: "the hosts of a site" },
];

/** The button and its dialog. */
export function AnnounceNotice() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        Announce…
      </Button>
      {open ? <AnnounceDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function useAnnounceForm(onClose: () => void) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { send, problem } = useSend({
    onAccepted: onClose,
    onDone: () => void queryClient.invalidateQueries({ queryKey: trpc.notices.pathKey() }),
  });
  const [defaultValues] = useState((): z.input<typeof schema> => ({
    kind: "maintenance",
    scope: "host",
    host: "",
    site: "",
    rack: "",
    startsAt: "",
    endsAt: "",
    message: "",
    note: "",
  }));
  const form = useAppForm({
    defaultValues,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { scope, host, site, rack, ...words } = schema.parse(value);
      return send(
        formApi,
        ({ ref }: { readonly ref: string }) => `${ref} announced.`,
        async () => {
          const target =
            scope === "host"
              ? { hostId: (await client.host.get.query({ host })).id }
              : scope === "rack"
                ? { site, rack }
                : { site };
          return client.notices.create.mutate({ ...words, target });
        },
      );
    },
  });
  return { form, problem };
}

type AnnounceForm = ReturnType<typeof useAnnounceForm>["form"];

/** What the notice is for. */
function TargetFields({ form }: { form: AnnounceForm }) {
  const { data: scopes } = useQuery(useTRPC().cleaning.scopes.queryOptions());
  const scope = useStore(form.store, ({ values }) => values.scope);
  const sites = (scopes?.sites ?? []).map(({ name }) => ({ value: name, label: name }));
  return (
    <>
      <form.AppField name="scope">
        {(field) => <field.SelectField label="For" options={scopeOptions} />}
      </form.AppField>
      {scope === "host" ? (
        <form.AppField name="host">{(field) => <field.TextField label="Host" mono />}</form.AppField>
      ) : (
        <form.AppField name="site">
          {(field) => (
            <field.SelectField label="Site" options={[{ value: "", label: "select a site" }, ...sites]} />
          )}
        </form.AppField>
      )}
      {scope === "rack" ? (
        <form.AppField name="rack">{(field) => <field.TextField label="Rack" mono />}</form.AppField>
      ) : null}
    </>
  );
}

function AnnounceDialog({ onClose }: { onClose: () => void }) {
  const { form, problem } = useAnnounceForm(onClose);
  return (
    <form.AppForm>
      <FormDialog
        title="Announce a notice"
        consequence={<p>Tenants that hold an affected machine see it. No host is moved.</p>}
        confirmWords="Announce notice"
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="kind">
          {(field) => <field.SelectField label="What" options={kindOptions} />}
        </form.AppField>
        <TargetFields form={form} />
        <form.AppField name="startsAt">
          {(field) => <field.TextField label="From" aside="empty: now" type="datetime-local" />}
        </form.AppField>
        <form.AppField name="endsAt">
          {(field) => (
            <field.TextField label="Until" aside="required for planned maintenance" type="datetime-local" />
          )}
        </form.AppField>
        <NoticeTexts form={form} fields={{ message: "message", note: "note" }} />
      </FormDialog>
    </form.AppForm>
  );
}
