"use client";
// Hands a group over, notes what is known about it, snoozes it.
import { z } from "zod";
import { ActFormDialog, type Stale } from "@/components/ui/dialogs/act-dialog";
import { reasonField } from "@/components/ui/form/fields";
import { reasonText } from "@/components/ui/form/schemas";
import type { NextLine, NextList } from "@/server/surfaces/trpc/types";

interface DialogProps {
  readonly line: NextLine;
  readonly onClose: () => void;
}

const longestNote = 2_000;
const noteText = z.string().trim().max(longestNote, `At most ${longestNote} characters`);
const stale: Stale = (trpc) => [trpc.next];

const handOver = z.object({ ownerId: z.string().min(1, "Choose a person"), note: noteText });
/** Nobody has it: it goes back. */
const nobody = "nobody";

/** To another person, or back to nobody. */
export function HandOverDialog({
  line,
  people,
  onClose,
}: DialogProps & { readonly people: NextList["people"] }) {
  const { key, title, ownerId, note } = line;
  const others = people.filter(({ id }) => id !== ownerId);
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name;
  return (
    <ActFormDialog
      title={`Hand over “${title}”`}
      schema={handOver}
      values={{ ownerId: "", note }}
      fields={{
        ownerId: {
          label: "To",
          options: [
            { value: "", label: "choose" },
            ...others.map(({ id, name }) => ({ value: id, label: name })),
            ...(ownerId === null ? [] : [{ value: nobody, label: "nobody, put it back" }]),
          ],
        },
        note: { label: "Note", hint: "What the next person should know.", rows: 3, maxLength: longestNote },
      }}
      confirmWords={({ ownerId: to }) =>
        to === nobody ? "Put it back" : `Hand over${nameOf(to) === undefined ? "" : ` to ${nameOf(to)}`}`
      }
      consequence="The list shows who has it. Nothing is done to the hosts."
      send={({ ownerId: to, note: said }, client) =>
        client.next.assign.mutate({ key, ownerId: to === nobody ? null : to, note: said, from: ownerId })
      }
      said={({ owner }) => (owner === null ? "Put back: nobody has it" : `${owner} has it`)}
      stale={stale}
      onClose={onClose}
    />
  );
}

const noteSchema = z.object({ note: noteText });

export function NoteDialog({ line: { key, title, note }, onClose }: DialogProps) {
  return (
    <ActFormDialog
      title={`Note on “${title}”`}
      schema={noteSchema}
      values={{ note }}
      fields={{ note: { label: "Note", rows: 4, maxLength: longestNote } }}
      edits
      confirmWords="Save note"
      consequence="All operators read it. An empty note removes it."
      send={({ note: said }, client) => client.next.note.mutate({ key, note: said })}
      said="Note saved"
      stale={stale}
      onClose={onClose}
    />
  );
}

const hourMs = 3_600_000;
const spans = [
  { value: "2", label: "in 2 hours", ms: 2 * hourMs },
  { value: "8", label: "in 8 hours", ms: 8 * hourMs },
  { value: "24", label: "in 1 day", ms: 24 * hourMs },
  { value: "168", label: "in 7 days", ms: 168 * hourMs },
] as const;

const snooze = z.object({
  span: z.string().transform((text, context) => {
    const span = spans.find(({ value }) => value === text);
    if (span !== undefined) return span;
    context.addIssue({ code: "custom", message: "Choose when it comes back" });
    return z.NEVER;
  }),
  reason: reasonText(),
});

/** It comes back at its time, or when it grows. */
export function SnoozeDialog({ line: { key, title }, onClose }: DialogProps) {
  return (
    <ActFormDialog
      title={`Snooze “${title}”`}
      schema={snooze}
      values={{ span: spans[0].value, reason: "" }}
      fields={{
        span: { label: "Comes back", options: spans.map(({ value, label }) => ({ value, label })) },
        reason: reasonField("All operators read it."),
      }}
      confirmWords="Snooze"
      consequence="It leaves the list for all operators. It comes back at its time, or as soon as it grows."
      send={({ span, reason }, client) =>
        client.next.snooze.mutate({ key, until: new Date(Date.now() + span.ms), reason })
      }
      said="Snoozed"
      stale={stale}
      onClose={onClose}
    />
  );
}
