// Finds the host before anything is sent: a page that has begun has said 200 already. So no loading.tsx may stand above this file.
import type { ReactNode } from "react";
import { requireMe } from "@/app/server-api";
import { readHost } from "@/app/(console)/hosts/[host]/read-host";

interface Props {
  params: Promise<{ host: string }>;
  children: ReactNode;
}

export default async function HostLayout({ params, children }: Props) {
  const me = await requireMe();
  if (me.pages.includes("hosts")) await readHost(decodeURIComponent((await params).host));
  return children;
}
