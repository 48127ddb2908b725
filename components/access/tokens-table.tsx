"use client";
// API tokens: scope, expiry and last use. Tokens are created and revoked here; the secret is shown once.
import { useSuspenseQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useMe } from "@/components/frame/me";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { Empty } from "@/components/ui/empty";
import { allRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
import type { TableColumn } from "@/components/ui/table/columns";
import { Time } from "@/components/ui/time/time";
import type { Me, TokenLine } from "@/server/surfaces/trpc/types";
import { whyNotOn } from "@/components/access/sessions-table";
import { accessEveryMs, accessNouns } from "@/components/access/use-access";

interface TokensTableProps {
  /** Undefined: everybody's. */
  readonly personId?: string;
}

export function TokensTable({ personId }: TokensTableProps) {
  const trpc = useTRPC();
  const me = useMe();
  const [revoking, setRevoking] = useState<TokenLine>();
  const { data: tokens } = useSuspenseQuery({
    ...trpc.tokens.list.queryOptions(personId === undefined ? {} : { personId }),
    refetchInterval: accessEveryMs,
  });
  const ofAll = personId === undefined;
  const columns = useMemo(() => columnsFor(me, ofAll, setRevoking), [me, ofAll]);
  return (
    <>
      <ResourceTable
        name={ofAll ? "tokens" : "own-tokens"}
        noun="token"
        prefix={ofAll ? undefined : "tokens"}
        caption="API tokens"
        columns={columns}
        list={allRows(tokens)}
        rowId={({ tokenId }) => tokenId}
        namesOf={({ name }) => [name]}
        empty={
          <Empty title="No API token">
            A token lets a program, such as <code>reclaim</code>, act with your role. It is shown once, when
            it is created.
          </Empty>
        }
      />
      {revoking === undefined ? null : (
        <RevokeDialog token={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </>
  );
}

const scopeLabels = { full: "full access", read: "read only" } as const satisfies Record<
  TokenLine["scope"],
  string
>;

function Expiry({ token: { expiresAt, expired } }: { readonly token: TokenLine }) {
  if (expiresAt === null) return <span className="text-quiet">never</span>;
  return expired ? "expired" : <Time at={expiresAt} />;
}

const column = columnsOf<TokenLine>();

const columnsFor = (
  me: Me,
  ofAll: boolean,
  onRevoke: (token: TokenLine) => void,
): readonly TableColumn<TokenLine>[] => [
  column.name("name", "Name", ({ name }) => name),
  ...(ofAll
    ? [
        column.text("person", "User", ({ personName }) => personName, {
          width: 176,
          narrow: "bottom-start",
        }),
      ]
    : []),
  column.text("scope", "Scope", ({ scope }) => scopeLabels[scope], { width: 112, narrow: "bottom-end" }),
  column.cell("expires", "Expires", (token) => <Expiry token={token} />, {
    width: 144,
    narrow: "top-end",
    sort: ({ expiresAt }) => expiresAt,
  }),
  column.age("used", "Last used", ({ lastUsedAt }) => lastUsedAt, {
    width: 112,
    none: <span className="text-quiet">never</span>,
  }),
  column.acts(112, (token) => (
    <Button
      small
      disabledReason={whyNotOn(me, "token.revoke", token.personId)}
      aria-label={`Revoke ${token.name}`}
      onClick={() => onRevoke(token)}
    >
      Revoke…
    </Button>
  )),
];

function RevokeDialog({ token, onClose }: { readonly token: TokenLine; readonly onClose: () => void }) {
  const { tokenId, name, personName } = token;
  return (
    <ActDialog
      title={`Revoke the token ${name}?`}
      consequence={
        <p>Programs that use this token of {personName} are refused at once. It cannot be undone.</p>
      }
      confirmWords="Revoke token"
      send={(_, client) => client.tokens.revoke.mutate({ tokenId })}
      said={`The token ${name} is revoked.`}
      stale={accessNouns}
      onClose={onClose}
    />
  );
}
