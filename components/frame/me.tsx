"use client";
// Who looks at the page, for components that show more to some than to others. The server guards; this only shows.
import { createContext, useContext, type ReactNode } from "react";
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
