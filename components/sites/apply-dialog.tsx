"use client";
// Confirms a settings change: a dry run shows what would change, the user gives the reason, then the same request is applied
// (docs/adr/0048-site-document.md).
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, type ReactNode } from "react";
import { z } from "zod";
import { usePolicyEffect } from "@/components/cleaning/policy/policy-effect";
import { problemOf, type Problem } from "@/components/trpc/query-client";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { Fields } from "@/components/ui/form/fields";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";
import { Notice } from "@/components/ui/notice";
import { siteDocument } from "@/server/domain/sites/document";
import { formatSetting } from "@/server/domain/sites/setting-fields";
import type { PolicyQuestion, SiteApplied } from "@/server/surfaces/trpc/types";
import { ChangeList } from "@/components/sites/change-list";

export interface Draft {
  readonly site: string;
  /** Undefined for a new site, which has no records to evaluate. */
  readonly siteId?: string;
  /** A site document, as JSON. */
  readonly document: string;
  /** Values of the secrets that it refers to. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The revision that the user saw; null for a new site. */
  readonly revision: string | null;
  readonly reason?: string;
}

interface ApplyDialogProps {
  readonly draft: Draft;
  readonly onApplied: (answer: SiteApplied) => void;
  /** Called when the change was requested and awaits another person's approval. */
  readonly onAwaits?: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

const schema = z.object({ reason: reasonText() });

/** A request without its reason. */
const requestOf = ({ document, secrets = {}, revision }: Draft) => ({
  document,
  secrets: { ...secrets },
  create: revision === null,
  ...(revision === null ? {} : { revision }),
});

/** Refetches everything that shows settings. */
export function useSettingsChanged(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [trpc.site, trpc.queue, trpc.cleaning, trpc.images, trpc.session, trpc.policyChanges].map((noun) =>
        queryClient.invalidateQueries({ queryKey: noun.pathKey() }),
      ),
    );
}

/** The dry run; it changes nothing. */
function usePlan(draft: Draft) {
  const client = useTRPCClient();
  return useQuery({
    queryKey: ["settings", "dry run", useId()],
    queryFn: () =>
      client.site.apply.mutate({ ...requestOf(draft), dryRun: true, reason: "Preview in the console" }),
    gcTime: 0,
    retry: false,
    networkMode: "always",
  });
}

export function ApplyDialog({ draft, onApplied, onAwaits, onClose, children }: ApplyDialogProps) {
  const client = useTRPCClient();
  const changed = useSettingsChanged();
  const plan = usePlan(draft);
  const { send, problem } = useSend({ onAccepted: onClose, onAwaits, onDone: () => void changed() });
  const refusal = plan.error === null ? undefined : problemOf(plan.error);
  const form = useAppForm({
    defaultValues: { reason: draft.reason ?? "" },
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) =>
      send(
        formApi,
        (answer) => `Site ${answer.site} is at version ${answer.version ?? ""}.`,
        async () => {
          const answer = await client.site.apply.mutate({ ...requestOf(draft), ...schema.parse(value) });
          onApplied(answer);
          return answer;
        },
      ),
  });
  const created = draft.revision === null;
  const { effect, calculating } = usePolicyEffect(questionOf(draft, plan.data));
  const isConflict = [refusal, problem].some((found) => found?.field === "revision");
  return (
    <form.AppForm>
      <FormDialog
        title={created ? `Create site ${draft.site}?` : `Change the settings of site ${draft.site}?`}
        consequence={
          <>
            {children}
            <Plan plan={plan.data} pending={plan.isPending} />
            {effect}
          </>
        }
        confirmWords={created ? "Create site" : "Save settings"}
        schema={schema}
        missing={whyNotYet(plan, created) ?? calculating}
        problem={told(refusal ?? problem)}
        onClose={onClose}
      >
        {isConflict ? <Conflict onRead={() => void changed().then(onClose)} /> : null}
        <Fields
          form={form}
          fields={{ reason: { label: "Reason", aside: "shown in the history; for example a ticket" } }}
        />
      </FormDialog>
    </form.AppForm>
  );
}

const policyInDocument = siteDocument.pick({ policy: true, priorities: true }).strip();

/** The input for the effect: the document's policy and priorities, if they differ. */
function questionOf({ document, siteId }: Draft, plan: SiteApplied | undefined): PolicyQuestion | undefined {
  const differs = plan?.changes.some(({ path: [member] }) => member === "policy" || member === "priorities");
  if (siteId === undefined || differs !== true) return undefined;
  const asked = policyInDocument.safeParse(JSON.parse(document));
  return asked.success ? { siteId, ...asked.data } : undefined;
}

function whyNotYet(
  { isPending, error, data }: Pick<ReturnType<typeof usePlan>, "isPending" | "error" | "data">,
  created: boolean,
): string | undefined {
  if (isPending) return "Calculating the changes…";
  if (error !== null)
    return problemOf(error).status === undefined
      ? "It is not known what would change: close this, and try again"
      : "The server refused this change";
  return data?.changes.length === 0 && !created ? "No changes" : undefined;
}

/** The result of the dry run. */
function Plan({ plan, pending }: { readonly plan: SiteApplied | undefined; readonly pending: boolean }) {
  return (
    <>
      {pending ? <p role="status">Calculating the changes…</p> : null}
      {plan === undefined ? null : (
        <ChangeList
          caption="What will change"
          changes={plan.changes}
          none={plan.created ? "The site begins with the default policy." : "Nothing would change."}
        />
      )}
      <p className="text-quiet">
        Reclamations in progress keep the policy they started with. The change is stored as a version.
      </p>
    </>
  );
}

function Conflict({ onRead }: { readonly onRead: () => void }) {
  return (
    <Notice
      tone="attention"
      act={
        <Button small onClick={onRead}>
          Reload the settings
        </Button>
      }
    >
      Somebody else has changed the site. Your changes on the page are kept.
    </Notice>
  );
}

/** Faults without line and column, which refer to a document that the user does not see. */
const told = (problem: Problem | undefined): Problem | undefined =>
  problem === undefined || problem.faults.length === 0
    ? problem
    : {
        ...problem,
        words: problem.faults
          .map(({ path, message }) => `${formatSetting(path.split("."))}: ${message}.`)
          .join(" "),
      };
