// A host's place in the queue, in words.
import type { HostDetail } from "@/server/surfaces/trpc/types";
import { formatCount } from "@/server/domain/numbers";

/** One sentence; for a host held back by a brake, also what to look at. Pure. */
export function formatQueue(
  { place, of, reason, braked }: NonNullable<HostDetail["queue"]>,
  site: string,
): { readonly words: string; readonly checkNext: string | null } {
  const because = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  if (braked)
    return {
      words: `Held back by the brake of site ${site}: ${reason}.`,
      checkNext: "Find what the failed hosts have in common, and lift the brake once it is fixed",
    };
  if (place === null)
    return { words: `${formatCount(of)} wait in the queue of site ${site}. ${because}`, checkNext: null };
  return {
    words: `Place ${formatCount(place)} of ${formatCount(of)} in the queue of site ${site}. ${because}`,
    checkNext: null,
  };
}
