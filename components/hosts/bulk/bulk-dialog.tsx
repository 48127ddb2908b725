"use client";
// Confirms a bulk act: the server stores a preview of who can and who cannot, and runs exactly that. Then it opens the run's page.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import {
  noReason,
  type Reason,
  reasonInput,
  reasonSchema,
  reasonSpecs,
} from "@/components/hosts/one/reason-fields";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { ActFormDialog, pageCloses } from "@/components/ui/dialogs/act-dialog";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { BulkIntent } from "@/server/domain/hosts/bulk-intents";
import type { BulkPreview } from "@/server/surfaces/trpc/types";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { routes } from "@/server/domain/console/routes";

/** How many hosts of a bulk act can take part, and why the others cannot. */
function Who({ can, total, cannot, reasons, abandons, ready }: BulkPreview) {
  return (
    <>
      <p>
        <b className="text-medium">{formatCount(can)}</b> of {formatCounted(total, "selected host")} will
        change.
        {abandons === 0
          ? null
          : ` ${formatCounted(abandons, "host")} ${abandons === 1 ? "has" : "have"} a stopped reclamation, which ends as abandoned.`}
      </p>
      <ReadyChanges ready={ready} />
      {cannot === 0 ? null : (
        <>
          <p>{cannot === 1 ? "One is left out:" : `${formatCount(cannot)} are left out:`}</p>
          <ul className="names" tabIndex={0} aria-label="Hosts that are left out">
            {reasons.map(({ reason, count, hosts }) => (
              <li key={reason}>
                <b className="text-medium">{hosts.join(", ")}</b>
                {count > hosts.length ? ` and ${count - hosts.length} more` : null}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** What is left to allocate of each SKU that loses hosts. */
function ReadyChanges({ ready }: Pick<BulkPreview, "ready">) {
  if (ready === undefined)
    return (
      <p className="tone" data-tone="attention">
        How many Ready hosts this takes is not known: a server that is not upgraded yet answered.
      </p>
    );
  if (ready.length === 0) return null;
  const ofSites = new Set(ready.map(({ site }) => site)).size > 1;
  return (
    <ul className="names" tabIndex={0} aria-label="Ready hosts before and after">
      {ready.map(({ site, sku, now, after }) => (
        <li key={`${site} ${sku}`}>
          Ready, {sku ?? "without a SKU"}
          {ofSites ? `, site ${site}` : ""}:{" "}
          <b className="text-medium">
            {formatCount(now)} → {formatCount(after)}
          </b>
          {after === 0 ? "; none is left to allocate" : ""}
        </li>
      ))}
    </ul>
  );
}

/** Hosts by id, or every host that the filter matches, loaded or not. */
export type BulkTarget = { hostIds: string[] } | { filter: string };

/** What runs: an ad-hoc list of steps, or a runbook unchanged, which keeps its trait lock. */
export type Work = { readonly steps: ManualStep[] } | { readonly runbookId: string };

type Args = Partial<{ steps: ManualStep[]; runbookId: string; reason: string; forMs: number }>;

interface BulkDialogProps {
  intent: BulkIntent;
  target: BulkTarget;
  /** For a manual cleaning only. */
  work?: Work;
  /** Such as "Run 5 steps"; by default the intent's own label. */
  words?: string;
  onStarted?: () => void;
  onClose: () => void;
}

const needsReason = (intent: BulkIntent) =>
  intent === "hold" || intent === "setMaintenance" || intent === "decommission";

/** If the intent needs a reason, it is asked first, because it is stored with the preview. */
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

const ReasonDialog = ({ intent, words, onReason, onClose }: ReasonDialogProps) => (
  <ActFormDialog
    title={words}
    consequence={hostActions[intent].consequence}
    confirmWords="Preview"
    schema={reasonSchema}
    values={noReason}
    fields={reasonSpecs(intent === "hold")}
    send={onReason}
    onAccepted={pageCloses}
    onClose={onClose}
  />
);

const checking = "Checking which hosts qualify…";

function PreviewDialog({
  intent,
  target,
  words,
  args,
  onStarted,
  onClose,
}: BulkDialogProps & { words: string; args: Args }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const router = useRouter();
  // The preview is a mutation, because the server stores it. Here it is fetched once, when the dialog opens.
  const preview = useQuery({
    queryKey: ["bulk preview", intent, target, args],
    queryFn: () => client.bulk.preview.mutate({ intent, target, ...args }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    // It writes, so without a network it must fail at once instead of being queued.
    networkMode: "always",
  });
  const start = useMutation(
    trpc.bulk.start.mutationOptions({
      onSuccess: ({ id }) => {
        onStarted?.();
        router.push(routes.cleaning.run(id));
      },
    }),
  );
  const shown = preview.data;
  const full = `${words} on ${shown === undefined ? "these hosts" : formatCounted(shown.can, "host")}`;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${full}?`}
      consequence={
        <>
          <p>{hostActions[intent].consequence}</p>
          <WhoCan
            preview={shown}
            error={preview.error}
            pending={preview.isFetching}
            onRetry={() => void preview.refetch()}
          />
        </>
      }
      confirmWords={full}
      cancelWords="Cancel"
      busy={start.isPending || start.isSuccess}
      missing={whyNotYet(shown, preview.isFetching)}
      onConfirm={() => (shown === undefined ? undefined : start.mutate({ id: shown.id }))}
      typeName={
        shown !== undefined && shown.can > 0 && shown.isLarge !== false ? String(shown.can) : undefined
      }
      problem={start.error === null ? undefined : problemOf(start.error)}
    />
  );
}

function whyNotYet(preview: BulkPreview | undefined, pending: boolean): string | undefined {
  if (preview !== undefined) return preview.can === 0 ? "None of the hosts qualifies" : undefined;
  return pending ? checking : "Could not check which hosts qualify: retry";
}

interface WhoCanProps {
  preview: BulkPreview | undefined;
  error: unknown;
  pending: boolean;
  onRetry: () => void;
}

function WhoCan({ preview, error, pending, onRetry }: WhoCanProps) {
  if (preview !== undefined) return <Who {...preview} />;
  if (pending) return <p role="status">{checking}</p>;
  return <ProblemNotice error={error} before="Could not check which hosts qualify." onRetry={onRetry} />;
}
