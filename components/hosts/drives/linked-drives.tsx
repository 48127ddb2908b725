// A sentence in which drive serial numbers link to the pages of those drives.
import Link from "next/link";
import { Fragment } from "react";
import { routes } from "@/server/domain/console/routes";

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The text in pieces; those at odd indexes are serial numbers. Pure. */
export function splitAtSerials(words: string, serials: readonly string[]): readonly string[] {
  if (serials.length === 0) return [words];
  // Longest first, because one serial number may be a prefix of another.
  const all = serials.toSorted((a, b) => b.length - a.length).map(escaped);
  return words.split(new RegExp(`(?<![\\w-])(${all.join("|")})(?![\\w-])`));
}

export function LinkedDrives({ words, serials }: { words: string; serials: readonly string[] }) {
  return splitAtSerials(words, serials).map((piece, index) =>
    index % 2 === 0 ? (
      <Fragment key={index}>{piece}</Fragment>
    ) : (
      <Link key={index} className="link" href={routes.drives.one(piece)} prefetch={false}>
        {piece}
      </Link>
    ),
  );
}
