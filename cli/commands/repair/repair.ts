// `reclaim repair`: the repair queue, hosts being repaired and outcomes; claiming a host by name, and noting an outcome (docs/repair.md).
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import { record } from "@/server/contract/define";
import { repairStatusLabel } from "@/server/domain/repair/completion";
import {
  claimEffect,
  outcomeEffect,
  releaseEffect,
  requestNote,
  requestText,
} from "@/server/domain/repair/effects";
import { notedOutcomes, repairNote } from "@/server/domain/repair/repairs";
import { claimNotes } from "@/server/domain/repair/claim-text";
import type { HeldRow, OffenderRow, QueueRow, RepairLine } from "@/server/surfaces/trpc/types";
import { act, command, list, show } from "@/cli/define/command";
import { arg, choice, found, needed, opt } from "@/cli/define/values";
import type { Column } from "@/cli/output/printer";

const queueColumns: readonly Column<QueueRow>[] = [
  { name: "host", value: (row) => row.host, whole: true },
  { name: "issue", value: (row) => row.issue.summary, long: true },
  { name: "category", value: (row) => row.issue.category },
  { name: "state", value: (row) => row.state, tone: (row) => row.tone },
  { name: "since", value: (row) => row.since },
  { name: "request", value: (row) => requestNote(row) },
  { name: "repaired", value: (row) => row.repaired.total },
  { name: "recent", value: (row) => row.repaired.recent, extra: true },
  { name: "site", value: (row) => row.site },
  { name: "rack", value: (row) => row.rack },
  { name: "sku", value: (row) => row.sku, extra: true },
  { name: "claim", value: (row) => claimNotes(row.claim) },
  { name: "expected", value: (row) => row.claim.expectedAt, extra: true },
  { name: "hostId", value: (row) => row.hostId, extra: true },
];

const heldColumns: readonly Column<HeldRow>[] = [
  { name: "host", value: (row) => row.host, whole: true },
  { name: "instance", value: (row) => row.instance, whole: true },
  { name: "issue", value: (row) => row.issue?.summary ?? null, long: true },
  { name: "outcome", value: (row) => row.repairStatus },
  { name: "note", value: (row) => row.note, long: true },
  { name: "ticket", value: (row) => row.ticket },
  { name: "since", value: (row) => row.claimedAt },
  { name: "status", value: (row) => row.status },
  { name: "request", value: (row) => requestNote(row) },
  { name: "at release", value: (row) => releaseEffect(row, row.outcome, false), extra: true },
  { name: "tenant", value: (row) => row.tenant },
  { name: "site", value: (row) => row.site },
  { name: "rack", value: (row) => row.rack, extra: true },
  { name: "hostId", value: (row) => row.hostId, extra: true },
  { name: "instanceId", value: (row) => row.instanceId, extra: true },
];

const lineColumns: readonly Column<RepairLine>[] = [
  { name: "host", value: (row) => row.host, whole: true },
  {
    name: "outcome",
    value: (row) => (row.leaseEnd === "broken" ? row.leaseEnd : (row.outcome ?? row.leaseEnd)),
  },
  { name: "issue", value: (row) => row.issue?.summary ?? null, long: true },
  { name: "note", value: (row) => row.note, long: true },
  { name: "ticket", value: (row) => row.ticket },
  { name: "claimed", value: (row) => row.claimedAt },
  { name: "released", value: (row) => row.releasedAt },
  { name: "new issue", value: (row) => row.newIssue, long: true },
  { name: "tenant", value: (row) => row.tenant },
  { name: "system", value: (row) => row.system },
  { name: "hostId", value: (row) => row.hostId, extra: true },
  { name: "id", value: (row) => row.id, extra: true },
];

const offenderColumns: readonly Column<OffenderRow>[] = [
  { name: "host", value: (row) => row.host, whole: true },
  { name: "repairs", value: (row) => row.repairs.length },
  { name: "last issue", value: (row) => row.repairs[0]?.issue?.summary ?? null, long: true },
  { name: "last outcome", value: (row) => row.repairs[0]?.outcome ?? null },
  { name: "state", value: (row) => row.state, tone: (row) => row.tone },
  { name: "site", value: (row) => row.site },
  { name: "rack", value: (row) => row.rack },
  { name: "sku", value: (row) => row.sku, extra: true },
  { name: "hostId", value: (row) => row.hostId, extra: true },
];

