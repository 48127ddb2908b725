"use client";
// Audit: who did what and what was refused, the proofs for it, and the keys and witnesses behind the proofs.
import { useRouter, useSearchParams } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import {
  auditTabs,
  fileSearch,
  parseAuditView,
  type AuditSearch,
  type AuditTabName,
  type AuditView,
} from "@/components/audit-log/audit-view";
import { EventFilter } from "@/components/audit-log/events/event-filter";
import { EventList } from "@/components/audit-log/events/event-list";
import { EventPanel } from "@/components/audit-log/events/event-panel";
import { KeysTab } from "@/components/audit-log/keys-tab";
import { ChecksTab } from "@/components/audit-log/self-audit/checks-tab";
import { SelfAuditLine } from "@/components/audit-log/self-audit/self-audit-line";
import { VerifyTab } from "@/components/audit-log/verify/verify-tab";
import { Button } from "@/components/ui/button";
import { ListWithPanel } from "@/components/ui/side/side-panel";
import { Tabs } from "@/components/ui/tabs";
import { routes } from "@/server/domain/console/routes";

const tabLabels = {
  events: "Events",
  verify: "Verify",
  checks: "Self-audit",
  keys: "Keys and witnesses",
} as const satisfies Record<AuditTabName, string>;

/** Reads the view from the URL and writes it back. */
function useAuditView(): [AuditView, (change: Partial<AuditView>) => void] {
  const router = useRouter();
  const params = useSearchParams();
  const view = useMemo(() => parseAuditView(params), [params]);
  const change = useCallback(
    (changed: Partial<AuditView>) => {
      const { tab, open, search } = { ...view, ...changed };
      router.replace(routes.audit({ ...search, tab, open: open ?? undefined }), { scroll: false });
    },
    [router, view],
  );
  return [view, change];
}

export function AuditPage() {
  const [view, change] = useAuditView();
  return (
    <>
      <div className="head">
        <h1>Audit</h1>
        <span className="what">who did what, and what was refused</span>
        <div className="acts">
          {view.tab === "events" ? (
            <a
              className="btn plain"
              href={routes.files.auditCsv(fileSearch(view.search))}
              download="audit.csv"
            >
              Events as CSV
            </a>
          ) : null}
        </div>
      </div>
      <Tabs
        label="Audit"
        tabs={auditTabs.map((tab) => ({
          href: routes.audit({ tab }),
          words: tabLabels[tab],
          current: tab === view.tab,
        }))}
      />
      {view.tab === "checks" ? null : <SelfAuditLine />}
      {view.tab === "events" ? <Events view={view} onChange={change} /> : null}
      {view.tab === "verify" ? <VerifyTab /> : null}
      {view.tab === "checks" ? <ChecksTab /> : null}
      {view.tab === "keys" ? <KeysTab /> : null}
    </>
  );
}

interface EventsProps {
  readonly view: AuditView;
  readonly onChange: (change: Partial<AuditView>) => void;
}

/** Keeps the search object's identity while the panel opens and closes, so that following is not restarted. */
function useSame(search: AuditSearch): AuditSearch {
  const text = JSON.stringify(search);
  const [kept, setKept] = useState({ text, search });
  if (kept.text === text) return kept.search;
  setKept({ text, search });
  return search;
}

function Events({ view, onChange }: EventsProps) {
  const search = useSame(view.search);
  const [isFollowed, setFollowed] = useState(false);
  // New events are always later than that time.
  const cannotFollow = search.until === "" ? undefined : "The search ends before now.";
  const follows = isFollowed && cannotFollow === undefined;
  const open = (id: string) => onChange({ open: view.open === id ? null : id });
  return (
    <ListWithPanel
      label="Events"
      className="audit-list"
      panel={
        view.open === null ? null : (
          <EventPanel key={view.open} id={view.open} onClose={() => onChange({ open: null })} />
        )
      }
    >
      <EventFilter
        key={JSON.stringify(search)}
        search={search}
        onSearch={(asked) => onChange({ search: asked, open: null })}
      />
      <p className="audit-acts">
        <Button
          small
          aria-pressed={follows}
          disabledReason={cannotFollow}
          onClick={() => setFollowed(!isFollowed)}
        >
          {follows ? "Stop following" : "Follow live"}
        </Button>
        <span className="text-quiet" role="status">
          {follows ? "New events appear on top as they get their number." : ""}
        </span>
      </p>
      <EventList search={search} isFollowed={follows} open={view.open} onOpen={open} />
    </ListWithPanel>
  );
}
