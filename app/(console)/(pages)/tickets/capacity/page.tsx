// Why machines left and came back. A tenant sees its own.
import type { Metadata } from "next";
import { NoPermission } from "@/components/frame/no-permission";
import { CapacityPage } from "@/components/break-fix/tickets/capacity-page";
import { requireMe } from "@/app/server-api";

export const metadata: Metadata = { title: "Capacity" };

export default async function Page() {
  const me = await requireMe();
  if (!me.pages.includes("tickets")) return <NoPermission title="Tickets" me={me} />;
  return <CapacityPage />;
}