const nobodyAsks = { requested: false, reported: false };
const day = 86_400_000;
const hostName = arg("<host>", "its name or id");
const host = found(hostName, ({ client }, text) => client.repair.host.query({ host: text }));

export const repair = [
  list("repair queue", {
    of: "repair.queue",
    rows: "rows",
    columns: queueColumns,
    perPage: 500,
    csv: true,
    none: "No hosts need repair.",
  }),
  list("repair held", {
    of: "repair.held",
    columns: heldColumns,
    csv: true,
    none: "Nobody holds a host for repair.",
  }),
  list("repair offenders", {
    of: "repair.offenders",
    rows: "rows",
    columns: offenderColumns,
    csv: true,
    none: ({ first: { repairs, days } }) => `No host was repaired ${repairs} times in ${days} days.`,
  }),
  list("repair outcomes", {
    of: "repair.outcomes",
    rows: "rows",
    columns: lineColumns,
    perPage: 500,
    csv: true,
    none: ({ first: { days } }) => `No repair ended in the last ${days} days.`,
    then: ({ first }) => [
      `${first.completed} completed, ${first.failed} failed, ${first.none} without an outcome, ${first.unrecorded} not recorded.${first.medianHeldMs === null ? "" : ` Median time held: ${(first.medianHeldMs / day).toFixed(1)} days.`}`,
    ],
  }),
  show("repair show", {
    of: "repair.host",
    args: { host: hostName },
    parts: (told, printer) => {
      const { asks, reclamation } = told;
      return [
        {
          title: told.host,
          facts: [
            ["state", { text: told.state, tone: told.tone }],
            ["category", asks?.issue.category ?? null],
            ["issue", asks?.issue.summary ?? null],
            ["details", asks?.issue.details ?? null],
            ["asked since", asks?.since.toISOString() ?? null],
            ["request", requestText(asks ?? nobodyAsks)],
            ["claim", told.claimWords],
            ["after the claim", told.claim.allowed ? claimEffect(asks ?? nobodyAsks) : null],
            ["last reclamation", reclamation?.number ?? null],
            [
              "labels",
              Object.entries(told.labels ?? {})
                .map((pair) => pair.join("="))
                .join(", ") || null,
            ],
          ],
        },
        { title: "Earlier repairs", table: printer.table(told.earlier, lineColumns) },
        ...(reclamation === null
          ? []
          : [
              {
                title: "Gates",
                table: printer.table(reclamation.gates, [
                  { name: "gate", value: (row) => row.gate, whole: true },
                  { name: "status", value: (row) => row.status },
                  { name: "reason", value: (row) => row.reason, long: true },
                ]),
              },
            ]),
      ];
    },
  }),
  command("repair claim", {
    title: "claims a host that needs repair, by name; `reclaim release --repair-tenant` releases it",
    uses: ["repair.host", "instances.create"],
    shape: record({ instance: z.string(), ...contract.instances.create.output.unwrap().shape }),
    args: { host },
    options: { name: opt("<name>", "name of the new instance; default: repair-<host>") },
    run: async ({ client, printer, settings }, { host: { host: claimed, hostId, asks }, name }) => {
      const instance = name ?? `repair-${claimed}`;
      const made = await client.instances.create.mutate({
        name: instance,
        wanted: { hostId, allowUnhealthy: true },
      });
      if (settings.output === "table")
        printer.say(`${claimed}: claimed as ${instance}, id ${made.id}. ${claimEffect(asks ?? nobodyAsks)}`);
      else printer.show({ instance, ...made }, []);
    },
  }),
  act("repair outcome", {
    of: "repair.setOutcome",
    title: `${contract.repair.setOutcome.title}; an empty text removes it`,
    args: { host, outcome: needed(choice("<outcome>", "the outcome", notedOutcomes)) },
    options: { ticket: opt("<text>", "ticket in your own system"), summary: opt("<text>", "what was done") },
    input: ({ host: { hostId }, ...given }) => ({ ...given, hostId }),
    said: ({ host: { host: name, asks }, outcome }, { changed }) =>
      `${name}: ${changed ? `repair_status is ${outcome}` : "already set"}. ${outcomeEffect(asks ?? nobodyAsks, repairNote({ [repairStatusLabel]: outcome }).outcome)}`,
  }),
];
