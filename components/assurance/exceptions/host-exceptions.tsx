"use client";
// A host's open exceptions and what can be requested now. Shown on the tabs Gates and Assurance, and where its reclamation stopped.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AskExceptionDialog, askableText } from "@/components/assurance/exceptions/ask-exception-dialog";
import { ExceptionActs, useExceptionDialog } from "@/components/assurance/exceptions/exception-acts";
import { letThrough, formatExceptionStanding } from "@/components/assurance/exceptions/exception-text";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ProofTime } from "@/components/ui/time/time";
import { reachOf } from "@/server/domain/access/access";
import type { AskableException, ExceptionLine } from "@/server/surfaces/trpc/types";

const refreshMs = 2_000;

interface Host {
  readonly id: string;
  readonly name: string;
}

/** Empty if this user may not read them. */
function useHostExceptions({ id: hostId }: Host) {
  const trpc = useTRPC();
  const { role } = useMe();
  const standing = useQuery({
    ...trpc.exceptions.list.queryOptions({ hostId }),
    enabled: reachOf(role, "assurance.read") === "any",
  });
  const askable = useQuery({
    ...trpc.exceptions.askable.queryOptions({ hostId }),
    enabled: reachOf(role, "assurance.askException") === "any",
  });
  const refetch = () =>
    Promise.all([standing, askable].filter(({ isEnabled }) => isEnabled).map((query) => query.refetch()));
  useLiveRefresh(refetch, { hostId, everyMs: refreshMs });
  const lines = standing.data?.items ?? [];
  return { lines, open: openOf(askable.data ?? [], lines), refetch };
}

/** Leaves out whatever already has an open exception. Pure. */
const openOf = (
  askable: readonly AskableException[],
  lines: readonly ExceptionLine[],
): readonly AskableException[] =>
  askable.filter(
    ({ gate, drive }) => !lines.some((line) => line.gate === gate && line.drive === (drive?.serial ?? null)),
  );

interface HostExceptionsProps {
  readonly host: Host;
  /** Renders nothing if there is nothing to show. */
  readonly quiet?: boolean;
}

export function HostExceptions({ host, quiet = false }: HostExceptionsProps) {
  const me = useMe();
  const { lines, open, refetch } = useHostExceptions(host);
  const { ask, dialog } = useExceptionDialog(() => void refetch());
  const [asked, setAsked] = useState<AskableException>();
  return (
    <>
      {dialog}
      {asked === undefined ? null : (
        <AskExceptionDialog
          host={host}
          asked={asked}
          me={me.name}
          onClose={() => setAsked(undefined)}
          onDone={() => void refetch()}
        />
      )}
      {lines.length + open.length === 0 ? (
        quiet ? null : (
          <Nothing />
        )
      ) : (
        <>
          <Head sum={formatSum(lines.length, open.length)} />
          <ul className="assurance-lines" aria-label="Exceptions">
            {lines.map((line) => (
              <StandingLine key={line.id} line={line} onAsk={ask} />
            ))}
            {open.map((each) => (
              <OpenLine key={askableText(each)} asked={each} onAsk={setAsked} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const formatSum = (open: number, askable: number): string =>
  [open === 0 ? "none" : `${open} open`, ...(askable === 0 ? [] : [`${askable} can be asked for`])].join(
    "; ",
  );

const Head = ({ sum }: { readonly sum: string }) => (
  <div className="sec">
    <h2>Exceptions</h2>
    <span className="sum cut">{sum}</span>
  </div>
);

const Nothing = () => (
  <>
    <Head sum="none" />
    <p className="text-quiet">
      When a gate or a drive stops the host, ask here to let it pass. Another person must approve it.
    </p>
  </>
);

const expiryText = ({ standing }: Pick<ExceptionLine, "standing">): string =>
  standing === "approved" ? "until" : "would expire";

const StandingLine = ({ line, onAsk }: Parameters<typeof ExceptionActs>[0]) => (
  <li>
    <span>
      {letThrough(line)} <span className="text-quiet">{line.reason}</span>
    </span>
    <span>
      {formatExceptionStanding(line)}, {expiryText(line)} <ProofTime at={line.validUntil} />{" "}
      <ExceptionActs line={line} onAsk={onAsk} />
    </span>
  </li>
);

interface OpenLineProps {
  readonly asked: AskableException;
  readonly onAsk: (asked: AskableException) => void;
}

const OpenLine = ({ asked, onAsk }: OpenLineProps) => (
  <li>
    <span>
      {askableText(asked)} <span className="text-quiet">{asked.found}</span>
    </span>
    <Button small onClick={() => onAsk(asked)} aria-label={`Ask for an exception… ${askableText(asked)}`}>
      Ask for an exception…
    </Button>
  </li>
);
