"use client";
// Notices that stand: what is announced for machines, and what the reader does about it.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { formatCounted } from "@/components/ui/format/numbers";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time/time";
import { useSay } from "@/components/ui/toast";
import type { NoticeRow } from "@/server/surfaces/trpc/types";

const kindWords: Record<NoticeRow["kind"], string> = {
  maintenance: "Maintenance",
  retirement: "Retirement",
  replacement: "Replacement",
};

/** Which machines: the provider's people read names, a tenant its own instances. */
function whereOf({ host, rack, site, scope, instances }: NoticeRow): string {
  if (host !== null) return host;
  const names = instances.map(({ name }) => name).join(", ");
  if (rack !== null) return `rack ${rack}${site === null ? "" : ` of ${site}`}`;
  if (scope === "site" && site !== null) return names === "" ? `site ${site}` : `site ${site}: ${names}`;
  return names === "" ? formatCounted(instances.length, "instance") : names;
}

export function NoticeList({ notices }: { notices: readonly NoticeRow[] }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const say = useSay();
  const acknowledge = useMutation(
    trpc.notices.acknowledge.mutationOptions({
      onSuccess: () => say("Acknowledged"),
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.notices.pathKey() }),
    }),
  );
  return notices.map((notice) => (
    <Notice
      key={notice.id}
      tone={notice.tone}
      act={
        notice.mayAcknowledge ? (
          <Button
            small
            busy={acknowledge.isPending}
            onClick={() => acknowledge.mutate({ notice: notice.ref })}
          >
            Acknowledge notice
          </Button>
        ) : undefined
      }
    >
      <strong>
        {kindWords[notice.kind]}, {notice.standingWords}
      </strong>
      : {whereOf(notice)}, from <Time at={notice.startsAt} />
      {notice.endsAt === null ? null : (
        <>
          {" "}
          until <Time at={notice.endsAt} />
        </>
      )}
      . {notice.message}{" "}
      <span className="text-quiet">
        <span className="mono">{notice.ref}</span>
        {notice.acknowledged.length === 0
          ? null
          : `, acknowledged by ${notice.acknowledged.map(({ tenant }) => tenant).join(", ")}`}
      </span>
    </Notice>
  ));
}
