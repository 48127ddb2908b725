"use client";
// Standing notices on the pages they concern: a host's page, or the reader's instances.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { NoticeList } from "@/components/break-fix/notices/notice-list";

const everyMs = 10_000;

/** @param hostId undefined: notices for every machine on which the reader has an instance now */
export function CurrentNotices({ hostId }: { hostId?: string }) {
  const trpc = useTRPC();
  const { data = [] } = useQuery({
    ...trpc.notices.list.queryOptions({ status: "open", ...(hostId === undefined ? {} : { hostId }) }),
    refetchInterval: everyMs,
  });
  const shown = hostId === undefined ? data.filter(({ concerned }) => concerned > 0) : data;
  if (shown.length === 0) return null;
  return (
    <section className="after" aria-label="Notices">
      <NoticeList notices={shown} linked />
    </section>
  );
}
