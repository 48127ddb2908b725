"use client";
// The signed-in user, for components that show more to some users than to others. This only hides things; the server enforces permissions.
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

/** How often to poll, so that a page that stays open notices a database restore. */
const refreshMs = 15_000;

/** The signed-in user as last reported by the server. Whether allocation is stopped can change while a page is open. */
export function useNewestMe(): { me: Me; refetch: () => Promise<unknown> } {
  const trpc = useTRPC();
  const { data, refetch } = useQuery({
    ...trpc.session.me.queryOptions(),
    initialData: useMe(),
    refetchInterval: refreshMs,
  });
  return { me: data, refetch };
}
