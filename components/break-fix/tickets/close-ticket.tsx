"use client";
// Closes or withdraws a ticket with its outcome; the provider names the replacement machine.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/trpc";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { outcomeLabels, ticketOutcomes, ticketText } from "@/server/domain/break-fix/ticket";
import type { TicketAuthor } from "@/server/domain/break-fix/ticket";

const closeSchema = z
  .object({
    outcome: z.enum(ticketOutcomes),
    host: z.string().trim().max(128, "At most 128 characters"),
    note: ticketText(8192),
  })
  .refine(({ outcome, host }) => outcome !== "replaced" || host !== "", {
    path: ["host"],
    error: "Enter the replacement host",
  });

const outcomes = ticketOutcomes.map((name) => ({ value: name, label: outcomeLabels[name] }));

/** The host with exactly this name; undefined if there is none, or while loading. @param text empty: none is asked for */
function useNamedHost(text: string) {
  const found = useQuery({
    ...useTRPC().hosts.find.queryOptions({ text }),
    enabled: text !== "" && text.length <= 128,
  });
  const host = text === "" ? undefined : found.data?.find(({ id, name }) => name === text || id === text);
  const unknown =
    text !== "" && found.isSuccess && host === undefined ? `There is no host ${text}` : undefined;
  return { host, unknown, pending: text !== "" && host === undefined && unknown === undefined };
}

interface CloseTicketProps {
  ticket: { readonly ref: string };
  as: TicketAuthor;
  onClose: () => void;
}

/** Mounted anew each time it opens. */
export function CloseTicketDialog({ ticket, as, onClose }: CloseTicketProps) {
  const isProvider = as === "provider";
  const [named, setNamed] = useState("");
  const { host, unknown, pending } = useNamedHost(named);
  return (
    <ActFormDialog
      title={isProvider ? `Close ${ticket.ref}` : `Withdraw ${ticket.ref}`}
      consequence="A closed ticket cannot be reopened. The machine is not affected."
      confirmWords={isProvider ? "Close ticket" : "Withdraw ticket"}
      schema={closeSchema}
      values={{ outcome: isProvider ? "returned" : "withdrawn", host: "", note: "" }}
      fields={({ outcome }) => ({
        outcome: isProvider ? { label: "Outcome", options: outcomes } : null,
        host:
          outcome === "replaced"
            ? {
                label: "Replacement host",
                aside: "name or id; the tenant sees the id",
                hint: unknown,
                mono: true,
              }
            : null,
        note: { label: "Note", aside: "optional; shown to the tenant", rows: 2, maxLength: 8192 },
      })}
      onValues={(values) => setNamed(values.outcome === "replaced" ? values.host.trim() : "")}
      missing={unknown ?? (pending ? "Looking for the host" : undefined)}
      send={({ outcome, note }, client) =>
        client.tickets.close.mutate({
          ticket: ticket.ref,
          outcome,
          note,
          ...(host === undefined ? {} : { replacementHostId: host.id }),
        })
      }
      said={`${ticket.ref} closed`}
      stale={(trpc) => [trpc.tickets]}
      onClose={onClose}
    />
  );
}
