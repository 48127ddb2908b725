"use client";
// Whether the window is so narrow that tables become lists.
import { useLayoutEffect, useState } from "react";

/** True if rows take two lines. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const query = matchMedia("(max-width: 899px)");
    const read = () => setNarrow(query.matches);
    read();
    query.addEventListener("change", read);
    return () => query.removeEventListener("change", read);
  }, []);
  return narrow;
}
