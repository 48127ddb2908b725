"use client";
// The form of one procedure; the effect of a change is shown before it is saved.
import { useRouter } from "next/navigation";
import { useStore } from "@tanstack/react-form";
import { useState } from "react";
import { useUnsaved } from "@/components/frame/unsaved";
import { ProcedureFields } from "@/components/assurance/procedures/procedure-fields";
import { procedureSchema, type ProcedureForm } from "@/components/assurance/procedures/procedure-form";
import { RemoveDialog, SaveDialog, type Saved } from "@/components/assurance/procedures/save-procedure";
import { useWhyNoSettings } from "@/components/sites/use-settings";
import { Button } from "@/components/ui/button";
import { useAppForm } from "@/components/ui/form/form-kit";
import { PageForm } from "@/components/ui/form/page-form";
import { routes } from "@/server/domain/console/routes";
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";
import type { SiteProcedures } from "@/server/surfaces/trpc/types";

interface ProcedureEditorProps {
  readonly site: SiteProcedures;
  /** The procedure in force; null for a new one. */
  readonly saved: Procedure | null;
  readonly start: ProcedureForm;
}

export function ProcedureEditor({ site, saved, start }: ProcedureEditorProps) {
  const whyNot = useWhyNoSettings();
  const [begun] = useState(start);
  const [asked, setAsked] = useState<Saved>();
  const [removing, setRemoving] = useState(false);
  const form = useAppForm({
    defaultValues: begun,
    validators: { onChange: procedureSchema },
    onSubmit: ({ value }) => setAsked(procedureSchema.parse(value)),
  });
  const typed = useStore(form.store, (state) => (state.isDefaultValue ? null : state.values.name));
  useUnsaved(typed === null ? undefined : "The procedure is not saved.");
  const name = useStore(form.store, (state) => state.values.name.trim());
  const taken =
    saved === null && site.procedures.some((each) => each.name === name)
      ? `Site ${site.site} has a procedure ${name}: open it to change it`
      : undefined;
  return (
    <>
      <div className="sec">
        <h2>{saved === null ? "New procedure" : `${saved.title}, version ${saved.version}`}</h2>
      </div>
      <form.AppForm>
        <PageForm
          className="settings-form"
          schema={procedureSchema}
          problem={undefined}
          submitWords="Preview and save…"
          missing={whyNot ?? taken}
          edits={saved !== null}
          acts={
            saved === null ? undefined : (
              <Button small disabledReason={whyNot} onClick={() => setRemoving(true)}>
                Take out…
              </Button>
            )
          }
        >
          <ProcedureFields form={form} isNew={saved === null} />
        </PageForm>
      </form.AppForm>
      <Dialogs
        site={site}
        saved={saved}
        asked={asked}
        removing={removing}
        onSaved={() => form.reset(form.state.values)}
        onClose={() => {
          setAsked(undefined);
          setRemoving(false);
        }}
      />
    </>
  );
}

interface DialogsProps extends Pick<ProcedureEditorProps, "site" | "saved"> {
  /** What is about to be saved. */
  readonly asked: Saved | undefined;
  readonly removing: boolean;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

function Dialogs({ site, saved, asked, removing, onSaved, onClose }: DialogsProps) {
  const router = useRouter();
  return (
    <>
      {asked === undefined ? null : (
        <SaveDialog
          site={site}
          before={saved}
          next={asked}
          onSaved={() => {
            onSaved();
            router.push(routes.settings.procedures({ site: site.site, open: asked.name }));
          }}
          onClose={onClose}
        />
      )}
      {removing && saved !== null ? (
        <RemoveDialog
          site={site}
          procedure={saved}
          onRemoved={() => router.push(routes.settings.procedures({ site: site.site }))}
          onClose={onClose}
        />
      ) : null}
    </>
  );
}
