"use client";
// Records the disposition of an owed or expected drive that is missing: which drive, what became of it, why, and the consequence.
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { reasonField } from "@/components/ui/form/fields";
import { reasonText } from "@/components/ui/form/schemas";
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

type Values = z.input<typeof schema>;

interface DriveDialogProps {
  host: HostDetail;
  onClose: () => void;
  onDone: () => void;
}

/** The dispositions that a drive can have; the first is preselected. */
const kindsOf = (drive: Drive | undefined): readonly DispositionKind[] =>
  drive === undefined ? [] : offeredDispositions(drive);
const firstKind = (drive: Drive | undefined): DispositionKind => kindsOf(drive)[0] ?? "removed-destroyed";

/** A drive for which the server would refuse a disposition is shown with the reason, and no disposition is offered. */
export function DriveDialog({ host, ...rest }: DriveDialogProps) {
  const driveOf = (key: string) => host.unaccounted.find((drive) => drive.key === key);
  const refusalOf = (values: Values) => {
    const drive = driveOf(values.drive);
    return drive === undefined ? "Select a drive" : (dispositionRefusal(drive, values.kind) ?? undefined);
  };
  const isOffered = ({ drive }: Values) => kindsOf(driveOf(drive)).length > 0;
  const [first] = host.unaccounted;
  return (
    <ActFormDialog
      title={`Record a drive's disposition on ${host.name}`}
      consequence={(values) => (isOffered(values) ? <Consequence kind={values.kind} /> : refusalOf(values))}
      confirmWords="Record disposition"
      missing={refusalOf}
      schema={schema}
      values={{
        drive: first?.key ?? "",
        kind: firstKind(first),
        slot: first?.slot ?? "",
        reason: "",
      }}
      fields={(values, set) => ({
        drive: {
          label: "Drive",
          options: host.unaccounted.map((each) => ({ value: each.key, label: driveLabel(each) })),
          onChosen: (key) => {
            set("kind", firstKind(driveOf(key)));
            set("slot", driveOf(key)?.slot ?? "");
          },
        },
        kind: isOffered(values)
          ? {
              label: "Disposition",
              options: kindsOf(driveOf(values.drive)).map((value) => ({
                value,
                label: dispositionTable[value].label,
              })),
            }
          : null,
        slot:
          values.kind === "misread" && isOffered(values)
            ? {
                label: "Slot that holds the other drive",
                hint: "As the inventory names it.",
                maxLength: 256,
                mono: true,
              }
            : null,
        reason: reasonField("For example, a certificate or return number."),
      })}
      send={({ slot, ...statement }, client) =>
        client.host.disposeDrive.mutate({
          hostId: host.id,
          ...statement,
          ...(statement.kind === "misread" ? { slot } : {}),
        })
      }
      said={(_, { drive }) => `Disposition of drive ${drive} recorded; it waits for another person`}
      {...rest}
    />
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
