"use client";
// Automated cleaning on or off, for a site or as one host's override of it. Confirms with the consequence.
import { useState } from "react";
import { usePolicyEffect } from "@/components/cleaning/policy/policy-effect";
import { Button } from "@/components/ui/button";
import { ActDialog, type Client } from "@/components/ui/dialogs/act-dialog";
import { Mark } from "@/components/ui/mark";
import { leftOutMeaning } from "@/server/domain/assurance/standing";
import type { Catalogue, CleaningScopes } from "@/server/surfaces/trpc/types";

/** One setting to offer; `wanted` is null to follow the site. */
interface Change {
  readonly words: string;
  readonly wanted: boolean | null;
}

const onText = (on: boolean) => (on ? "on" : "off");

/** The consequence, shown before confirming. */
function consequenceOf(wanted: boolean, what: string): string {
  return wanted
    ? `Hosts of ${what} are cleaned automatically when a tenant releases them. Reclamations in progress keep the policy they started with.`
    : `No plan is made for ${what} any more. A host with a sanitization debt stays out of allocation until it is cleaned: switching this off never makes it Ready. One without a debt becomes Ready as it is. ${leftOutMeaning}. Reclamations in progress are not affected.`;
}

/** Whether it is on for the subject, where that comes from, and what can be set; undefined if nothing can. */
function automatedCleanOf({ subject, host }: Catalogue, scopes: CleaningScopes) {
  const site = scopes.sites.find(({ id }) => id === subject.site?.id);
  if (site === undefined || (subject.kind !== "site" && subject.kind !== "host")) return undefined;
  const own = host === null ? null : host.automatedClean;
  const on = own ?? site.automatedClean;
  if (subject.kind === "site")
    return { site, on, of: `site ${site.name}`, changes: [{ words: `Switch ${onText(!on)}`, wanted: !on }] };
  const change: Change = { words: `Switch ${onText(!on)} for this host`, wanted: !on };
  const asSite: Change = {
    words: `Inherit from site ${site.name} (${onText(site.automatedClean)})`,
    wanted: null,
  };
  return own === null
    ? { site, on, of: `inherited from site ${site.name}`, changes: [change] }
    : { site, on, of: "set on this host", changes: [change, asSite] };
}

export function AutomatedClean({ catalogue, scopes }: { catalogue: Catalogue; scopes: CleaningScopes }) {
  const [asked, setAsked] = useState<Change>();
  const shown = automatedCleanOf(catalogue, scopes);
  if (shown === undefined) return null;
  const { site, on, of, changes } = shown;
  return (
    <p className="automated">
      <span className="marked-text">
        <Mark tone={on ? "good" : "attention"} label="" />
        <span>
          Automated cleaning is <b className="text-medium">{onText(on)}</b>
          <span className="text-quiet">, {of}</span>
        </span>
      </span>
      {changes.map((change) => (
        <Button
          key={change.words}
          small
          onClick={() => setAsked(change)}
          disabledReason={
            scopes.mayOverride ? undefined : "Only a provider admin can switch automated cleaning"
          }
        >
          {change.words}…
        </Button>
      ))}
      {asked === undefined ? null : (
        <ChangeDialog
          change={asked}
          subject={catalogue.subject}
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
  const ofSite = subject.kind === "site";
  const what = ofSite ? `site ${subject.name}` : subject.name;
  const automatedClean = wanted ?? siteOn;
  const { effect, calculating } = usePolicyEffect(
    ofSite ? { siteId: subject.id, automatedClean } : undefined,
  );
  const sendTo = ({ cleaning }: Client): Promise<unknown> =>
    ofSite
      ? cleaning.setSiteAutomatedClean.mutate({ siteId: subject.id, automatedClean, policyVersion })
      : cleaning.setHostAutomatedClean.mutate({ hostId: subject.id, automatedClean: wanted });
  return (
    <ActDialog
      title={`${words}: ${what}?`}
      consequence={
        <>
          <p>{consequenceOf(automatedClean, what)}</p>
          {effect}
        </>
      }
      confirmWords={words}
      missing={calculating}
      send={(_, client) => sendTo(client)}
      said={`Automated cleaning of ${what}: ${wanted === null ? "inherited from its site" : onText(wanted)}`}
      stale={(trpc) => [trpc.cleaning]}
      onClose={onClose}
      typeName={ofSite && wanted === false ? subject.name : undefined}
    />
  );
}
