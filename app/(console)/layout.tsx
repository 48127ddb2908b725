// The frame around every page that needs a signed-in person.
import { dehydrate } from "@tanstack/react-query";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Frame } from "@/components/frame/frame";
import { parseTheme } from "@/components/frame/theme";
import { getQueryClient, requireMe, serverTrpc } from "@/app/server-api";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const me = await requireMe();
  const jar = await cookies();
  await Promise.all([
    getQueryClient().fetchQuery(serverTrpc().next.count.queryOptions()),
    me.pages.includes("hosts") && getQueryClient().fetchQuery(serverTrpc().hosts.views.queryOptions()),
  ]);
  return (
    <Frame
      me={me}
      theme={parseTheme(jar.get("theme")?.value)}
      railClosed={jar.get("rail")?.value === "closed"}
      read={dehydrate(getQueryClient())}
    >
      {children}
    </Frame>
  );
}
