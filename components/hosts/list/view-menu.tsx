"use client";
// Saves the current view under a name, and deletes saved views.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { hostsViewHref, savedViewHref, sortOf, type HostsView } from "@/components/hosts/list/hosts-view";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import { Menu, MenuAct, MenuCheck, MenuRule } from "@/components/ui/menu";
import type { SavedView } from "@/server/surfaces/trpc/types";

interface ViewMenuProps {
  view: HostsView;
  saved: readonly SavedView[];
  onChange: (change: Partial<HostsView>) => void;
}

/** A view's URL is the page's own, so it can be shared. */
export function ViewMenu({ view, saved, onChange }: ViewMenuProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const client = useTRPCClient();
  const [dialog, setDialog] = useState<"save" | SavedView | null>(null);
  const shown = saved.find((own) => savedViewHref(own) === hostsViewHref(view));
  const close = () => setDialog(null);
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: trpc.hosts.savedViews.queryKey() });
  return (
    <>
      <Menu trigger={<Button kind="plain">View</Button>}>
        <MenuCheck checked={view.byCause} onChange={(byCause) => onChange({ byCause })}>
          Group by cause
        </MenuCheck>
        <MenuRule />
        <MenuAct onSelect={() => setDialog("save")}>Save this view…</MenuAct>
        <MenuAct
          onSelect={() => setDialog(shown ?? null)}
          disabledReason={shown === undefined ? "Open one of your saved views first" : undefined}
        >
          {shown === undefined ? "Delete view…" : `Delete ${shown.name}…`}
        </MenuAct>
      </Menu>
      {dialog === "save" ? <SaveViewDialog view={view} onClose={close} onDone={readAgain} /> : null}
      {dialog === null || dialog === "save" ? null : (
        <ActDialog
          title={`Delete the view ${dialog.name}?`}
          consequence={<p>It is removed from your views. Links to it keep working.</p>}
          confirmWords="Delete view"
          send={() => client.hosts.removeView.mutate({ id: dialog.id })}
          said={`View ${dialog.name} deleted`}
          onClose={close}
          onDone={readAgain}
        />
      )}
    </>
  );
}

const schema = z.object({ name: z.string().trim().min(1, "Enter a name").max(64) });

interface SaveViewProps {
  view: HostsView;
  onClose: () => void;
  onDone: () => void;
}

/** Mounted anew each time it opens. */
function SaveViewDialog({ view, onClose, onDone }: SaveViewProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const form = useAppForm({
    defaultValues: { name: "" },
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { name } = schema.parse(value);
      return send(formApi, `View ${name} saved`, () =>
        client.hosts.saveView.mutate({
          name,
          filter: view.filter,
          sort: sortOf(view) ?? null,
          hide: [...view.hidden],
          group: view.byCause ? "cause" : null,
        }),
      );
    },
  });
  return (
    <form.AppForm>
      <FormDialog
        title="Save this view"
        consequence={
          <p>
            Saves the filter, order, columns and grouping under this name, for you only. A view of the same
            name is replaced. To share a view, send its address.
          </p>
        }
        confirmWords="Save view"
        schema={schema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="name">{(field) => <field.TextField label="Name" />}</form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
