"use client";
// On a host's page: its decommission in progress (who requested it, why, and the leftovers), and records of earlier times in the fleet.
import Link from "next/link";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { HostDetail } from "@/server/surfaces/trpc/types";
import { LeftoversTable } from "@/components/hosts/decommission/leftovers-table";

export function LeavingSection({ leaving, earlier }: Pick<HostDetail, "earlier" | "leaving">) {
  return (
    <>
      {earlier.length === 0 ? null : (
        <div className="after">
          <Notice tone="neutral">
            This machine was in the fleet before:{" "}
            {earlier.map(({ id, name, how, goneAt }, index) => (
              <span key={id}>
                {index === 0 ? null : ", "}
                <Link className="link" href={routes.gone.one(id)} prefetch={false}>
                  {name}
                </Link>{" "}
                {how} <Time at={goneAt} />
              </span>
            ))}
            .
          </Notice>
        </div>
      )}
      {leaving === null ? null : (
        <>
          <div className="sec">
            <h2>Decommission</h2>
            <span className="sum">
              requested by {leaving.byName} <Time at={leaving.at} />: {leaving.reason}
              {leaving.keepAccount ? "; the BMC account stays" : null}
            </span>
          </div>
          <LeftoversTable leftovers={leaving.leftovers} />
        </>
      )}
    </>
  );
}
