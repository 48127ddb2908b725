"use client";
// Standing notices: what is announced for machines, and what the reader can do about it.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useMe } from "@/components/frame/me";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { formatCounted } from "@/server/domain/numbers";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time/time";
import { useSay } from "@/components/ui/toast";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import type { NoticeRow } from "@/server/surfaces/trpc/types";
import {
  messageText,
  momentText,
  noteText,
  noticeKindLabels,
  noticeSpecs,
} from "@/components/break-fix/notices/notice-text";
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { type NoticeEnd, noticeEnds } from "@/server/domain/break-fix/notice";
import { typedMoment } from "@/components/ui/form/schemas";

// Changes the times or texts of a standing notice, or ends it: what it announced is done, or will not happen.
const schema = z.object({
  startsAt: typedMoment.refine((at) => at !== null, "Enter when it begins"),
  endsAt: typedMoment,
  message: messageText,
  note: noteText,
});
type Change = z.output<typeof schema>;

const isSame = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime();

/** Sends changed fields only. Time fields drop the seconds that a notice may have, so resending them all would change it. Pure. */
const changesOf = ({ startsAt, endsAt, message, note }: Change, before: Change) => ({
  ...(isSame(startsAt, before.startsAt) || startsAt === null ? {} : { startsAt }),
  ...(isSame(endsAt, before.endsAt) ? {} : { endsAt }),
  ...(message === before.message ? {} : { message }),
  ...(note === before.note ? {} : { note }),
});

interface NoticeDialogProps {
  readonly notice: NoticeRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function ChangeNoticeDialog({ notice, ...rest }: NoticeDialogProps) {
  const [before] = useState(() => ({
    startsAt: momentText(notice.startsAt),
    endsAt: momentText(notice.endsAt),
    message: notice.message,
    note: notice.note,
  }));
  return (
    <ActFormDialog
      title={`Change ${notice.ref}`}
      consequence="Tenants see the new version from now on, and must acknowledge it again if its times or its text changed."
      confirmWords="Change notice"
      edits
      schema={schema}
      values={before}
      fields={{
        startsAt: { label: "From", type: "datetime-local" },
        endsAt: { label: "Until", aside: "empty: permanent", type: "datetime-local" },
        ...noticeSpecs,
      }}
      send={(input, client) =>
        client.notices.change.mutate({
          notice: notice.ref,
          ...changesOf(input, schema.parse(before)),
        })
      }
      said={`${notice.ref} is changed.`}
      {...rest}
    />
  );
}

const endText: Record<NoticeEnd, string> = { done: "Done", cancelled: "Cancelled" };
const endOptions = noticeEnds.map((value) => ({ value, label: endText[value] }));
const endSchema = z.object({ as: z.enum(noticeEnds) });

const EndNoticeDialog = ({ notice: { ref }, ...rest }: NoticeDialogProps) => (
  <ActFormDialog
    title={`End ${ref}?`}
    consequence="Tenants no longer see it among the open notices. This cannot be undone."
    confirmWords="End notice"
    schema={endSchema}
    values={{ as: "done" }}
    fields={{ as: { label: "Why", options: endOptions } }}
    send={({ as }, client) => client.notices.end.mutate({ notice: ref, as })}
    said={`${ref} is ended.`}
    {...rest}
  />
);

/** Above this, machines are counted instead of named: a site notice may concern hundreds. */
const maxNames = 5;

/** Which machines: provider users see names, a tenant sees its own instances. */
function whereOf({ host, rack, site, scope, instances, concerned }: NoticeRow): string {
  if (host !== null) return host;
  const names =
    concerned > maxNames
      ? formatCounted(concerned, "instance")
      : instances.map(({ name }) => name).join(", ");
  if (rack !== null) return `rack ${rack}${site === null ? "" : ` of ${site}`}`;
  if (scope === "site" && site !== null) return names === "" ? `site ${site}` : `site ${site}: ${names}`;
  return names === "" ? "a released machine" : names;
}

function useNoticesChanged(): () => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: trpc.notices.pathKey() });
}

function Acknowledge({ notice }: { notice: string }) {
  const trpc = useTRPC();
  const say = useSay();
  const onSettled = useNoticesChanged();
  const acknowledge = useMutation(
    trpc.notices.acknowledge.mutationOptions({ onSuccess: () => say("Acknowledged"), onSettled }),
  );
  return (
    <Button small busy={acknowledge.isPending} onClick={() => acknowledge.mutate({ notice })}>
      Acknowledge notice
    </Button>
  );
}

/** The open dialog, and its notice. */
interface Asked {
  readonly kind: "change" | "end";
  readonly notice: NoticeRow;
}

/** For provider users. */
const WriteActs = ({ notice, ask }: { notice: NoticeRow; ask: (asked: Asked) => void }) => (
  <span className="row-acts">
    <Button small aria-label={`Change ${notice.ref}`} onClick={() => ask({ kind: "change", notice })}>
      Change…
    </Button>
    <Button small aria-label={`End ${notice.ref}`} onClick={() => ask({ kind: "end", notice })}>
      End…
    </Button>
  </span>
);

/** The notice's text, and who has acknowledged it. */
function NoticeText({ notice, linked }: { notice: NoticeRow; linked: boolean }) {
  const { ref, kind, standingWords, startsAt, endsAt, message, acknowledged, note } = notice;
  return (
    <>
      <strong>
        {noticeKindLabels[kind]}, {standingWords}
      </strong>
      : {whereOf(notice)}, from <Time at={startsAt} />
      {endsAt === null ? null : (
        <>
          {" "}
          until <Time at={endsAt} />
        </>
      )}
      . {message}{" "}
      <span className="text-quiet">
        {linked ? (
          <Link className="link mono" href={routes.notice(ref)} prefetch={false}>
            {ref}
          </Link>
        ) : (
          <span className="mono">{ref}</span>
        )}
        {acknowledged.length === 0
          ? null
          : `, acknowledged by ${acknowledged.map(({ tenant }) => tenant).join(", ")}`}
        {note === "" ? null : `; internal: ${note}`}
      </span>
    </>
  );
}

interface NoticeListProps {
  readonly notices: readonly NoticeRow[];
  /** On pages other than *Tickets*: each notice links to itself there. */
  readonly linked?: boolean;
}

export function NoticeList({ notices, linked = false }: NoticeListProps) {
  const { role } = useMe();
  const onDone = useNoticesChanged();
  const [asked, setAsked] = useState<Asked>();
  const writes = reachOf(role, "notice.write") !== "none";
  const actOf = (notice: NoticeRow) => {
    if (notice.mayAcknowledge) return <Acknowledge notice={notice.ref} />;
    return writes ? <WriteActs notice={notice} ask={setAsked} /> : undefined;
  };
  const Asking = asked?.kind === "end" ? EndNoticeDialog : ChangeNoticeDialog;
  return (
    <>
      {notices.map((notice) => (
        <Notice key={notice.id} id={linked ? undefined : notice.ref} tone={notice.tone} act={actOf(notice)}>
          <NoticeText notice={notice} linked={linked} />
        </Notice>
      ))}
      {asked === undefined ? null : (
        <Asking notice={asked.notice} onDone={onDone} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}
