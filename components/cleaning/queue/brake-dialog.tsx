"use client";
// What put a brake on: the failures, what they have in common, and the act that keeps it on for a part. Loaded when it opens.
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { z } from "zod";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { Dialog } from "@/components/ui/dialogs/dialog";
import { reasonField } from "@/components/ui/form/fields";
import { reasonText } from "@/components/ui/form/schemas";
import { Skeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time/time";
import { brakeActs, formatGroup, formatLetGo } from "@/server/domain/cleaning/queue/brake";
import { propertyLabels } from "@/server/domain/cleaning/queue/distinctions";
import type { Part } from "@/server/domain/cleaning/queue/narrowed";
import { routes } from "@/server/domain/console/routes";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import type { BrakeInvestigation, BrakeLine } from "@/server/surfaces/trpc/types";

interface BrakeDialogProps {
  readonly brake: BrakeLine;
  /** Why this user may not decide about a brake. */
  readonly whyNot: string | undefined;
  readonly onClose: () => void;
}

export default function BrakeDialog({ brake, whyNot, onClose }: BrakeDialogProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.brakes.investigate.queryOptions({ brakeId: brake.id }));
  const [chosen, setChosen] = useState<Chosen>();
  if (chosen !== undefined) return <NarrowDialog brake={brake} {...chosen} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={`What put the brake on ${formatGroup(brake)}?`}>
      <p>{brake.message}</p>
      {data !== undefined ? (
        <Evidence found={data} whyNot={whyNot} onNarrow={(part) => setChosen({ part, seen: data })} />
      ) : error === null ? (
        <Skeleton rows={6} />
      ) : (
        <ProblemNotice
          error={error}
          before="The failures could not be read."
          onRetry={() => void refetch()}
        />
      )}
      <div className="acts">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

/** What the brake is to be kept on for, and how it was when a person chose that. */
interface Chosen {
  readonly part: Part;
  readonly seen: Pick<BrakeInvestigation, "engagedAt" | "narrowedTo">;
}

interface EvidenceProps {
  readonly found: BrakeInvestigation;
  readonly whyNot: string | undefined;
  readonly onNarrow: (part: Part) => void;
}

function Evidence({ found, whyNot, onNarrow }: EvidenceProps) {
  const { hosts, others, telling, everywhere, failures, moreFailures } = found;
  if (hosts === 0) return <p>The release that put this brake on did not record its failures.</p>;
  return (
    <>
      <h3>What the failed hosts have in common</h3>
      {telling.length === 0 ? (
        <p>Nothing tells the {formatCounted(hosts, "failed host")} from the rest of the site.</p>
      ) : (
        <ul>
          {telling.map((one) => (
            <li key={`${one.property} ${one.value}`}>
              <b className="text-medium">
                {propertyLabels[one.property]} {one.value}
              </b>
              : {formatCount(one.failed)} of {formatCounted(hosts, "failed host")}, {formatCount(one.others)}{" "}
              of {formatCounted(others, "other host")}
              {one.beyondChance ? "" : "; this may be chance"}{" "}
              <Narrow found={found} part={one.part} whyNot={whyNot} onNarrow={onNarrow} />
            </li>
          ))}
        </ul>
      )}
      {everywhere.length === 0 ? null : (
        <p className="text-quiet">
          Nearly all hosts have this, so it explains nothing:{" "}
          {everywhere.map(({ property, value }) => `${propertyLabels[property]} ${value}`).join(", ")}.
        </p>
      )}
      <h3>
        {formatCounted(failures.length + moreFailures, "failure")} on {formatCounted(hosts, "host")}
      </h3>
      <ul className="names" tabIndex={0} aria-label="Failures that put the brake on">
        {failures.map((failure) => (
          <li key={failure.reclamation}>
            <FailureLine {...failure} />
          </li>
        ))}
        {moreFailures === 0 ? null : <li className="text-quiet">and {formatCount(moreFailures)} more</li>}
      </ul>
    </>
  );
}

/** Only for what is known of a host before it begins. */
function Narrow({ found, part, whyNot, onNarrow }: EvidenceProps & { readonly part: Part | null }) {
  if (part === null || !found.isOn) return null;
  return (
    <Button
      small
      disabledReason={whyNot}
      aria-label={`${brakeActs.narrow}: all but ${formatGroup(part)}`}
      onClick={() => onNarrow(part)}
    >
      {brakeActs.narrow}…
    </Button>
  );
}

const FailureLine = ({
  hostId,
  name,
  reclamation,
  cause,
  failedAt,
  now,
  stillFailed,
}: BrakeInvestigation["failures"][number]) => (
  <>
    {name === null || now === null ? (
      <b className="text-medium">{name ?? hostId}</b>
    ) : (
      <Link className="text-medium" href={routes.host(name)} prefetch={false}>
        {name}
      </Link>
    )}
    : {cause ?? "the history of that time was removed"}
    {failedAt === null ? null : (
      <>
        , <Time at={failedAt} />
      </>
    )}
    , {reclamation}.{" "}
    <span className="text-quiet">
      {now === null ? "The host has left." : stillFailed ? `Still ${now}.` : `Now ${now}.`}
    </span>
  </>
);

const whySchema = z.object({ reason: reasonText() });

interface NarrowDialogProps extends Chosen {
  readonly brake: BrakeLine;
  readonly onClose: () => void;
}

const NarrowDialog = ({ brake, part, seen: { engagedAt, narrowedTo }, onClose }: NarrowDialogProps) => (
  <ActFormDialog
    title={`Release all but ${formatGroup(part)}?`}
    consequence={`Hosts of ${formatGroup(brake)} that have ${formatGroup(part)} stay held, and so do hosts of which that is not known. ${formatLetGo(narrowedTo, [part])}All others begin again at once. If enough of them fail, the brake holds the whole group again, or asks whether it should if that takes the last capacity of a SKU.`}
    confirmWords={brakeActs.narrow}
    schema={whySchema}
    values={{ reason: "" }}
    fields={{ reason: reasonField("Why the rest may go on; kept in the audit log.") }}
    send={({ reason }, client) =>
      client.brakes.narrow.mutate({
        brakeId: brake.id,
        to: [part],
        seen: { engagedAt, narrowedTo: narrowedTo === null ? null : [...narrowedTo] },
        reason,
      })
    }
    said={({ hosts }) =>
      `The brake holds only ${formatGroup(part)}; ${formatCounted(hosts, "waiting host")} ${hosts === 1 ? "is" : "are"} checked again.`
    }
    stale={(trpc) => [trpc.queue, trpc.brakes]}
    onClose={onClose}
  />
);
