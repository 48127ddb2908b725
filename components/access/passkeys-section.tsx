"use client";
// The user's own passkeys: add, rename, remove.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AddPasskey, RemovePasskey, RenamePasskey } from "@/components/access/passkey-dialogs";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";
import { maxPasskeys } from "@/server/domain/access/passkeys";
import type { PasskeyLine } from "@/server/surfaces/trpc/types";

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
