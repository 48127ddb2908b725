"use client";
// Changes a site's admission limits: four numbers with their current use, and limits of single segments and power domains.
import { useQueryClient } from "@tanstack/react-query";
import { useStore } from "@tanstack/react-form";
import { useState } from "react";
import { usePolicyEffect } from "@/components/cleaning/policy/policy-effect";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { formatCount } from "@/components/ui/format/numbers";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import type { SiteQueue } from "@/server/surfaces/trpc/types";
import { limitsSchema, placesText, textsOf } from "@/components/cleaning/queue/limit-input";

/** The button and its dialog. `whyNot`: why this user may not change them. */
export function ChangeLimits({
  queue,
  whyNot,
}: {
  readonly queue: SiteQueue;
  readonly whyNot: string | undefined;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small disabledReason={whyNot} onClick={() => setOpen(true)}>
        Change limits…
      </Button>
      {open ? <LimitsDialog queue={queue} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Keeps the values as they were when the dialog opened; refetches do not change the form. */
function useLimitsForm(queue: SiteQueue, onClose: () => void) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [{ site, siteId, policyVersion, limits, segments, powerDomains }] = useState(queue);
  const onDone = () => void queryClient.invalidateQueries({ queryKey: trpc.queue.pathKey() });
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const [texts] = useState(() => ({
    limits: {
      ...textsOf(limits),
      segments: placesText(segments),
      powerDomains: placesText(powerDomains),
    },
  }));
  const form = useAppForm({
    defaultValues: texts,
    validators: { onChange: limitsSchema },
    onSubmit: ({ value, formApi }) =>
      send(
        formApi,
        (saved) => `The limits of site ${site} are changed; policy version ${saved.policyVersion}.`,
        () => client.queue.setLimits.mutate({ siteId, policyVersion, ...limitsSchema.parse(value) }),
      ),
  });
  const asked = limitsSchema.safeParse(useStore(form.store, ({ values }) => values));
  const question = asked.success ? { siteId, admission: asked.data.limits } : undefined;
  return { form, problem, site, limits, question };
}

const placeFields = [
  {
    name: "limits.segments",
    label: "Boots per minute by segment",
    hint: "one per line, such as row-1: 10",
  },
  {
    name: "limits.powerDomains",
    label: "Hosts in progress by power domain",
    hint: "one per line, such as feed-a: 4",
  },
] as const;

function LimitsDialog({ queue, onClose }: { readonly queue: SiteQueue; readonly onClose: () => void }) {
  const { form, problem, site, limits, question } = useLimitsForm(queue, onClose);
  const { effect, calculating } = usePolicyEffect(question);
  return (
    <form.AppForm>
      <FormDialog
        title={`Change the limits of site ${site}?`}
        consequence={
          <p>
            The limits apply to waiting hosts from the next admission on. Hosts in progress continue, even
            where there are more of them than the new limit. Disconnecting a tenant never waits.
          </p>
        }
        confirmWords="Change the limits"
        schema={limitsSchema}
        missing={calculating}
        problem={problem}
        onClose={onClose}
      >
        {limits.map(({ name, words, used }) => (
          <form.AppField key={name} name={`limits.${name}`}>
            {(field) => (
              <field.TextField
                label={`Maximum ${words}`}
                aside={used === null ? undefined : `${formatCount(used)} now`}
                inputMode="numeric"
                placeholder="no limit"
                short
              />
            )}
          </form.AppField>
        ))}
        {placeFields.map(({ name, label, hint }) => (
          <form.AppField key={name} name={name}>
            {(field) => <field.TextAreaField label={label} hint={hint} />}
          </form.AppField>
        ))}
        {effect}
      </FormDialog>
    </form.AppForm>
  );
}
