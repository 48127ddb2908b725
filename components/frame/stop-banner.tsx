"use client";
// Shown on every page while allocation is stopped, such as after a restore: what happened, and how to end it for users who may.
import { useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { useNewestMe } from "@/components/frame/me";

type StopAct = "afterRestore" | "isCurrent";

interface ActText {
  readonly button: string;
  readonly title: string;
  readonly consequence: ReactNode;
  readonly confirm: string;
  /** The text to type; the same as on the command line. */
  readonly typed: string;
  readonly said: string;
}

const texts: Readonly<Record<StopAct, ActText>> = {
  afterRestore: {
    button: "A backup was restored",
    title: "End the stop after a restore?",
    consequence: (
      <>
        <p>
          First wait until no erase is running, and compare the instances with the records of tenants and the
          network: the database knows nothing of what happened after the backup.
        </p>
        <p>
          Every host gets a sanitization debt for all of its drives. Pending requests to hosts are dropped.
        </p>
        <p>
          Hosts that were Ready, being cleaned or being handed to a tenant stop in Failed / DatabaseRestored.
          Bring each back with Manage, then Provide, which erases all of its drives. Hosts in use stay in use.
        </p>
        <p>Then allocation and work on hosts resume. This cannot be undone.</p>
      </>
    ),
    confirm: "End the stop",
    typed: "after-restore",
    said: "The stop is ended; every host has a sanitization debt",
  },
  isCurrent: {
    button: "No backup was restored",
    title: "Confirm that no backup was restored?",
    consequence: (
      <>
        <p>
          Correct only if this is the same database as before, and its server is new or lost the folder
          RECLAIM_STATE_DIR.
        </p>
        <p>
          Allocation and work on hosts resume, and all records stay valid. If a backup was restored after all,
          a host may be allocated with an earlier tenant&apos;s data on it.
        </p>
      </>
    ),
    confirm: "The database is current",
    typed: "database-is-current",
    said: "The database is marked as current; allocation resumes",
  },
};

/** Empty while hosts are allocated. */
export function StopBanner() {
  const { me, refetch } = useNewestMe();
  const [asked, setAsked] = useState<StopAct>();
  if (me.allocationStopped === null) return null;
  return (
    <div className="stop-banner">
      <Notice
        tone="failed"
        act={
          me.stopActs.length === 0 ? undefined : (
            <span className="acts">
              {me.stopActs.map((act) => (
                <Button key={act} small onClick={() => setAsked(act)}>
                  {texts[act].button}…
                </Button>
              ))}
            </span>
          )
        }
      >
        {me.tenant === null ? <b>Allocation is stopped. </b> : null}
        {me.allocationStopped}
      </Notice>
      {asked === undefined ? null : (
        <StopDialog act={asked} onClose={() => setAsked(undefined)} onDone={() => void refetch()} />
      )}
    </div>
  );
}

function StopDialog({ act, onClose, onDone }: { act: StopAct; onClose: () => void; onDone: () => void }) {
  const { title, consequence, confirm, typed, said } = texts[act];
  return (
    <ActDialog
      title={title}
      consequence={consequence}
      confirmWords={confirm}
      typeName={typed}
      reason="Kept in the audit log."
      least={3}
      send={(reason, client) => client.database[act].mutate(reason)}
      said={said}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
