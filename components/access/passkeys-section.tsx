"use client";
// The user's own passkeys: add, rename, remove.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { maxPasskeys } from "@/server/domain/access/passkeys";
import type { PasskeyLine } from "@/server/surfaces/trpc/types";
import { z } from "zod";
import { accessNouns } from "@/components/access/use-access";
import { useConfirm, usePasskey } from "@/components/access/use-passkey";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";

// Dialogs that add, rename and remove a passkey. All but renaming need confirmation: with a passkey, or with the password for the first one.
const name = z.string().trim().min(1, "Enter a name").max(64, "At most 64 characters");

interface AddProps {
  readonly isFirst: boolean;
  readonly onClose: () => void;
}

function AddPasskey({ isFirst, onClose }: AddProps) {
  const { add } = usePasskey();
  const { missing, given } = useConfirm();
  return (
    <ActFormDialog
      title="Add a passkey"
      consequence={
        isFirst
          ? "You then confirm your decisions with a passkey, in the console; the password alone and tokens are refused. Add a second one soon: if you lose all of them, a provider admin must reset them."
          : "Your browser asks twice: for a passkey that you have, then for the new one."
      }
      confirmWords="Add passkey"
      schema={z.object({ name, password: isFirst ? z.string().min(1, "Enter your password") : z.string() })}
      values={{ name: "", password: "" }}
      fields={{
        name: { label: "Name", aside: "such as the device that has it", autoFocus: true },
        password: isFirst
          ? { label: "Your password", type: "password", autoComplete: "current-password" }
          : null,
      }}
      missing={missing}
      send={async (typed) => add(typed.name, await given({ purpose: "add" }, typed.password))}
      said={(_, typed) => `The passkey ${typed.name} is set up.`}
      stale={accessNouns}
      onClose={onClose}
    />
  );
}

interface OneProps {
  readonly passkey: PasskeyLine;
  readonly onClose: () => void;
}

const renameSchema = z.object({ name });

const RenamePasskey = ({ passkey, onClose }: OneProps) => (
  <ActFormDialog
    title={`Rename the passkey ${passkey.name}`}
    consequence="The name is for you. The passkey stays as it is."
    confirmWords="Rename passkey"
    edits
    schema={renameSchema}
    values={{ name: passkey.name }}
    fields={{ name: { label: "Name", autoFocus: true } }}
    send={(typed, client) => client.passkeys.rename.mutate({ passkeyId: passkey.passkeyId, ...typed })}
    said={`The passkey ${passkey.name} is renamed.`}
    stale={accessNouns}
    onClose={onClose}
  />
);

function RemovePasskey({ passkey, isLast, onClose }: OneProps & { readonly isLast: boolean }) {
  const { confirm } = usePasskey();
  const { passkeyId } = passkey;
  return (
    <ActDialog
      title={`Remove the passkey ${passkey.name}?`}
      consequence={`${
        isLast
          ? "It is your only one: from then on you decide with the password again."
          : "It confirms nothing from then on."
      } Your browser asks for one of your passkeys to confirm this. Also delete it on the device that has it.`}
      confirmWords="Remove passkey"
      send={async (_, client) =>
        client.passkeys.remove.mutate({
          passkeyId,
          passkey: await confirm({ purpose: "remove", passkeyId }),
        })
      }
      said={`The passkey ${passkey.name} is removed.`}
      stale={accessNouns}
      onClose={onClose}
    />
  );
}

type Asked = { readonly kind: "add" } | { readonly kind: "rename" | "remove"; readonly passkey: PasskeyLine };

export function PasskeysSection() {
  const trpc = useTRPC();
  const { data } = useSuspenseQuery(trpc.passkeys.list.queryOptions());
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const { items, refusal } = data;
  const full = items.length >= maxPasskeys ? `At most ${maxPasskeys} passkeys: remove one first` : undefined;
  return (
    <section aria-label="Passkeys">
      <div className="sec">
        <h2>Passkeys</h2>
        <span className="end">
          <Button small disabledReason={refusal ?? full} onClick={() => setAsked({ kind: "add" })}>
            Add a passkey…
          </Button>
        </span>
      </div>
      <DataTable
        caption="Passkeys"
        columns={columnsFor(setAsked)}
        rows={items}
        rowId={({ passkeyId }) => passkeyId}
        empty={
          <Empty title="No passkey">
            {refusal ??
              "A passkey is in your device or in a security key. With one you confirm your decisions, such as sign-offs and exceptions; the password alone is then refused."}
          </Empty>
        }
      />
      {asked === undefined ? null : asked.kind === "add" ? (
        <AddPasskey isFirst={items.length === 0} onClose={close} />
      ) : asked.kind === "rename" ? (
        <RenamePasskey passkey={asked.passkey} onClose={close} />
      ) : (
        <RemovePasskey passkey={asked.passkey} isLast={items.length === 1} onClose={close} />
      )}
    </section>
  );
}

const column = columnsOf<PasskeyLine>();

const columnsFor = (ask: (asked: Asked) => void): readonly TableColumn<PasskeyLine>[] => [
  column.cell(
    "name",
    "Name",
    ({ name, elsewhere }) => (
      <>
        {name}
        {elsewhere === null ? null : <span className="text-quiet">, works at {elsewhere} only</span>}
      </>
    ),
    { narrow: "top-start", rowHeader: true },
  ),
  column.time("created", "Created", ({ createdAt }) => createdAt, { width: 144, narrow: "bottom-start" }),
  column.age("used", "Last used", ({ lastUsedAt }) => lastUsedAt, {
    width: 112,
    narrow: "top-end",
    none: <span className="text-quiet">never</span>,
  }),
  column.acts(176, (passkey) => (
    <span className="row-acts">
      <Button small aria-label={`Rename ${passkey.name}`} onClick={() => ask({ kind: "rename", passkey })}>
        Rename…
      </Button>
      <Button small aria-label={`Remove ${passkey.name}`} onClick={() => ask({ kind: "remove", passkey })}>
        Remove…
      </Button>
    </span>
  )),
];
