"use client";
// Confirms a release: what happens to the instances, that it cannot be undone, and which ones cannot be released.
import { noIssue, releaseIssue, releaseSpecs } from "@/components/instances/issue-fields";
import { ShownError } from "@/components/trpc/query-client";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { formatCounted } from "@/server/domain/numbers";
import type { InstanceRow } from "@/server/surfaces/trpc/types";

type Releasable = Pick<InstanceRow, "id" | "name" | "host" | "release">;

interface ReleaseDialogProps {
  /** The selected instances. */
  chosen: readonly Releasable[];
  onClose: () => void;
  /** Called with the ids of those whose release was accepted. */
  onReleased: (ids: readonly string[]) => void;
}

const listed = 8;

/** "Release 3 instances"; a single instance is named. */
export const formatRelease = (count: number, name: string | undefined) =>
  count === 1 && name !== undefined ? `Release ${name}` : `Release ${count} instances`;

/** Remounted for each selection, so that an issue is never reported for another machine. For more than one instance, the count has to be typed. */
export function ReleaseDialog({ chosen, onClose, onReleased }: ReleaseDialogProps) {
  const able = chosen.filter(({ release }) => release.allowed);
  const words = formatRelease(able.length, able[0]?.name);
  const isOne = able.length === 1;
  if (able.length === 0) return null;
  return (
    <ActFormDialog
      key={chosen.map(({ id }) => id).join()}
      title={`${words}?`}
      consequence={
        <>
          <p>
            {isOne ? "The machine is" : "The machines are"} shut off from the network of the tenant, and
            everything on {isOne ? "its" : "their"} drives is erased. This cannot be undone.
          </p>
          {isOne ? null : <NameList instances={able} />}
          <LeftOut instances={chosen.filter(({ release }) => !release.allowed)} />
        </>
      }
      confirmWords={words}
      typeName={isOne && able[0] !== undefined ? able[0].name : `release ${able.length}`}
      schema={releaseIssue}
      values={noIssue}
      fields={(values) => (isOne ? releaseSpecs(values) : {})}
      send={async (issue, client) => {
        const results = await client.instances.release.mutate({ ids: able.map(({ id }) => id), ...issue });
        const accepted = results.filter(({ ok }) => ok);
        onReleased(accepted.map(({ id }) => id));
        if (accepted.length < results.length)
          throw new ShownError(results.flatMap(({ ok, message }) => (ok ? [] : [message])).join(" "));
        return accepted.length;
      }}
      said={(accepted) => `Release of ${formatCounted(accepted, "instance")} accepted`}
      stale={(trpc) => [trpc.instances]}
      onClose={onClose}
    />
  );
}

/** Selected instances that cannot be released, and why. */
function LeftOut({ instances }: { instances: readonly Releasable[] }) {
  if (instances.length === 0) return null;
  return (
    <>
      <p>
        {instances.length === 1
          ? "One of the selected instances is left out:"
          : `${instances.length} of the selected instances are left out:`}
      </p>
      <ul className="names">
        {instances.slice(0, listed).map(({ id, name, release }) => (
          <li key={id}>
            <b className="text-medium">{name}</b>: {release.reason ?? "it cannot be released now"}
          </li>
        ))}
      </ul>
    </>
  );
}

function NameList({ instances }: { instances: readonly Releasable[] }) {
  return (
    <ul className="names">
      {instances.slice(0, listed).map(({ id, name, host }) => (
        <li key={id}>
          <b className="text-medium">{name}</b>
          {host === null ? null : <span className="text-quiet"> on {host.name}</span>}
        </li>
      ))}
      {instances.length > listed ? (
        <li className="text-quiet">and {instances.length - listed} more</li>
      ) : null}
    </ul>
  );
}
