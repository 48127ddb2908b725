"use client";
// Audit: who did what and what was refused, the proofs for it, and the keys and witnesses behind the proofs.
import { useAddressView } from "@/components/ui/resource-table/address-view";
import { useState } from "react";
import {
  type AuditSearch,
  type AuditTabName,
  auditTabs,
  type AuditView,
  emptySearch,
  fileSearch,
  parseAuditView,
} from "@/components/audit-log/audit-view";
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
import { Field, Select, TextInput } from "@/components/ui/form/controls";
import { classNames } from "@/components/ui/table/columns";

const fields = [
  ["text", "Text", "Part of a reason, a fact, an address"],
  ["actor", "Person", "Name in full, or id"],
  ["action", "Action", "host.release, or host. for all"],
  ["target", "Target", "Name of a host or instance, or id"],
  ["site", "Site", "Name"],
] as const satisfies readonly (readonly [keyof AuditSearch, string, string])[];

const times = [
  ["since", "Since, UTC"],
  ["until", "Before, UTC"],
] as const satisfies readonly (readonly [keyof AuditSearch, string])[];

const outcomes = [
  { value: "", label: "any" },
  { value: "done", label: "done" },
  { value: "refused", label: "refused" },
];

interface EventFilterProps {
  readonly search: AuditSearch;
  readonly onSearch: (search: AuditSearch) => void;
}

/** Keyed by the search, so that a search from the URL resets the form. */
function EventFilter({ search, onSearch }: EventFilterProps) {
  const [typed, setTyped] = useState(search);
  const set = (name: keyof AuditSearch) => (value: string) => setTyped((all) => ({ ...all, [name]: value }));
  const [isOpen, setOpen] = useState(false);
  const inUse = Object.values(search).filter((value) => value !== "").length;
  return (
    <search>
      <Button
        className="audit-fold"
        aria-expanded={isOpen}
        aria-controls="audit-filter"
        onClick={() => setOpen(!isOpen)}
      >
        {inUse === 0 ? "Search events" : `Search events (${inUse} in use)`}
      </Button>
      <form
        id="audit-filter"
        className={classNames("audit-filter", isOpen && "open")}
        aria-label="Search the audit log"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(typed);
        }}
      >
        {fields.map(([name, label, placeholder], place) => (
          <Field key={name} label={label}>
            {(aria) => (
              <TextInput
                aria={aria}
                value={typed[name]}
                onChange={set(name)}
                placeholder={placeholder}
                {...(place === 0 ? { "data-filter": "" as const } : {})}
              />
            )}
          </Field>
        ))}
        {times.map(([name, label]) => (
          <Field key={name} label={label}>
            {(aria) => (
              <TextInput aria={aria} type="datetime-local" value={typed[name]} onChange={set(name)} />
            )}
          </Field>
        ))}
        <Field label="Outcome">
          {(aria) => (
            <Select aria={aria} value={typed.outcome} options={outcomes} onChange={set("outcome")} />
          )}
        </Field>
        <Acts canClear={inUse > 0} onClear={() => onSearch(emptySearch)} />
      </form>
    </search>
  );
}

function Acts({ canClear, onClear }: { readonly canClear: boolean; readonly onClear: () => void }) {
  return (
    <div className="audit-acts">
      <Button type="submit">Search</Button>
      {canClear ? (
        <Button kind="plain" onClick={onClear}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}

const tabLabels = {
  events: "Events",
  verify: "Verify",
  checks: "Self-audit",
  keys: "Keys and witnesses",
} as const satisfies Record<AuditTabName, string>;

const auditHref = ({ tab, open, search }: AuditView): string =>
  routes.audit({ ...search, tab, open: open ?? undefined });

export function AuditPage() {
  const [view, change] = useAddressView(parseAuditView, auditHref);
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
