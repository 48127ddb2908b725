"use client";
// Records the disposition of an owed or expected drive that is missing: which drive, what became of it, why, and the consequence.
import { useStore } from "@tanstack/react-form";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reasonText } from "@/components/ui/form/schemas";
import { useSend } from "@/components/ui/form/use-send";
import { dispositionKinds, dispositionTable } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import type { DispositionKind } from "@/server/domain/cleaning/sanitization/disposition-kinds";
import { dispositionRefusal, offeredDispositions } from "@/server/domain/cleaning/sanitization/unaccounted";
import type { HostDetail } from "@/server/surfaces/trpc/types";

type Drive = HostDetail["unaccounted"][number];

/** Inventories call a slot "Slot 3", "Bay 3" or just "3". */
const slotLabel = (slot: string): string => (/^\d+$/.test(slot) ? `slot ${slot}` : slot);

const driveLabel = ({ key, model, slot, knownBy, disposition }: Drive): string =>
  [
    key,
    model,
    slot === null ? "" : slotLabel(slot),
    disposition === null ? `known by ${knownBy}` : dispositionTable[disposition.kind].words,
  ]
    .filter((part) => part !== "")
    .join(", ");

const schema = z
  .object({
    drive: z.string(),
    kind: z.enum(dispositionKinds),
    slot: z.string().trim(),
    reason: reasonText(),
  })
  .refine(({ kind, slot }) => kind !== "misread" || slot !== "", {
    path: ["slot"],
    error: "Enter the slot",
  });

interface DriveDialogProps {
  host: HostDetail;
  onClose: () => void;
  onDone: () => void;
}

/** The dispositions that a drive can have; the first is preselected. */
const kindsOf = (drive: Drive | undefined): readonly DispositionKind[] =>
  drive === undefined ? [] : offeredDispositions(drive);
const firstKind = (drive: Drive | undefined): DispositionKind => kindsOf(drive)[0] ?? "removed-destroyed";

/** The form with the host's first drive selected, and the consequence for the selected drive. */
function useDriveForm({ host, onClose, onDone }: DriveDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useSend({ onAccepted: onClose, onDone });
  const driveOf = (key: string) => host.unaccounted.find((drive) => drive.key === key);
  const [first] = host.unaccounted;
  const form = useAppForm({
    defaultValues: {
      drive: first?.key ?? "",
      kind: firstKind(first),
      slot: first?.slot ?? "",
      reason: "",
    },
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { slot, ...statement } = schema.parse(value);
      const inSlot = statement.kind === "misread" ? { slot } : {};
      return send(
        formApi,
        `Disposition of drive ${statement.drive} recorded; it waits for another person`,
        () => client.host.disposeDrive.mutate({ hostId: host.id, ...statement, ...inSlot }),
      );
    },
  });
  const { key, kind } = useStore(form.store, ({ values }) => ({ key: values.drive, kind: values.kind }));
  const drive = driveOf(key);
  const choose = (chosen: string) => {
    form.setFieldValue("kind", firstKind(driveOf(chosen)));
    form.setFieldValue("slot", driveOf(chosen)?.slot ?? "");
  };
  const refusal = drive === undefined ? "Select a drive" : (dispositionRefusal(drive, kind) ?? undefined);
  return { form, problem, kind, offered: kindsOf(drive), refusal, choose };
}

/** A drive for which the server would refuse a disposition is shown with the reason, and no disposition is offered. */
export function DriveDialog(props: DriveDialogProps) {
  const { host, onClose } = props;
  const { form, problem, kind, offered, refusal, choose } = useDriveForm(props);
  return (
    <form.AppForm>
      <FormDialog
        title={`Record a drive's disposition on ${host.name}`}
        consequence={offered.length === 0 ? <p>{refusal}</p> : <Consequence kind={kind} />}
        confirmWords="Record disposition"
        schema={schema}
        missing={refusal}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="drive" listeners={{ onChange: ({ value }) => choose(value) }}>
          {(field) => (
            <field.SelectField
              label="Drive"
              options={host.unaccounted.map((each) => ({ value: each.key, label: driveLabel(each) }))}
            />
          )}
        </form.AppField>
        {offered.length === 0 ? null : (
          <form.AppField name="kind">
            {(field) => (
              <field.SelectField
                label="Disposition"
                options={offered.map((value) => ({ value, label: dispositionTable[value].label }))}
              />
            )}
          </form.AppField>
        )}
        {kind === "misread" && offered.length > 0 ? (
          <form.AppField name="slot">
            {(field) => (
              <field.TextField
                label="Slot that holds the other drive"
                hint="As the inventory names it."
                maxLength={256}
                mono
              />
            )}
          </form.AppField>
        ) : null}
        <form.AppField name="reason">
          {(field) => (
            <field.TextAreaField label="Reason" hint="For example, a certificate or return number." />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}

function Consequence({ kind }: { kind: DispositionKind }) {
  return (
    <>
      <p>{dispositionTable[kind].consequence}</p>
      <p>
        It takes effect once another person has signed it, and is kept with both names at the gate
        storageSanitized. It has no effect while an inventory still lists the drive. Restart the plan
        afterwards.
      </p>
    </>
  );
}
