"use client";
// Changes the limits of a site's admission: four numbers, each with what is used of it now.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { formatCount } from "@/components/ui/format/numbers";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { useSay } from "@/components/ui/toast";
import type { LimitLine, SiteQueue } from "@/server/surfaces/trpc/types";
import { limitFault, limitOf, textsOf, type LimitTexts } from "@/components/queue/limit-input";

/** The button and its dialog. `whyNot`: why this person may not. */
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

function LimitsDialog({ queue, onClose }: { readonly queue: SiteQueue; readonly onClose: () => void }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const say = useSay();
  // What the person saw when the dialog opened: later readings of the page do not move it.
  const [seen] = useState(queue);
  const [texts, setTexts] = useState<LimitTexts>(() => textsOf(queue.limits));
  const save = useMutation(
    trpc.queue.setLimits.mutationOptions({
      onSuccess: async ({ policyVersion }) => {
        say(`The limits of site ${seen.site} are changed; its policy is at version ${policyVersion}.`);
        onClose();
        await client.invalidateQueries({ queryKey: trpc.queue.pathKey() });
      },
    }),
  );
  const fault = seen.limits.map(({ name }) => limitFault(name, texts[name])).find((words) => words !== null);
  const value = (name: LimitLine["name"]) => limitOf(name, texts[name]) ?? null;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Change the limits of site ${seen.site}?`}
      consequence={
        <p>
          The limits apply to waiting hosts from the next admission on. Hosts in progress continue, even where
          there are more of them than the new limit. Disconnecting a tenant never waits.
        </p>
      }
      field={seen.limits.map((line) => (
        <LimitField
          key={line.name}
          line={line}
          text={texts[line.name]}
          onChange={(text) => setTexts({ ...texts, [line.name]: text })}
        />
      ))}
      missing={fault ?? undefined}
      confirmWords="Change the limits"
      cancelWords="Cancel"
      busy={save.isPending}
      error={save.isError ? <ProblemNotice error={save.error} before="The limits were not changed." /> : null}
      onConfirm={() =>
        save.mutate({
          siteId: seen.siteId,
          policyVersion: seen.policyVersion,
          limits: {
            atWork: value("atWork"),
            bootsPerMinute: value("bootsPerMinute"),
            perPowerDomain: value("perPowerDomain"),
            tenantReleasesPerHour: value("tenantReleasesPerHour"),
          },
        })
      }
    />
  );
}

function LimitField({
  line: { name, words, used },
  text,
  onChange,
}: {
  readonly line: LimitLine;
  readonly text: string;
  readonly onChange: (text: string) => void;
}) {
  const id = useId();
  const fault = limitFault(name, text);
  return (
    <div className={fault === null ? "field" : "field bad"}>
      <label htmlFor={id}>
        Maximum {words} {used === null ? null : <span className="text-quiet">{formatCount(used)} now</span>}
      </label>
      <div className="input short">
        <input
          id={id}
          inputMode="numeric"
          value={text}
          onChange={(event) => onChange(event.target.value)}
          placeholder="no limit"
          aria-invalid={fault !== null}
          autoComplete="off"
        />
      </div>
    </div>
  );
}
