"use client";
// Asks before an act on many hosts: the server stores who can and who cannot, and exactly that then runs. Goes to the run's page.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { noReason, ReasonFields, reasonInput, reasonSchema } from "@/components/host/reason-fields";
import type { Reason } from "@/components/host/reason-fields";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { formatCounted } from "@/components/ui/format/numbers";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { Notice } from "@/components/ui/notice";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { BulkIntent } from "@/server/domain/hosts/bulk-intents";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { Who } from "@/components/bulk-acts/who";
import { routes } from "@/server/domain/console/routes";

/** Hosts by id, or all that a filter finds, also those not loaded. */
export type BulkTarget = { hostIds: string[] } | { filter: string };

/** What runs: a list made by hand, or a runbook as it stands, with the lock of its traits. */
export type Work = { readonly steps: ManualStep[] } | { readonly runbookId: string };

type Args = Partial<{ steps: ManualStep[]; runbookId: string; reason: string; forMs: number }>;

interface BulkDialogProps {
  intent: BulkIntent;
  target: BulkTarget;
  /** Of a manual cleaning. */
  work?: Work;
  /** "Run 5 steps"; not given: the intent's own words. */
  words?: string;
  onClose: () => void;
}

const needsReason = (intent: BulkIntent) => intent === "hold" || intent === "setMaintenance";

/** With an intent that needs a reason, that is asked first: it is stored with the preview. */
export function BulkDialog(props: BulkDialogProps) {
  const { intent, work, words = hostActions[intent].words } = props;
  const [reason, setReason] = useState<Reason>();
  if (needsReason(intent) && reason === undefined)
    return <ReasonDialog {...props} words={words} onReason={setReason} />;
  return (
    <PreviewDialog
      {...props}
      words={words}
      args={{ ...work, ...(reason === undefined ? {} : reasonInput(reason)) }}
    />
  );
}

interface ReasonDialogProps extends BulkDialogProps {
  words: string;
  onReason: (reason: Reason) => void;
}

function ReasonDialog({ intent, words, onReason, onClose }: ReasonDialogProps) {
  const form = useAppForm({
    defaultValues: noReason,
    validators: { onChange: reasonSchema },
    onSubmit: ({ value }) => onReason(value),
  });
  return (
    <form.AppForm>
      <FormDialog
        title={words}
        consequence={<p>{hostActions[intent].consequence}</p>}
        confirmWords="Preview"
        schema={reasonSchema}
        problem={undefined}
        onClose={onClose}
      >
        <ReasonFields form={form} timed={intent === "hold"} />
      </FormDialog>
    </form.AppForm>
  );
}

function PreviewDialog({
  intent,
  target,
  words,
  args,
  onClose,
}: BulkDialogProps & { words: string; args: Args }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const router = useRouter();
  // The server stores what it previews, so it is a mutation there; here it is read once, when the dialog opens.
  const preview = useQuery({
    queryKey: ["bulk preview", intent, target, args],
    queryFn: () => client.bulk.preview.mutate({ intent, target, ...args }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const start = useMutation(
    trpc.bulk.start.mutationOptions({ onSuccess: ({ id }) => router.push(routes.cleaning.run(id)) }),
  );
  const shown = preview.data;
  const problem = start.error === null ? undefined : problemOf(start.error);
  const full = `${words} on ${shown === undefined ? "these hosts" : formatCounted(shown.can, "host")}`;
  const finding = "Checking which hosts qualify…";
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${full}?`}
      consequence={
        <>
          <p>{hostActions[intent].consequence}</p>
          {preview.isError ? (
            <ProblemNotice
              error={preview.error}
              before="Could not check which hosts qualify."
              onRetry={() => void preview.refetch()}
            />
          ) : null}
          {shown === undefined ? preview.isError ? null : <p role="status">{finding}</p> : <Who {...shown} />}
        </>
      }
      confirmWords={full}
      cancelWords="Cancel"
      busy={start.isPending || start.isSuccess}
      missing={shown === undefined ? finding : shown.can === 0 ? "None of the hosts qualifies" : undefined}
      onConfirm={() => (shown === undefined ? undefined : start.mutate({ id: shown.id }))}
      {...((shown?.erases === true || intent === "forceDelete") && shown !== undefined && shown.can > 0
        ? { typeName: String(shown.can) }
        : {})}
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
