"use client";
// Who looks at the page, for components that show more to some than to others. The server guards; this only shows.
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, type ReactNode } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import type { Me } from "@/server/surfaces/trpc/types";

const MeContext = createContext<Me | undefined>(undefined);

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>;
}

/** The signed-in person. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === undefined) throw new Error("no MeProvider above this component");
  return me;
}

/** A restore under a running server shows on a page that stays open. */
const refreshMs = 15_000;

/** The signed-in person as the server said it last: whether hosts are allocated changes while a page is open. */
export function useNewestMe(): { me: Me; refetch: () => Promise<unknown> } {
  const trpc = useTRPC();
  const { data, refetch } = useQuery({
    ...trpc.session.me.queryOptions(),
    initialData: useMe(),
    refetchInterval: refreshMs,
  });
  return { me: data, refetch };
}
