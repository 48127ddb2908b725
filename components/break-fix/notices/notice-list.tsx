"use client";
// Standing notices: what is announced for machines, and what the reader can do about it.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useMe } from "@/components/frame/me";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { formatCounted } from "@/components/ui/format/numbers";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time/time";
import { useSay } from "@/components/ui/toast";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import type { NoticeRow } from "@/server/surfaces/trpc/types";
import { ChangeNoticeDialog, EndNoticeDialog } from "@/components/break-fix/notices/notice-dialogs";
import { noticeKindLabels } from "@/components/break-fix/notices/notice-text";

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
