"use client";
// Failed hosts grouped by cause and device model: how many hosts, which hardware, and the owner.
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Fragment } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { Empty } from "@/components/ui/empty";
import { Changed } from "@/components/ui/changed";
import { Mark } from "@/components/ui/mark";
import { wholeList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";
import { Time } from "@/components/ui/time/time";
import type { FailureGroup, FailureGroups } from "@/server/surfaces/trpc/types";
import { CleaningHead } from "@/components/frame/cleaning-head";
import { routes } from "@/server/domain/console/routes";
import { z } from "zod";
import { Fields } from "@/components/ui/form/fields";
import { useAppForm } from "@/components/ui/form/form-kit";
import { PageForm } from "@/components/ui/form/page-form";
import { useSend } from "@/components/ui/form/use-send";

const hourMs = 3_600_000;
/** Durations from now. */
const snoozes = [
  { words: "4 hours", ms: 4 * hourMs },
  { words: "1 day", ms: 24 * hourMs },
  { words: "7 days", ms: 7 * 24 * hourMs },
] as const;
/** The other choices: leave it unchanged, and end it. */
const keep = "keep";
const end = "";

const schema = z.object({ ownerId: z.string(), note: z.string().trim(), snooze: z.string() });
type NoteTexts = z.input<typeof schema>;

interface FailureNoteProps {
  group: FailureGroup;
  people: FailureGroups["people"];
  mayNote: boolean;
}

/** A failure group's note: its owner, what is known about it, and until when it is snoozed. */
function FailureNote({ group, people, mayNote }: FailureNoteProps) {
  return mayNote ? (
    <NoteForm group={group} people={people} />
  ) : (
    <p className="text-quiet">
      {group.ownerName === null ? "No owner." : `${group.ownerName} owns it.`} {group.note}
    </p>
  );
}

/** When the chosen snooze ends; null: no snooze. */
function snoozedUntil(snooze: string, group: FailureGroup): Date | null {
  const chosen = snoozes.find(({ words }) => words === snooze);
  if (chosen !== undefined) return new Date(Date.now() + chosen.ms);
  return snooze === keep && group.snoozed ? group.snoozedUntil : null;
}

/** After saving, the submitted values become the form's defaults. */
function useNoteForm(group: FailureGroup) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { send, problem } = useSend({
    onAccepted: () => form.reset({ ...form.state.values, snooze: keep }),
    onDone: () => void queryClient.invalidateQueries({ queryKey: trpc.failures.groups.queryKey() }),
  });
  const saved: NoteTexts = { ownerId: group.ownerId ?? "", note: group.note, snooze: keep };
  const form = useAppForm({
    defaultValues: saved,
    validators: { onChange: schema },
    onSubmit: ({ value, formApi }) => {
      const { ownerId, note, snooze } = schema.parse(value);
      return send(formApi, "Note saved", () =>
        client.failures.note.mutate({
          digest: group.digest,
          ownerId: ownerId === "" ? null : ownerId,
          note,
          snoozedUntil: snoozedUntil(snooze, group),
        }),
      );
    },
  });
  return { form, problem };
}

/** A current owner who can no longer be chosen, such as a disabled user, stays until another is chosen. */
const formerOwner = (
  { ownerId, ownerName }: FailureGroup,
  people: FailureGroups["people"],
): readonly { readonly value: string; readonly label: string }[] =>
  ownerId === null || people.some(({ id }) => id === ownerId)
    ? []
    : [{ value: ownerId, label: `${ownerName ?? "unknown"} (disabled, or has another role)` }];

function NoteForm({ group, people }: Pick<FailureNoteProps, "group" | "people">) {
  const { form, problem } = useNoteForm(group);
  return (
    <form.AppForm>
      <PageForm className="note-form" schema={schema} edits problem={problem} submitWords="Save note">
        <Fields
          form={form}
          fields={{
            ownerId: {
              label: "Owner",
              options: [
                { value: "", label: "none" },
                ...people.map(({ id, name }) => ({ value: id, label: name })),
                ...formerOwner(group, people),
              ],
            },
            snooze: {
              label: "Snooze; ends early if the group grows",
              options: [
                { value: keep, label: group.snoozed ? "unchanged" : "not snoozed" },
                ...snoozes.map(({ words }) => ({ value: words, label: `for ${words} from now` })),
                ...(group.snoozed ? [{ value: end, label: "end now" }] : []),
              ],
            },
            note: {
              label: "Note",
              aside:
                group.notedAt === null ? undefined : (
                  <>
                    last changed <Time at={group.notedAt} />
                  </>
                ),
              rows: 2,
              maxLength: 2000,
              wide: true,
            },
          }}
        />
      </PageForm>
    </form.AppForm>
  );
}

const refreshMs = 2000;

/** "nvme 4, bios 1"; without the number if there is only one. */
const formatCounts = (counts: readonly (readonly [string, number])[]) =>
  counts.map(([name, count]) => (counts.length === 1 ? name : `${name} ${count}`)).join(", ");

const column = columnsOf<FailureGroup>();

