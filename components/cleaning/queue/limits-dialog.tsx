"use client";
// Changes a site's admission limits: four numbers with their current use, and limits of single segments and power domains.
import { useState } from "react";
import { usePolicyEffect } from "@/components/cleaning/policy/policy-effect";
import { formatCount } from "@/server/domain/numbers";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import type { FieldSpec } from "@/components/ui/form/fields";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
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

/** Keeps the limits and their version as they were when the dialog opened. */
function LimitsDialog({ queue, onClose }: { readonly queue: SiteQueue; readonly onClose: () => void }) {
  const [{ site, siteId, policyVersion, limits, segments, powerDomains }] = useState(queue);
  const texts = {
    limits: {
      ...textsOf(limits),
      segments: placesText(segments),
      powerDomains: placesText(powerDomains),
    },
  };
  const [values, setValues] = useState(texts);
  const parsed = limitsSchema.safeParse(values);
  const { effect, calculating } = usePolicyEffect(
    parsed.success ? { siteId, admission: parsed.data.limits } : undefined,
  );
  const numbers = limits.map(({ name, words, used }): [`limits.${string}`, FieldSpec] => [
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
    <ActFormDialog
      title={`Change the limits of site ${site}?`}
      consequence="The limits apply to waiting hosts from the next admission on. Hosts in progress continue, even where there are more of them than the new limit. Disconnecting a tenant never waits."
      confirmWords="Change the limits"
      schema={limitsSchema}
      values={texts}
      onValues={setValues}
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
      after={effect}
      missing={calculating}
      send={(input, client) => client.queue.setLimits.mutate({ siteId, policyVersion, ...input })}
      said={(saved) => `The limits of site ${site} are changed; policy version ${saved.policyVersion}.`}
      stale={(trpc) => [trpc.queue]}
      onClose={onClose}
    />
  );
}
