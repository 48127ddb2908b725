"use client";
// Who has a group, as initials, and the button that takes it.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMe } from "@/components/frame/me";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC } from "@/components/trpc/trpc";
import { Tip } from "@/components/ui/tip";
import { useSay } from "@/components/ui/toast";
import { initials } from "@/components/ui/format/initials";
import type { NextLine } from "@/server/surfaces/trpc/types";

/** Takes a group for whoever looks, and reads the list again. */
export function useTake() {
  const trpc = useTRPC();
  const client = useQueryClient();
  const say = useSay();
  return useMutation(
    trpc.next.assign.mutationOptions({
      onError: (error) => say(problemOf(error).words),
      onSettled: () => client.invalidateQueries({ queryKey: trpc.next.pathKey() }),
    }),
  );
}

interface OwnerProps {
  readonly line: NextLine;
  /** Whether this person may take it. */
  readonly mayOwn: boolean;
}

/** Empty if nobody has it and this person may not take it. */
export function Owner({ line, mayOwn }: OwnerProps) {
  const { personId } = useMe();
  const take = useTake();
  const { ownerId, ownerName, key, title } = line;
  if (ownerName !== null) {
    const mine = ownerId === personId;
    const words = mine ? `${ownerName}, you` : ownerName;
    return (
      <Tip words={words}>
        <span className={mine ? "owner mine" : "owner"}>
          <span className="visually-hidden">{words}</span>
          <span aria-hidden="true">{initials(ownerName)}</span>
        </span>
      </Tip>
    );
  }
  if (!mayOwn) return <span />;
  return (
    <Tip words="Take it: nobody has it yet">
      <button
        type="button"
        className="owner take"
        aria-label={`Take “${title}”`}
        aria-busy={take.isPending || undefined}
        onClick={() => {
          if (!take.isPending) take.mutate({ key, ownerId: personId, from: null });
        }}
      />
    </Tip>
  );
}