const columns = [
  column.opener(
    "message",
    "Cause",
    ({ digest, pattern, snoozed }) => ({
      id: digest,
      words: pattern,
      mark: <Mark tone={snoozed ? "waiting" : "failed"} label={snoozed ? "snoozed" : "failed"} />,
    }),
    { className: "message", openerClass: "bare whole" },
  ),
  column.cell("hosts", "Hosts", ({ count }) => <Changed of={count}>{formatCount(count)}</Changed>, {
    width: 72,
    align: "end",
    narrow: "top-end",
    firstOrder: "descending",
    sort: ({ count }) => count,
  }),
  column.text("device", "Device model", ({ model }) => model, {
    width: 200,
    from: "medium",
    narrow: "line",
    className: "text-quiet",
  }),
  column.text(
    "cause",
    "State",
    ({ causes }) => formatCounts(causes.map(({ cause, count }) => [cause, count])),
    { width: 184, from: "medium", className: "text-quiet" },
  ),
  column.text(
    "models",
    "Host models",
    ({ models }) => formatCounts(models.map(({ model, count }) => [model, count])),
    { width: 200, from: "wide", className: "text-quiet" },
  ),
  column.cell(
    "owner",
    "Owner",
    ({ snoozed, snoozedUntil, ownerName }) =>
      snoozed && snoozedUntil !== null ? (
        <span className="text-quiet">
          snoozed until <Time at={snoozedUntil} />
        </span>
      ) : (
        (ownerName ?? <span className="text-faint">nobody</span>)
      ),
    { width: 160, narrow: "bottom-start", sort: ({ ownerName }) => ownerName },
  ),
  column.age("last", "Last", ({ lastAt }) => lastAt, { width: 96, narrow: "bottom-end" }),
];

export function FailuresPage() {
  const trpc = useTRPC();
  const read = useSuspenseQuery(trpc.failures.groups.queryOptions());
  const { data, refetch } = read;
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const snoozed = data.groups.filter((group) => group.snoozed).length;
  return (
    <>
      <CleaningHead
        what={
          data.hosts === 0
            ? "no host has failed"
            : `${formatCounted(data.hosts, "host")} failed, with ${data.groups.length === 1 ? "one cause" : `${data.groups.length} different causes`}${snoozed === 0 ? "" : `; ${snoozed} snoozed`}`
        }
      />
      <ResourceTable
        name="failures"
        noun="group"
        caption="Failures"
        className="failures"
        list={wholeList(read, data.groups)}
        columns={columns}
        rowId={({ digest }) => digest}
        rowClassName={({ snoozed: isSnoozed }) => (isSnoozed ? "off" : undefined)}
        detail={(group) => <GroupDetail group={group} groups={data} />}
        empty={
          <Empty title="No host has failed">
            Failed hosts are grouped here by cause and device model, so a fault shared by many hosts is one
            row.
          </Empty>
        }
      />
    </>
  );
}

function CheckNext({ words }: { words: string | null }) {
  if (words === null) return null;
  return (
    <>
      <dt>What to check next</dt>
      <dd>{words}</dd>
    </>
  );
}

/** The newest hosts with their own messages, links to all of them, and the note. */
function GroupDetail({ group, groups }: { group: FailureGroup; groups: FailureGroups }) {
  return (
    <div className="step-detail">
      <dl className="pairs">
        <dt>Newest failure</dt>
        <dd>{group.message}</dd>
        <CheckNext words={group.checkNext} />
        <dt>Since</dt>
        <dd>
          <Time at={group.firstAt} />, last <Time at={group.lastAt} />
        </dd>
        <dt>Where</dt>
        <dd>
          {group.sites.map((site) => `site ${site}`).join(", ")};{" "}
          {formatCounts(group.skus.map(({ sku, count }) => [sku, count])) || "no SKU"}
        </dd>
        <dt>Hosts</dt>
        <dd>
          {group.newest.map(({ hostId, name, brief }, index) => (
            <Fragment key={hostId}>
              {index === 0 ? "" : ", "}
              <Link className="link" href={routes.host(name)} title={brief}>
                {name}
              </Link>
            </Fragment>
          ))}
          {group.count > group.newest.length ? ` and ${group.count - group.newest.length} more` : ""}.{" "}
          <Link className="link" href={routes.hosts({ q: group.filter })}>
            {group.count === 1
              ? "Show on the Hosts page"
              : `All ${formatCount(group.count)} on the Hosts page`}
          </Link>
          {groups.mayNote ? (
            <>
              ;{" "}
              <Link
                className="link"
                href={routes.cleaning.manual(
                  group.count === 1 && group.newest[0] !== undefined
                    ? { hosts: [group.newest[0].name] }
                    : { filter: group.filter },
                )}
              >
                clean {formatCounted(group.count, "host")} manually
              </Link>
            </>
          ) : null}
        </dd>
      </dl>
      <FailureNote
        key={group.notedAt?.getTime() ?? 0}
        group={group}
        people={groups.people}
        mayNote={groups.mayNote}
      />
    </div>
  );
}
