// Looks up the host before anything is sent, so that a missing one is a 404: once streaming starts, the status is already 200.
// Therefore no loading.tsx may be placed above this file.
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
