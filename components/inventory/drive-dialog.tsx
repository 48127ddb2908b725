"use client";
// Records the disposition of a drive that is owed or expected and missing: which drive, what, why, and what follows from it.
import { useId, useState } from "react";
import { useTRPCClient } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { ReasonField } from "@/components/ui/dialogs/reason-field";
import { dispositionKinds, dispositionTable } from "@/server/domain/sanitization/disposition-kinds";
import type { DispositionKind } from "@/server/domain/sanitization/disposition-kinds";
import type { HostDetail } from "@/server/surfaces/trpc/types";

type Drive = HostDetail["unaccounted"][number];

interface Statement {
  readonly drive: string;
  readonly kind: DispositionKind;
  readonly slot: string;
  readonly reason: string;
}

/** Inventories name a slot "Slot 3", "Bay 3" or "3". */
const slotWords = (slot: string): string => (/^\d+$/.test(slot) ? `slot ${slot}` : slot);

const driveWords = ({ key, model, slot, knownBy, disposition }: Drive): string =>
  [
    key,
    model,
    slot === null ? "" : slotWords(slot),
    disposition === null ? `known by ${knownBy}` : dispositionTable[disposition.kind].words,
  ]
    .filter((part) => part !== "")
    .join(", ");

/** What stands in the way of a disposition, or undefined. */
function missingOf({ kind, slot, reason }: Statement, drive: Drive | undefined): string | undefined {
  if (drive === undefined) return "Choose a drive first";
  if (kind !== "misread" && drive.listedByBmc)
    return "The BMC still lists this drive: take it out and read the inventory again first";
  if (kind === "misread" && slot.trim() === "") return "Name the slot first";
  return reason.trim() === "" ? "Give a reason first" : undefined;
}

export function DriveDialog({
  host,
  onClose,
  onDone,
}: {
  host: HostDetail;
  onClose: () => void;
  onDone: () => void;
}) {
  const id = useId();
  const [first] = host.unaccounted;
  const [statement, setStatement] = useState<Statement>({
    drive: first?.key ?? "",
    kind: "removed-destroyed",
    slot: first?.slot ?? "",
    reason: "",
  });
  const change = (part: Partial<Statement>) => setStatement({ ...statement, ...part });
  const client = useTRPCClient();
  const drive = host.unaccounted.find(({ key }) => key === statement.drive);
  const send = () => {
    const { drive: key, kind, slot, reason } = statement;
    const inSlot = kind === "misread" && slot.trim() !== "" ? { slot: slot.trim() } : {};
    return client.host.disposeDrive.mutate({
      hostId: host.id,
      drive: key,
      kind,
      reason: reason.trim(),
      ...inSlot,
    });
  };
  return (
    <ActDialog
      title={`Record a drive's disposition on ${host.name}`}
      consequence={
        <>
          <p>{dispositionTable[statement.kind].consequence}</p>
          <p>
            The disposition is kept with your name and shown at the gate storageSanitized. It does not count
            while an inventory still lists the drive. Restart the plan afterwards.
          </p>
        </>
      }
      confirmWords="Record"
      cancelWords="Cancel"
      send={send}
      said={`Disposition of drive ${statement.drive} recorded`}
      onClose={onClose}
      onDone={onDone}
      missing={missingOf(statement, drive)}
      field={<Fields id={id} drives={host.unaccounted} statement={statement} onChange={change} />}
    />
  );
}

interface FieldsProps {
  id: string;
  drives: readonly Drive[];
  statement: Statement;
  onChange: (part: Partial<Statement>) => void;
}

function Fields({ id, drives, statement, onChange }: FieldsProps) {
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-drive`}>Drive</label>
        <div className="input">
          <select
            id={`${id}-drive`}
            value={statement.drive}
            onChange={(event) =>
              onChange({
                drive: event.target.value,
                slot: drives.find(({ key }) => key === event.target.value)?.slot ?? "",
              })
            }
          >
            {drives.map((drive) => (
              <option key={drive.key} value={drive.key}>
                {driveWords(drive)}
              </option>
            ))}
          </select>
        </div>
      </div>
      <div className="field">
        <label htmlFor={`${id}-kind`}>Disposition</label>
        <div className="input">
          <select
            id={`${id}-kind`}
            value={statement.kind}
            onChange={(event) =>
              onChange({
                kind: dispositionKinds.find((kind) => kind === event.target.value) ?? "removed-destroyed",
              })
            }
          >
            {dispositionKinds.map((kind) => (
              <option key={kind} value={kind}>
                {dispositionTable[kind].label}
              </option>
            ))}
          </select>
        </div>
      </div>
      {statement.kind === "misread" ? (
        <div className="field">
          <label htmlFor={`${id}-slot`}>Slot that holds the other drive, as the inventory names it</label>
          <div className="input">
            <input
              id={`${id}-slot`}
              className="mono"
              value={statement.slot}
              maxLength={256}
              onChange={(event) => onChange({ slot: event.target.value })}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
        </div>
      ) : null}
      <ReasonField
        label="Reason, such as a certificate or return number"
        value={statement.reason}
        onChange={(reason) => onChange({ reason })}
      />
    </>
  );
}
