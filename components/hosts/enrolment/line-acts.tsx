"use client";
// Buttons for a host whose enrolment stopped: one-click acts are done here, everything else on the host's page.
import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { formatCounted } from "@/components/ui/format/numbers";
import { useSay } from "@/components/ui/toast";
import { problemOf } from "@/components/trpc/query-client";
import { routes } from "@/server/domain/console/routes";
import { hostActions } from "@/server/domain/hosts/host-actions";
import type { EnrolmentLine, EnrolmentView } from "@/server/surfaces/trpc/types";

interface LineActsProps {
  readonly line: EnrolmentLine;
  readonly onConfirm: (line: EnrolmentLine) => void;
}

export function LineActs({ line, onConfirm }: LineActsProps) {
  const {
    acts: [act],
    host,
  } = line;
  if (host === null || act === undefined) return null;
  if (act !== "provide")
    return (
      <Link className="btn small" href={routes.host(host.name)} prefetch={false}>
        {act === "look" || act === "delete" || act === "retry" ? "Open host" : hostActions[act].words}
      </Link>
    );
  return (
    <Button small onClick={() => onConfirm(line)}>
      Confirm…
    </Button>
  );
}

interface ConfirmLineProps {
  /** The line as it was when the dialog opened. */
  readonly line: EnrolmentLine;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Rendered beside the table, not in a row: rows come and go, and change when the window becomes narrow. */
export function ConfirmLine({ line: { host, identity }, ...rest }: ConfirmLineProps) {
  if (host === null) return null;
  return (
    <ActDialog
      title={`Provide ${host.name}?`}
      consequence={
        <>
          <p>
            You confirm that {host.name} is the machine with serial {identity?.serial ?? "(none)"},{" "}
            {identity?.manufacturer} {identity?.model}, system UUID {identity?.systemUuid}.
          </p>
          <p>{hostActions.provide.consequence}</p>
        </>
      }
      confirmWords="Provide"
      send={(_, client) =>
        client.host.act.mutate({
          hostId: host.hostId,
          intent: "provide",
          stateVersion: host.stateVersion,
        })
      }
      said={`${host.name} is being provided`}
      {...rest}
    />
  );
}

/** Retries every host that stopped during BMC verification. */
export function RetryStopped({
  view,
  onDone,
}: {
  readonly view: EnrolmentView;
  readonly onDone: () => void;
}) {
  const client = useTRPCClient();
  const say = useSay();
  const retry = useMutation({
    mutationFn: () => client.enrolment.retry.mutate({ id: view.id }),
    onSuccess: ({ asked }) =>
      say(asked === 0 ? "No host stopped in Enroll" : `${formatCounted(asked, "host")} verified again`),
    onError: (error) => say(problemOf(error).words),
    onSettled: onDone,
  });
  if (view.counts.stopped === 0) return null;
  return (
    <Button busy={retry.isPending} onClick={() => retry.mutate()}>
      Retry stopped hosts
    </Button>
  );
}
