"use client";
// A failure group's note: its owner, what is known about it, and until when it is snoozed.
import { useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Fields } from "@/components/ui/form/fields";
import { useAppForm } from "@/components/ui/form/form-kit";
import { PageForm } from "@/components/ui/form/page-form";
import { useSend } from "@/components/ui/form/use-send";
import { Time } from "@/components/ui/time/time";
import type { FailureGroup, FailureGroups } from "@/server/surfaces/trpc/types";

const hourMs = 3_600_000;
/** Durations from now. */
const snoozes = [
  { words: "4 hours", ms: 4 * hourMs },
  { words: "1 day", ms: 24 * hourMs },
  { words: "7 days", ms: 7 * 24 * hourMs },
] as const;
/** The other choices: leave it unchanged, and end it. */
const keep = "keep";
const end = "";

const schema = z.object({ ownerId: z.string(), note: z.string().trim(), snooze: z.string() });
type NoteTexts = z.input<typeof schema>;

interface FailureNoteProps {
  group: FailureGroup;
  people: FailureGroups["people"];
  mayNote: boolean;
}

export function FailureNote({ group, people, mayNote }: FailureNoteProps) {
  return mayNote ? (
    <NoteForm group={group} people={people} />
  ) : (
    <p className="text-quiet">
      {group.ownerName === null ? "No owner." : `${group.ownerName} owns it.`} {group.note}
    </p>
  );
}

/** When the chosen snooze ends; null: no snooze. */
function snoozedUntil(snooze: string, group: FailureGroup): Date | null {
  const chosen = snoozes.find(({ words }) => words === snooze);
  if (chosen !== undefined) return new Date(Date.now() + chosen.ms);
  return snooze === keep && group.snoozed ? group.snoozedUntil : null;
}

/** After saving, the submitted values become the form's defaults. */
function useNoteForm(group: FailureGroup) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { send, problem } = useSend({
    onAccepted: () => form.reset({ ...form.state.values, snooze: keep }),
    onDone: () => void queryClient.invalidateQueries({ queryKey: trpc.failures.groups.queryKey() }),
  });
  const saved: NoteTexts = { ownerId: group.ownerId ?? "", note: group.note, snooze: keep };
  const form = useAppForm({
    defaultValues: saved,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { ownerId, note, snooze } = schema.parse(value);
      return send(formApi, "Note saved", () =>
        client.failures.note.mutate({
          digest: group.digest,
          ownerId: ownerId === "" ? null : ownerId,
          note,
          snoozedUntil: snoozedUntil(snooze, group),
        }),
      );
    },
  });
  return { form, problem };
}

/** A current owner who can no longer be chosen, such as a disabled user, stays until another is chosen. */
const formerOwner = (
  { ownerId, ownerName }: FailureGroup,
  people: FailureGroups["people"],
): readonly { readonly value: string; readonly label: string }[] =>
  ownerId === null || people.some(({ id }) => id === ownerId)
    ? []
    : [{ value: ownerId, label: `${ownerName ?? "unknown"} (disabled, or has another role)` }];

function NoteForm({ group, people }: Pick<FailureNoteProps, "group" | "people">) {
  const { form, problem } = useNoteForm(group);
  return (
    <form.AppForm>
      <PageForm className="note-form" schema={schema} edits problem={problem} submitWords="Save note">
        <Fields
          form={form}
          fields={{
            ownerId: {
              label: "Owner",
              options: [
                { value: "", label: "none" },
                ...people.map(({ id, name }) => ({ value: id, label: name })),
                ...formerOwner(group, people),
              ],
            },
            snooze: {
              label: "Snooze; ends early if the group grows",
              options: [
                { value: keep, label: group.snoozed ? "unchanged" : "not snoozed" },
                ...snoozes.map(({ words }) => ({ value: words, label: `for ${words} from now` })),
                ...(group.snoozed ? [{ value: end, label: "end now" }] : []),
              ],
            },
            note: {
              label: "Note",
              aside:
                group.notedAt === null ? undefined : (
                  <>
                    last changed <Time at={group.notedAt} />
                  </>
                ),
              rows: 2,
              maxLength: 2000,
              wide: true,
            },
          }}
        />
      </PageForm>
    </form.AppForm>
  );
}
