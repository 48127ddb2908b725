"use client";
// Saves the current view under a name, and deletes saved views.
import { useState } from "react";
import { z } from "zod";
import { hostsViewHref, savedViewHref, sortOf, type HostsView } from "@/components/hosts/list/hosts-view";
import { Button } from "@/components/ui/button";
import { ActDialog, ActFormDialog, type Stale } from "@/components/ui/dialogs/act-dialog";
import { Menu, MenuAct, MenuCheck, MenuRule } from "@/components/ui/menu";
import type { SavedView } from "@/server/surfaces/trpc/types";

interface ViewMenuProps {
  view: HostsView;
  saved: readonly SavedView[];
  onChange: (change: Partial<HostsView>) => void;
}

/** A view's URL is the page's own, so it can be shared. */
export function ViewMenu({ view, saved, onChange }: ViewMenuProps) {
  const [dialog, setDialog] = useState<"save" | SavedView | null>(null);
  const shown = saved.find((own) => savedViewHref(own) === hostsViewHref(view));
  const close = () => setDialog(null);
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
      {dialog === "save" ? <SaveViewDialog view={view} onClose={close} /> : null}
      {dialog === null || dialog === "save" ? null : (
        <ActDialog
          title={`Delete the view ${dialog.name}?`}
          consequence="It is removed from your views. Links to it keep working."
          confirmWords="Delete view"
          send={(_, client) => client.hosts.removeView.mutate({ id: dialog.id })}
          said={`View ${dialog.name} deleted`}
          stale={stale}
          onClose={close}
        />
      )}
    </>
  );
}

const stale: Stale = (trpc) => [trpc.hosts.savedViews];
const schema = z.object({ name: z.string().trim().min(1, "Enter a name").max(64) });

/** Mounted anew each time it opens. */
const SaveViewDialog = ({ view, onClose }: { view: HostsView; onClose: () => void }) => (
  <ActFormDialog
    title="Save this view"
    consequence="Saves the filter, order, columns and grouping under this name, for you only. A view of the same name is replaced. To share a view, send its address."
    confirmWords="Save view"
    schema={schema}
    values={{ name: "" }}
    fields={{ name: { label: "Name" } }}
    send={({ name }, client) =>
      client.hosts.saveView.mutate({
        name,
        filter: view.filter,
        sort: sortOf(view) ?? null,
        hide: [...view.hidden],
        group: view.byCause ? "cause" : null,
      })
    }
    said={(_, { name }) => `View ${name} saved`}
    stale={stale}
    onClose={onClose}
  />
);
