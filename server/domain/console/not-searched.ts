// What a search left out, for the palette and the command line.
import { formatList } from "@/server/domain/numbers";

interface Answered {
  readonly acts?: unknown;
  readonly lists?: unknown;
  readonly places?: unknown;
  readonly helpUnread?: boolean | undefined;
}

/** Null: everything was searched. Pure. */
export function notSearched({ acts, lists, places, helpUnread }: Answered): string | null {
  const left = [
    ...(acts === undefined ? ["actions"] : []),
    ...(lists === undefined ? ["lists of hosts"] : []),
    ...(places === undefined ? ["pages", "help"] : []),
  ];
  if (left.length > 0)
    return `A server that is not upgraded yet answered: ${formatList(left)} were not searched.`;
  return helpUnread === true ? "Help was not searched: the server cannot read the docs." : null;
}
