"use client";
// The log's signing keys, its witnesses, and whether the database could be changed underneath it.
import { useSuspenseQuery } from "@tanstack/react-query";
import { saveFile } from "@/components/ui/save-file";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Empty } from "@/components/ui/empty";
import { formatCounted } from "@/server/domain/numbers";
import { Notice } from "@/components/ui/notice";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { Since, ProofTime } from "@/components/ui/time/time";
import type { AuditState } from "@/server/surfaces/trpc/types";

const refreshMs = 5_000;

type Key = AuditState["keys"][number];
type Witness = AuditState["witnesses"][number];

const Copied = ({ text, what }: { text: string; what: string }) => (
  <>
    <CopyButton text={text} what={what} /> {text}
  </>
);

const keyColumn = columnsOf<Key>();

const keyColumns = [
  keyColumn.cell("key", "Key", ({ key }) => <Copied text={key} what="the key" />, {
    rowHeader: true,
    narrow: "top-start",
    className: "mono",
    title: ({ key }) => key,
  }),
  keyColumn.proofTime("since", "Since", ({ createdAt }) => createdAt, {
    narrow: "top-end",
  }),
];

const witnessColumn = columnsOf<Witness>();

const witnessColumns = [
  witnessColumn.name("name", "Witness", ({ name }) => name, { width: 160 }),
  witnessColumn.cell("key", "Key", ({ key }) => <Copied text={key} what="the witness’s key" />, {
    narrow: "line",
    className: "mono",
    title: ({ key }) => key,
  }),
  witnessColumn.text("url", "Address", ({ url }) => url, {
    width: 220,
    from: "medium",
    className: "mono",
    none: "not asked",
  }),
  witnessColumn.cell(
    "cosigned",
    "Cosigned up to",
    ({ cosigned }) =>
      cosigned === null ? (
        "nothing yet"
      ) : (
        <>
          {formatCounted(cosigned.size, "event")}, <ProofTime at={cosigned.at} />
        </>
      ),
    { width: 240, narrow: "bottom-start" },
  ),
];

export function KeysTab() {
  const trpc = useTRPC();
  const { data, refetch } = useSuspenseQuery(trpc.audit.state.queryOptions());
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const { keys, witnesses, changeable, role } = data;
  return (
    <>
      {changeable.length === 0 ? null : (
        <Notice tone="attention">
          The database does not protect the log: the server’s role {role} could change{" "}
          {formatCounted(changeable.length, "table")} of it. Set up the roles of the database (Operations,
          Database roles).
        </Notice>
      )}
      <Checkpoint state={data} />
      <div className="sec">
        <h2>Keys</h2>
        <span className="sum cut">the newest signs; each vouches for the next</span>
        {keys.length === 0 ? null : (
          <span className="end">
            <Button
              small
              onClick={() => saveFile("reclaim.keys", keys.map(({ key }) => `${key}\n`).join(""))}
            >
              Download keys
            </Button>
          </span>
        )}
      </div>
      <DataTable
        caption="Keys"
        columns={keyColumns}
        rows={keys}
        rowId={({ key }) => key}
        empty={<Empty title="No key">The server makes one when it starts.</Empty>}
      />
      <div className="sec">
        <h2>Witnesses</h2>
        <span className="sum cut">{formatQuorum(data)}</span>
      </div>
      <DataTable
        caption="Witnesses"
        columns={witnessColumns}
        rows={witnesses}
        rowId={({ key }) => key}
        empty={
          <Empty title="No witness">
            A witness cosigns what goes on from what it has seen, so a log that was rewritten shows. Anybody
            runs one with reclaim witness; the policy of the deployment names those that are asked.
          </Empty>
        }
      />
    </>
  );
}

const formatQuorum = ({ quorum }: AuditState): string => {
  if (quorum === null) return "no policy asks for any";
  return quorum
    ? "as many have cosigned as the policy asks for"
    : "fewer have cosigned than the policy asks for";
};

function Checkpoint({ state: { checkpoint, numbered } }: { state: AuditState }) {
  return (
    <>
      <div className="sec">
        <h2>Checkpoint</h2>
        <span className="sum cut">{formatCounted(numbered, "event")} numbered</span>
        {checkpoint === null ? null : (
          <span className="end">
            <CopyButton text={checkpoint.note} what="the checkpoint" />{" "}
            <Button small onClick={() => saveFile(`reclaim-${checkpoint.size}.checkpoint`, checkpoint.note)}>
              Download checkpoint
            </Button>
          </span>
        )}
      </div>
      {checkpoint === null ? (
        <Empty title="Nothing is signed yet">
          A checkpoint is signed within a second of the first event.
        </Empty>
      ) : (
        <>
          <p>
            {formatCounted(checkpoint.size, "event")} signed <Since at={checkpoint.signedAt} />
          </p>
          <pre className="mono audit-note" tabIndex={0}>
            {checkpoint.note}
          </pre>
        </>
      )}
    </>
  );
}
