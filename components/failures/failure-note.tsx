"use client";
// Who looks after a group of failures, what is known of it, and until when nobody need look.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Time } from "@/components/ui/time/time";
import { useSay } from "@/components/ui/toast";
import type { FailureGroup, FailureGroups } from "@/server/surfaces/trpc/types";

const hourMs = 3_600_000;
/** From now. */
const snoozes = [
  { words: "4 hours", ms: 4 * hourMs },
  { words: "1 day", ms: 24 * hourMs },
  { words: "7 days", ms: 7 * 24 * hourMs },
] as const;

interface FailureNoteProps {
  group: FailureGroup;
  people: FailureGroups["people"];
  mayNote: boolean;
}

export function FailureNote({ group, people, mayNote }: FailureNoteProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const say = useSay();
  const id = useId();
  const [ownerId, setOwnerId] = useState(group.ownerId ?? "");
  const [note, setNote] = useState(group.note);
  /** "keep": as it is; "": none; else how long from now. */
  const [snooze, setSnooze] = useState("keep");
  const save = useMutation(
    trpc.failures.note.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: trpc.failures.groups.queryKey() });
        say("Note saved");
      },
    }),
  );
  if (!mayNote) {
    return (
      <p className="text-quiet">
        {group.ownerName === null ? "No owner." : `${group.ownerName} owns it.`} {group.note}
      </p>
    );
  }
  const changed = ownerId !== (group.ownerId ?? "") || note.trim() !== group.note || snooze !== "keep";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!changed || save.isPending) return;
    const length = snoozes.find(({ words }) => words === snooze)?.ms;
    const snoozedUntil =
      length !== undefined
        ? new Date(Date.now() + length)
        : snooze === "keep" && group.snoozed
          ? group.snoozedUntil
          : null;
    save.mutate({
      digest: group.digest,
      ownerId: ownerId === "" ? null : ownerId,
      note: note.trim(),
      snoozedUntil,
    });
  };
  return (
    <form className="note-form" onSubmit={submit}>
      <div className="field">
        <label htmlFor={`${id}-owner`}>Owner</label>
        <div className="input">
          <select id={`${id}-owner`} value={ownerId} onChange={(event) => setOwnerId(event.target.value)}>
            <option value="">none</option>
            {people.map((person) => (
              <option key={person.id} value={person.id}>
                {person.name}
              </option>
            ))}
          </select>
        </div>
      </div>
      <div className="field">
        <label htmlFor={`${id}-snooze`}>Snooze; ends early if the group grows</label>
        <div className="input">
          <select id={`${id}-snooze`} value={snooze} onChange={(event) => setSnooze(event.target.value)}>
            <option value="keep">{group.snoozed ? "unchanged" : "not snoozed"}</option>
            {snoozes.map(({ words }) => (
              <option key={words} value={words}>
                for {words} from now
              </option>
            ))}
            {group.snoozed ? <option value="">end it now</option> : null}
          </select>
        </div>
      </div>
      <div className="field wide">
        <label htmlFor={`${id}-note`}>
          Note{" "}
          {group.notedAt === null ? null : (
            <span className="text-quiet">
              last changed <Time at={group.notedAt} />
            </span>
          )}
        </label>
        <textarea
          id={`${id}-note`}
          value={note}
          maxLength={2000}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
      {save.isError ? <ProblemNotice error={save.error} before="It was not saved." /> : null}
      <div className="acts left">
        <Button
          type="submit"
          kind="main"
          small
          disabledReason={changed ? undefined : "No changes"}
          busy={save.isPending}
        >
          Save note
        </Button>
      </div>
    </form>
  );
}
