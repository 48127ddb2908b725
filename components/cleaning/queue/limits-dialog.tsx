"use client";
// Changes a site's admission limits: four numbers with their current use, and limits of single segments and power domains.
import { useQueryClient } from "@tanstack/react-query";
import { useStore } from "@tanstack/react-form";
import { useState } from "react";
import { usePolicyEffect } from "@/components/cleaning/policy/policy-effect";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { formatCount } from "@/components/ui/format/numbers";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { Fields, type FieldSpec } from "@/components/ui/form/fields";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import type { SiteQueue } from "@/server/surfaces/trpc/types";
import { limitsSchema, placesText, textsOf } from "@/components/cleaning/queue/limit-input";

interface LimitsProps {
  readonly queue: SiteQueue;
  /** Why this user may not change them. */
  readonly whyNot: string | undefined;
}

export const ChangeLimits = ({ queue, whyNot }: LimitsProps) => (
  <DialogButton
    disabledReason={whyNot}
    dialog={(onClose) => <LimitsDialog queue={queue} onClose={onClose} />}
  >
    Change limits…
  </DialogButton>
);

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

function LimitsDialog({ queue, onClose }: { readonly queue: SiteQueue; readonly onClose: () => void }) {
  const { form, problem, site, limits, question } = useLimitsForm(queue, onClose);
  const { effect, calculating } = usePolicyEffect(question);
  const numbers = limits.map(({ name, words, used }): [string, FieldSpec] => [
    `limits.${name}`,
    {
      label: `Maximum ${words}`,
      aside: used === null ? undefined : `${formatCount(used)} now`,
      inputMode: "numeric",
      placeholder: "no limit",
      short: true,
    },
  ]);
  return (
    <form.AppForm>
      <FormDialog
        title={`Change the limits of site ${site}?`}
        consequence="The limits apply to waiting hosts from the next admission on. Hosts in progress continue, even where there are more of them than the new limit. Disconnecting a tenant never waits."
        confirmWords="Change the limits"
        schema={limitsSchema}
        missing={calculating}
        problem={problem}
        onClose={onClose}
      >
        <Fields
          form={form}
          fields={{
            ...Object.fromEntries(numbers),
            "limits.segments": {
              label: "Boots per minute by segment",
              hint: "one per line, such as row-1: 10",
              rows: 2,
            },
            "limits.powerDomains": {
              label: "Hosts in progress by power domain",
              hint: "one per line, such as feed-a: 4",
              rows: 2,
            },
          }}
        />
        {effect}
      </FormDialog>
    </form.AppForm>
  );
}
