"use client";
// The bundles of measured boots: what they expect, who asked for and approved them, and the way to trust one less.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { DecideDialog } from "@/components/assurance/decide-dialog";
import { useMe } from "@/components/frame/me";
import { useTRPC } from "@/components/trpc/trpc";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { Empty } from "@/components/ui/empty";
import { optionsOf, reasonField } from "@/components/ui/form/fields";
import { reasonText } from "@/components/ui/form/schemas";
import { Facts } from "@/components/ui/head/facts";
import { Mark } from "@/components/ui/mark";
import { allRows } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
import { Time } from "@/components/ui/time/time";
import type { Tone } from "@/components/ui/tone";
import { reachOf } from "@/server/domain/access/access";
import type { Decision } from "@/server/domain/assurance/approvals/approval";
import type { BundleStanding } from "@/server/domain/attestation/bundle";
import { bundleStates, mayBecome } from "@/server/domain/attestation/measurement";
import { bundleStandingText, registerText } from "@/server/domain/attestation/measurement-text";
import { formatCounted } from "@/server/domain/numbers";
import type { ApprovalLine, BundleLine } from "@/server/surfaces/trpc/types";

const tones = {
  waits: "waiting",
  rejected: "neutral",
  Active: "good",
  Obsolete: "attention",
  Retired: "failed",
  Revoked: "failed",
} as const satisfies Record<BundleStanding, Tone>;

/** A bundle, with its approval while that waits. */
type Row = BundleLine & { readonly asked: ApprovalLine | undefined };

export function BundlesSection({ bundles }: { readonly bundles: readonly BundleLine[] }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.approvals.list.queryOptions({ kind: "bundle", limit: 200 }));
  const rows = bundles.map((line) => ({
    ...line,
    asked: data?.items.find(({ id }) => id === line.approvalId),
  }));
  return (
    <>
      <div className="sec">
        <h2>Bundles</h2>
        <span className="sum cut">the values that boots of one hardware should measure</span>
      </div>
      <ResourceTable
        name="bundles"
        noun="bundle"
        caption="Bundles"
        list={allRows(rows)}
        columns={columns}
        rowId={({ id }) => id}
        detail={(row) => <Values row={row} />}
        empty={
          <Empty title="No bundles yet">
            A bundle is made of what a host&rsquo;s boot measured: promote it on the host&rsquo;s Inventory
            tab. It counts once another person has approved it.
          </Empty>
        }
      />
    </>
  );
}

function Values({
  row: { values, reason, changed, requestedBy, requestedAt, approvedBy },
}: {
  readonly row: Row;
}) {
  return (
    <Facts
      facts={[
        [
          "Requested",
          <span key="requested">
            <Time at={requestedAt} /> by {requestedBy}: {reason}
          </span>,
        ],
        ["Approved by", approvedBy ?? "nobody"],
        ...(changed === null
          ? []
          : [
              [
                "Changed",
                <span key="changed">
                  <Time at={changed.at} /> by {changed.by}: {changed.reason}
                </span>,
              ] as const,
            ]),
        ...values.map(
          ({ pcr, value }) =>
            [
              `Register ${pcr}`,
              <span key={pcr}>
                {registerText(pcr)} <span className="mono text-small">{value}</span>
              </span>,
            ] as const,
        ),
      ]}
    />
  );
}

function Acts({ row }: { readonly row: Row }) {
  const { asked, standing } = row;
  return (
    <span className="row-acts">
      {standing === "waits" && asked?.mayDecide === true ? (
        <>
          <Decide row={row} asked={asked} decision="approved" />
          <Decide row={row} asked={asked} decision="rejected" />
        </>
      ) : null}
      <Demote row={row} />
    </span>
  );
}

interface DecideProps {
  readonly row: Row;
  readonly asked: ApprovalLine;
  readonly decision: Decision;
}

function Decide({ row, asked, decision }: DecideProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const again = () => {
    for (const noun of [trpc.attestation, trpc.approvals])
      void queryClient.invalidateQueries({ queryKey: noun.pathKey() });
  };
  return (
    <DialogButton
      dialog={(onClose) => (
        <DecideDialog
          decision={decision}
          item={{ id: asked.id, evidence: asked.evidence, words: asked.subject }}
          about="bundle"
          shows={<Values row={row} />}
          askedBy={asked.askedBy}
          onClose={onClose}
          onDone={again}
        />
      )}
    >
      {decision === "approved" ? "Approve…" : "Reject…"}
    </DialogButton>
  );
}

const demoted = ["Obsolete", "Retired", "Revoked"] as const;
const schema = z.object({ state: z.enum(demoted), reason: reasonText() });

const consequences = {
  Obsolete: "Hosts that measure its values still pass. It says that something newer should run on them.",
  Retired:
    "Hosts that measure its values fail, unless another bundle passes them. Where attestation is required, Ready ones leave allocation.",
  Revoked:
    "Hosts that measure its values fail for good, also if another bundle passes them. Where attestation is required, Ready ones leave allocation, and what their agents erased is erased again.",
} as const satisfies Record<(typeof demoted)[number], string>;

function Demote({ row: { id, name, standing, hosts } }: { readonly row: Row }) {
  const { role } = useMe();
  const state = bundleStates.find((each) => each === standing);
  const left = state === undefined ? [] : demoted.filter((each) => mayBecome(state, each));
  const [first] = left;
  if (first === undefined) return null;
  return (
    <DialogButton
      disabledReason={
        reachOf(role, "sku.write") === "any" ? undefined : "Only a provider admin can change a bundle"
      }
      dialog={(onClose) => (
        <ActFormDialog
          title={`Trust the bundle ${name} less?`}
          consequence={(values) =>
            `${consequences[values.state]} It decides about ${formatCounted(hosts, "host")} now. It cannot be trusted more again.`
          }
          confirmWords={(values) => `Make it ${values.state.toLowerCase()}`}
          schema={schema}
          values={{ state: first, reason: "" }}
          fields={{ state: { label: "State", options: optionsOf(left) }, reason: reasonField() }}
          send={({ state: to, reason }, client) =>
            client.attestation.demote.mutate({ bundle: id, state: to, reason })
          }
          said={({ failed, leftReady }) =>
            `The bundle ${name} was changed: ${formatCounted(failed, "host fails", "hosts fail")}, ${leftReady} left Ready.`
          }
          stale={(trpc) => [trpc.attestation, trpc.approvals]}
          onClose={onClose}
        />
      )}
    >
      Trust less…
    </DialogButton>
  );
}

const column = columnsOf<Row>();
const columns = [
  column.opener(
    "name",
    "Bundle",
    ({ id, name, standing }) => ({
      id,
      words: name,
      mark: <Mark tone={tones[standing]} label="" />,
    }),
    { width: 240 },
  ),
  column.text("state", "State", ({ standing }) => bundleStandingText[standing], {
    narrow: "top-end",
    width: 190,
  }),
  column.text("hardware", "Hardware", ({ manufacturer, model }) => `${manufacturer} ${model}`, {
    narrow: "line",
  }),
  column.text("site", "Site", ({ site }) => site, { from: "medium", width: 120 }),
  column.text("registers", "Registers", ({ values }) => values.map(({ pcr }) => pcr).join(", "), {
    ...{ from: "wide", width: 190 },
  }),
  column.count("hosts", "Hosts", ({ hosts }) => hosts, { width: 80, narrow: "bottom-start" }),
  column.acts(260, (row) => <Acts row={row} />, { narrow: "bottom-end" }),
];
