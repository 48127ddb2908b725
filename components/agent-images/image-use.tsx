"use client";
// What became of an image on its hosts: each number leads to the hosts behind it.
import Link from "next/link";
import { Changed } from "@/components/ui/changed";
import { Mark } from "@/components/ui/mark";
import type { ImageUse } from "@/server/surfaces/trpc/types";
import { routes } from "@/server/domain/console/routes";

const hosts = (count: number) => (count === 1 ? "1 host" : `${count.toLocaleString("en")} hosts`);

/** Rows of a list of facts. */
export function ImageUseFacts({ use: { given, cameUp, failed, filter } }: { use: ImageUse }) {
  const silent = given - cameUp;
  return (
    <>
      <dt>Booted by</dt>
      <dd>
        {given === 0 ? (
          <span className="n10">no host yet; a host gets it at its next boot</span>
        ) : (
          <Changed of={given}>
            <Link className="link" href={routes.hosts({ q: filter })}>
              {hosts(given)}
            </Link>
          </Changed>
        )}
      </dd>
      {given === 0 ? null : (
        <>
          <dt>Came up on</dt>
          <dd>
            <Changed of={cameUp}>{hosts(cameUp)}</Changed>
            {silent === 0 ? null : (
              <span className="n10">; on {hosts(silent)} no agent of it has registered</span>
            )}
          </dd>
          <dt>Failed now</dt>
          <dd>
            {failed === 0 ? (
              "none of them"
            ) : (
              <span className="st">
                <Mark tone="failed" label="" />
                <Link className="link" href={routes.hosts({ q: `${filter} state:Failed` })}>
                  {hosts(failed)}
                </Link>
              </span>
            )}
          </dd>
        </>
      )}
    </>
  );
}
