"use client";
// Whether hosts are cleaned by themselves: of a site, or of one host against its site. Asks with the consequence.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { Mark } from "@/components/ui/mark";
import { Notice } from "@/components/ui/notice";
import { useSay } from "@/components/ui/toast";
import type { Catalogue, CleaningScopes } from "@/server/surfaces/trpc/types";

/** One thing that can be set; `wanted` null: as the site says. */
interface Change {
  readonly words: string;
  readonly wanted: boolean | null;
}

const onWords = (on: boolean) => (on ? "on" : "off");

/** What it means, to be read before it is done. */
function consequenceOf(wanted: boolean, what: string): string {
  return wanted
    ? `Hosts of ${what} are cleaned by themselves when a tenant releases them. Reclamations that run keep the policy that they began with.`
    : `No plan is made for ${what} any more. A host that owes an erase stays out of allocation until it is cleaned: switching this off never makes it Ready. Running reclamations are not affected.`;
}

export function AutomatedClean({
  catalogue: { subject, host },
  scopes,
}: {
  catalogue: Catalogue;
  scopes: CleaningScopes;
}) {
  const [asked, setAsked] = useState<Change>();
  const site = scopes.sites.find(({ id }) => id === subject.site?.id);
  if (site === undefined || (subject.kind !== "site" && subject.kind !== "host")) return null;
  const own = host === null ? null : host.automatedClean;
  const on = own ?? site.automatedClean;
  const of =
    subject.kind === "site"
      ? `site ${site.name}`
      : own === null
        ? `as set for site ${site.name}`
        : "of this host itself";
  const changes: Change[] =
    subject.kind === "site"
      ? [{ words: `Switch ${onWords(!on)}`, wanted: !on }]
      : [
          { words: `Switch ${onWords(!on)} for this host`, wanted: !on },
          ...(own === null
            ? []
            : [{ words: `As set for site ${site.name} (${onWords(site.automatedClean)})`, wanted: null }]),
        ];
  return (
    <p className="automated">
      <span className="marked-text">
        <Mark tone={on ? "good" : "attention"} label="" />
        <span>
          Automated cleaning is <b className="text-medium">{onWords(on)}</b>
          <span className="text-quiet">, {of}</span>
        </span>
      </span>
      {changes.map((change) => (
        <Button
          key={change.words}
          small
          onClick={() => setAsked(change)}
          disabledReason={
            scopes.mayOverride
              ? undefined
              : "Only a provider admin decides whether hosts are cleaned by themselves"
          }
        >
          {change.words}…
        </Button>
      ))}
      {asked === undefined ? null : (
        <ChangeDialog
          change={asked}
          subject={subject}
          policyVersion={site.policyVersion}
          siteOn={site.automatedClean}
          onClose={() => setAsked(undefined)}
        />
      )}
    </p>
  );
}

interface ChangeDialogProps {
  change: Change;
  subject: Catalogue["subject"];
  policyVersion: number;
  siteOn: boolean;
  onClose: () => void;
}

function ChangeDialog({
  change: { words, wanted },
  subject,
  policyVersion,
  siteOn,
  onClose,
}: ChangeDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const say = useSay();
  const what = subject.kind === "site" ? `site ${subject.name}` : subject.name;
  const onSuccess = async () => {
    await queryClient.invalidateQueries({ queryKey: trpc.cleaning.pathKey() });
    say(`Automated cleaning of ${what}: ${wanted === null ? "as set for its site" : onWords(wanted)}`);
    onClose();
  };
  const ofSite = useMutation(trpc.cleaning.setSiteAutomatedClean.mutationOptions({ onSuccess }));
  const ofHost = useMutation(trpc.cleaning.setHostAutomatedClean.mutationOptions({ onSuccess }));
  const error = ofSite.error ?? ofHost.error;
  const problem = error === null ? undefined : problemOf(error);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${words}: ${what}?`}
      consequence={<p>{consequenceOf(wanted ?? siteOn, what)}</p>}
      confirmWords={words}
      cancelWords="Cancel"
      busy={ofSite.isPending || ofHost.isPending}
      onConfirm={() =>
        subject.kind === "site"
          ? ofSite.mutate({ siteId: subject.id, automatedClean: wanted ?? siteOn, policyVersion })
          : ofHost.mutate({ hostId: subject.id, automatedClean: wanted })
      }
      {...(subject.kind === "site" && wanted === false ? { typeName: subject.name } : {})}
      error={
        problem === undefined ? null : (
          <Notice tone="failed" requestId={problem.requestId}>
            {problem.words}
          </Notice>
        )
      }
    />
  );
}
