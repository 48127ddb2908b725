"use client";
// The traits of a host, which say what runbooks may run on it; whoever may clean it may change them.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { problemOf } from "@/components/trpc/query-client";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";
import { Notice } from "@/components/ui/notice";
import { useSay } from "@/components/ui/toast";
import { traitsOf } from "@/components/runbooks/runbook-words";

interface HostTraitsProps {
  host: { readonly id: string; readonly name: string };
  traits: readonly string[];
  mayClean: boolean;
}

export function HostTraits({ host, traits, mayClean }: HostTraitsProps) {
  const [asked, setAsked] = useState(false);
  return (
    <p className="automated">
      <span>
        Traits:{" "}
        {traits.length === 0 ? (
          <span className="text-quiet">none, so no runbook can run on it</span>
        ) : (
          <span className="mono">{traits.join(", ")}</span>
        )}
      </span>
      <Button
        small
        onClick={() => setAsked(true)}
        disabledReason={mayClean ? undefined : "Your role may not clean hosts"}
      >
        Change traits…
      </Button>
      {asked ? <TraitsDialog host={host} traits={traits} onClose={() => setAsked(false)} /> : null}
    </p>
  );
}

function TraitsDialog({
  host,
  traits,
  onClose,
}: Omit<HostTraitsProps, "mayClean"> & { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const say = useSay();
  const inputId = useId();
  const [text, setText] = useState(traits.join(", "));
  const save = useMutation(
    trpc.cleaning.setTraits.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: trpc.cleaning.pathKey() });
        say(`Traits of ${host.name} saved`);
        onClose();
      },
    }),
  );
  const problem = save.error === null ? undefined : problemOf(save.error);
  const wanted = traitsOf(text);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Traits of ${host.name}`}
      consequence={
        <p>A runbook runs only on hosts that share a trait with it. A running cleaning is not affected.</p>
      }
      field={
        <div className="field">
          <label htmlFor={inputId}>Traits, separated by commas or spaces</label>
          <div className="input">
            <input
              id={inputId}
              className="mono"
              value={text}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
        </div>
      }
      missing={wanted.join(" ") === traits.join(" ") ? "No changes" : undefined}
      confirmWords="Save traits"
      cancelWords="Cancel"
      busy={save.isPending}
      onConfirm={() => save.mutate({ hostId: host.id, traits: wanted })}
      error={
        problem === undefined ? null : (
          <Notice tone="failed" requestId={problem.requestId}>
            {problem.words}
          </Notice>
        )
      }
    />
  );
}
