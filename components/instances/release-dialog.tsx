"use client";
// Confirms a release: what happens to the instances, that it cannot be undone, and which ones cannot be released.
import { useState } from "react";
import { IssueFields, issueOf, noIssue, ReplacementField } from "@/components/instances/issue-fields";
import type { HealthIssue } from "@/server/domain/repair/health-issue";
import type { Problem } from "@/components/trpc/query-client";
import { ConfirmDialog } from "@/components/ui/dialogs/confirm-dialog";

export interface Releasable {
  id: string;
  name: string;
  hostName: string | null;
  /** Why it cannot be released now; null if it can. */
  refusal: string | null;
}

interface ReleaseDialogProps {
  /** The selected instances; an empty list closes the dialog. */
  chosen: readonly Releasable[];
  onClose: () => void;
  /** `issue`: what is wrong with the one machine; null if nothing is reported. `replacementWanted`: ask the provider for another one. */
  onRelease: (ids: readonly string[], issue: HealthIssue | null, replacementWanted: boolean) => void;
  busy: boolean;
  problem: Pick<Problem, "words" | "requestId"> | undefined;
}

const listed = 8;

/** "Release 3 instances"; a single instance is named. */
export const formatRelease = (count: number, name: string | undefined) =>
  count === 1 && name !== undefined ? `Release ${name}` : `Release ${count} instances`;

/** Remounted for each selection, so that an issue is never reported for another machine. For more than one instance, the count has to be typed. */
export function ReleaseDialog(props: ReleaseDialogProps) {
  return <ReleaseForm key={props.chosen.map(({ id }) => id).join()} {...props} />;
}

function ReleaseForm({ chosen, onClose, onRelease, busy, problem }: ReleaseDialogProps) {
  const [texts, setTexts] = useState(noIssue);
  const [wanted, setWanted] = useState(false);
  const able = chosen.filter(({ refusal }) => refusal === null);
  const unable = chosen.filter(({ refusal }) => refusal !== null);
  const words = formatRelease(able.length, able[0]?.name);
  const { issue, missing } = issueOf(able.length === 1 ? texts : noIssue);
  return (
    <ConfirmDialog
      open={able.length > 0}
      onClose={onClose}
      title={`${words}?`}
      dirty={texts !== noIssue}
      field={
        able.length === 1 ? (
          <>
            <IssueFields texts={texts} onChange={setTexts} />
            {texts.category === "" ? null : <ReplacementField checked={wanted} onChange={setWanted} />}
          </>
        ) : null
      }
      missing={missing}
      consequence={
        <>
          <p>
            {able.length === 1 ? "The machine is" : "The machines are"} shut off from your network, and
            everything on {able.length === 1 ? "its" : "their"} drives is erased. This cannot be undone.
          </p>
          {able.length > 1 ? <NameList instances={able} /> : null}
          <LeftOut instances={unable} />
        </>
      }
      confirmWords={words}
      cancelWords="Cancel"
      onConfirm={() =>
        onRelease(
          able.map(({ id }) => id),
          issue,
          issue !== null && wanted,
        )
      }
      busy={busy}
      problem={problem}
      typeName={able.length === 1 && able[0] !== undefined ? able[0].name : `release ${able.length}`}
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
        {instances.slice(0, listed).map((instance) => (
          <li key={instance.id}>
            <b className="text-medium">{instance.name}</b>: {instance.refusal}
          </li>
        ))}
      </ul>
    </>
  );
}

function NameList({ instances }: { instances: readonly Releasable[] }) {
  return (
    <ul className="names">
      {instances.slice(0, listed).map((instance) => (
        <li key={instance.id}>
          <b className="text-medium">{instance.name}</b>
          {instance.hostName === null ? null : <span className="text-quiet"> on {instance.hostName}</span>}
        </li>
      ))}
      {instances.length > listed ? (
        <li className="text-quiet">and {instances.length - listed} more</li>
      ) : null}
    </ul>
  );
}
