"use client";
// Acts that the open page offers to the palette.
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from "react";

export interface PageAct {
  /** A verb with its object, and the act's key. */
  words: string;
  run: () => void;
}

interface Acts {
  acts: readonly PageAct[];
  setActs: (acts: readonly PageAct[]) => void;
}

const ActsContext = createContext<Acts | undefined>(undefined);

export function PageActsProvider({ children }: { children: ReactNode }) {
  const [acts, setActs] = useState<readonly PageAct[]>([]);
  return <ActsContext value={{ acts, setActs }}>{children}</ActsContext>;
}

function useActs(): Acts {
  const acts = useContext(ActsContext);
  if (acts === undefined) throw new Error("no PageActsProvider above this component");
  return acts;
}

/** The acts that the open page offers. */
export function usePageActs(): readonly PageAct[] {
  return useActs().acts;
}

/** Offers acts while the component is mounted; each calls the newest function given. */
export function useOfferActs(offered: readonly PageAct[]): void {
  const { setActs } = useActs();
  const newest = useRef(offered);
  useEffect(() => {
    newest.current = offered;
  });
  const words = offered.map((act) => act.words).join("\n");
  useEffect(() => {
    const names = words === "" ? [] : words.split("\n");
    setActs(
      names.map((name) => ({
        words: name,
        run: () => newest.current.find((act) => act.words === name)?.run(),
      })),
    );
    return () => setActs([]);
  }, [words, setActs]);
}
