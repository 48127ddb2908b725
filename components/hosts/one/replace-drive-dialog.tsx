"use client";
// Opens the ticket for a drive that stopped its host again, with its slot and serial number.
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { ticketText } from "@/server/domain/break-fix/ticket";
import { replaceDriveAct, replacement } from "@/server/domain/hosts/advice/replace-drive";
import { issueLimits } from "@/server/domain/repair/health-issue";
import type { HostDetail } from "@/server/surfaces/trpc/types";

const schema = z.object({
  details: ticketText(issueLimits.details),
  externalRef: ticketText(128),
});

interface ReplaceDriveDialogProps {
  readonly host: Pick<HostDetail, "id" | "name">;
  readonly ticket: NonNullable<HostDetail["replaceDrive"]>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export const ReplaceDriveDialog = ({ host, ticket, ...rest }: ReplaceDriveDialogProps) => (
  <ActFormDialog
    title={`${replaceDriveAct.words} of ${host.name}?`}
    consequence={
      <>
        <p>
          <b>{ticket.summary}.</b>
        </p>
        <p>{replaceDriveAct.consequence}</p>
      </>
    }
    confirmWords="Open ticket"
    schema={schema}
    values={{ details: ticket.details, externalRef: "" }}
    fields={{
      details: { label: "Why", rows: 3, maxLength: issueLimits.details },
      externalRef: { label: "External reference", aside: "optional", mono: true, maxLength: 128 },
    }}
    send={({ details, externalRef }, client) =>
      client.tickets.open.mutate({
        hostId: host.id,
        category: replacement.category,
        summary: ticket.summary,
        parts: [...ticket.parts],
        details,
        externalRef: externalRef === "" ? null : externalRef,
      })
    }
    said={({ ref }) => `${ref} is open: ${ticket.summary}`}
    stale={(trpc) => [trpc.tickets]}
    {...rest}
  />
);
