"use client";
// Console sessions, each with a button to end it.
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
import { decide } from "@/server/domain/access/access";
import type { Me, SessionLine } from "@/server/surfaces/trpc/types";
import { accessEveryMs, accessNouns } from "@/components/access/use-access";

interface SessionsTableProps {
  /** Undefined: everybody's. */
  readonly personId?: string;
}

export function SessionsTable({ personId }: SessionsTableProps) {
  const trpc = useTRPC();
  const me = useMe();
  const [ending, setEnding] = useState<SessionLine>();
  const { data: sessions } = useSuspenseQuery({
    ...trpc.sessions.list.queryOptions(personId === undefined ? {} : { personId }),
    refetchInterval: accessEveryMs,
  });
  const ofAll = personId === undefined;
  const columns = useMemo(() => columnsFor(me, ofAll, setEnding), [me, ofAll]);
  return (
    <>
      <ResourceTable
        name={ofAll ? "sessions" : "own-sessions"}
        noun="session"
        prefix={ofAll ? undefined : "sessions"}
        caption="Sessions"
        columns={columns}
        list={allRows(sessions)}
        rowId={({ sessionId }) => sessionId}
        namesOf={({ address }) => [address]}
        empty={
          <Empty title="No session">
            A session begins when somebody signs in to the console, and ends 12 hours after its last use.
          </Empty>
        }
      />
      {ending === undefined ? null : <EndDialog session={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

/** Why this user may not end that user's sessions or revoke their tokens; undefined if they may. */
export const whyNotOn = (me: Me, right: "session.end" | "token.revoke", personId: string) =>
  decide({ personId: me.personId, role: me.role, tenantId: null }, right, { tenantId: null, personId }) ===
  "allowed"
    ? undefined
    : `The role ${me.roleWords} may not do this for others`;

const column = columnsOf<SessionLine>();

const columnsFor = (
  me: Me,
  ofAll: boolean,
  onEnd: (session: SessionLine) => void,
): readonly TableColumn<SessionLine>[] => [
  column.cell(
    "person",
    ofAll ? "User" : "Session",
    ({ personName, current }) => (
      <>
        {ofAll ? personName : current ? "This session" : "Another session"}
        {ofAll && current ? <span className="text-quiet">, this session</span> : null}
      </>
    ),
    {
      narrow: "top-start",
      rowHeader: true,
      always: true,
      sort: ({ personName, current }) => (ofAll ? personName : current ? "This session" : "Another session"),
    },
  ),
  column.text("address", "Address", ({ address }) => address, {
    width: 200,
    narrow: "bottom-start",
    className: "mono",
  }),
  column.time("began", "Signed in", ({ beganAt }) => beganAt, {
    width: 144,
    narrow: "bottom-end",
    className: "text-quiet",
  }),
  column.age("used", "Last used", ({ usedAt }) => usedAt, { width: 112, narrow: "top-end" }),
  column.acts(112, (session) => (
    <Button
      small
      disabledReason={whyNotOn(me, "session.end", session.personId)}
      aria-label={`End the session of ${session.personName} from ${session.address ?? "here"}`}
      onClick={() => onEnd(session)}
    >
      End…
    </Button>
  )),
];

function EndDialog({ session, onClose }: { readonly session: SessionLine; readonly onClose: () => void }) {
  const { sessionId, personName, current } = session;
  return (
    <ActDialog
      title={`End a session of ${personName}?`}
      consequence={
        <p>
          {current
            ? "This is the session that you are using: you have to sign in again."
            : "Whoever uses it has to sign in again. Other sessions and tokens stay."}
        </p>
      }
      confirmWords="End session"
      send={(_, client) => client.sessions.end.mutate({ sessionId })}
      said="Session ended."
      stale={accessNouns}
      onClose={onClose}
    />
  );
}
