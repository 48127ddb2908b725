"use client";
// A host's open exceptions and what can be requested now. Shown on the tabs Gates and Assurance, and where its reclamation stopped.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ExceptionActs, useExceptionDialog } from "@/components/assurance/exceptions/exception-acts";
import {
  formatExceptionStanding,
  goesOnText,
  letThrough,
} from "@/components/assurance/exceptions/exception-text";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ProofTime } from "@/components/ui/time/time";
import { reachOf } from "@/server/domain/access/access";
import type { AskableException, ExceptionLine } from "@/server/surfaces/trpc/types";
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { reasonField } from "@/components/ui/form/fields";
import { reasonText, typedMoment } from "@/components/ui/form/schemas";

// Requests an exception for the gate or drive that stopped a host; another person decides on it.
const words = (complaint: string) => z.string().trim().min(1, complaint).max(2000);
const schema = z.object({
  reason: reasonText(),
  measure: words("Enter the compensating control"),
  risk: words("Enter the remaining risk"),
  validUntil: typedMoment.transform((at, context) => {
    if (at !== null) return at;
    context.addIssue({ code: "custom", message: "Enter when it expires" });
    return z.NEVER;
  }),
});

interface AskExceptionDialogProps {
  readonly host: { readonly id: string; readonly name: string };
  readonly asked: AskableException;
  readonly me: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** A label for what is requested. */
const askableText = ({ gate, drive }: AskableException): string =>
  letThrough({ gate, drive: drive?.serial ?? null });

/** What an approval would mean, shown before the request is sent. */
function Consequence({ asked, me }: Pick<AskExceptionDialogProps, "asked" | "me">) {
  return (
    <>
      <p>Found: {asked.found === "" ? "no details" : asked.found}</p>
      <p>
        You ask as {me}. Another person, a provider admin, approves or rejects it; you cannot.{" "}
        {goesOnText(asked.gate)} The certificate{" "}
        {asked.drive === null ? "lists the gate as excepted" : "says that the drive is not sanitized"}.
      </p>
      <p>
        It applies to this reclamation and this finding only; a different finding voids it. When it expires,
        the host leaves allocation and is cleaned again.
      </p>
    </>
  );
}

const AskExceptionDialog = ({ host, asked, me, ...rest }: AskExceptionDialogProps) => (
  <ActFormDialog
    title={`Ask for an exception: ${askableText(asked)} on ${host.name}`}
    consequence={<Consequence asked={asked} me={me} />}
    confirmWords="Ask for exception"
    schema={schema}
    values={{ reason: "", measure: "", risk: "", validUntil: "" }}
    fields={{
      reason: reasonField(),
      measure: {
        label: "Compensating control",
        hint: "for example, a locked row",
        rows: 2,
        maxLength: 2000,
      },
      risk: {
        label: "Residual risk",
        hint: "what may still happen, and to whom",
        rows: 2,
        maxLength: 2000,
      },
      validUntil: {
        label: "Expires",
        hint: "in your local time, a year away at most",
        type: "datetime-local",
      },
    }}
    send={({ validUntil, ...said }, client) =>
      client.exceptions.ask.mutate({
        ...{ hostId: host.id, gate: asked.gate, validUntil, ...said },
        ...(asked.drive === null ? {} : { drive: asked.drive.serial }),
      })
    }
    said={`Requested: ${askableText(asked)} on ${host.name}; another person decides`}
    {...rest}
  />
);

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
