// What "check next" points to: tabs and pages as links, acts and documents as text.
import Link from "next/link";
import type { HostDetail } from "@/server/surfaces/trpc/types";

export function NextLinks({ next }: Pick<HostDetail, "next">) {
  if (next.length === 0) return null;
  return (
    <p className="says next">
      <b className="text-soft">Then:</b>{" "}
      {next.map(({ words, href }, index) => (
        <span key={words}>
          {index === 0 ? "" : ", "}
          {href === null ? (
            words
          ) : (
            <Link className="link" href={href} scroll={false}>
              {words}
            </Link>
          )}
        </span>
      ))}
    </p>
  );
}
