"use client";
// What a person should do next: one ordered list of groups, and the panel of one of them.
import { useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRef } from "react";
import { useKey } from "@/components/frame/keyboard";
import { useMe } from "@/components/frame/me";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { NextPanel } from "@/components/next/next-panel";
import { nextHref, nextQuery, ownedBy, parseNextView, type NextView } from "@/components/next/next-view";
import { Owner } from "@/components/next/owner";
import { useTRPC } from "@/components/trpc/trpc";
import { Empty } from "@/components/ui/empty";
import { formatCount, formatCounted } from "@/server/domain/numbers";
import { Mark } from "@/components/ui/mark";
import { Menu, MenuChoice } from "@/components/ui/menu";
import { useAddressView } from "@/components/ui/resource-table/address-view";
import { ListWithPanel } from "@/components/ui/side/side-panel";
import { useNow } from "@/components/ui/time/clock";
import { Age, Time } from "@/components/ui/time/time";
import { formatDuration } from "@/components/ui/format/duration";
import { routes } from "@/server/domain/console/routes";
import type { NextLine, NextList } from "@/server/surfaces/trpc/types";

const refreshMs = 2_500;

/** "due in 3 h 20 min" for what ends or starts by itself. */
function When({ line: { since, due } }: { readonly line: NextLine }) {
  const now = useNow();
  if (due === null) return <Age at={since} />;
  const ahead = due.getTime() - now;
  return <>{ahead > 0 ? `due in ${formatDuration(ahead)}` : "due now"}</>;
}

interface LineProps {
  readonly line: NextLine;
  readonly view: NextView;
  readonly mayOwn: boolean;
}

function Line({ line, view, mayOwn }: LineProps) {
  const { key, tone, title, why, effect, act, mayAct } = line;
  const isOpen = key === view.open;
  return (
    <li aria-current={isOpen || undefined}>
      <Mark tone={tone} />
      <div className="say">
        <Link className="text-medium" href={nextHref({ ...view, open: key })} scroll={false}>
          {title}
        </Link>
        <p>{why}</p>
      </div>
      <div className="effect">
        <span className="text-medium">{effect}</span>
        <span>
          <When line={line} />
        </span>
      </div>
      <Owner line={line} mayOwn={mayOwn} />
      <Link
        className={mayAct && isOpen ? "btn small main" : "btn small"}
        href={act.href}
        aria-label={`${act.words}: ${title}`}
      >
        {act.words}
      </Link>
    </li>
  );
}

/** `j` and `k` move between the titles of the lines. */
function useLineKeys() {
  const list = useRef<HTMLOListElement>(null);
  const move = (by: number) => {
    const titles = [...(list.current?.querySelectorAll<HTMLElement>(".say a") ?? [])];
    const at = titles.findIndex((title) => title === document.activeElement);
    titles[Math.min(titles.length - 1, Math.max(0, at + by))]?.focus();
  };
  useKey("j", () => move(1));
  useKey("k", () => move(-1));
  return list;
}

const ownerWords = { mine: "Mine", nobody: "Nobody’s" } as const;
const every = "";

function Filters({
  view,
  list,
  onChange,
}: {
  readonly view: NextView;
  readonly list: NextList;
  readonly onChange: (change: Partial<NextView>) => void;
}) {
  const owner = view.owner === null ? "All owners" : ownerWords[view.owner];
  const site = view.site ?? "All sites";
  return (
    <div className="acts">
      {list.sites.length < 2 && view.site === null ? null : (
        <Menu
          align="end"
          trigger={
            <button type="button" className="btn" aria-label={`Site: ${site}`}>
              {site}
            </button>
          }
        >
          <MenuChoice
            label="Site"
            value={view.site ?? every}
            choices={[
              { value: every, words: "All sites" },
              ...list.sites.map((name) => ({ value: name, words: name })),
            ]}
            onChoose={(chosen) => onChange({ site: chosen === every ? null : chosen })}
          />
        </Menu>
      )}
      {list.mayOwn ? (
        <Menu
          align="end"
          trigger={
            <button type="button" className="btn" aria-label={`Owner: ${owner}`}>
              {owner}
            </button>
          }
        >
          <MenuChoice
            label="Owner"
            value={view.owner ?? every}
            choices={[
              { value: every, words: "All owners" },
              { value: "mine", words: ownerWords.mine },
              { value: "nobody", words: ownerWords.nobody },
            ]}
            onChoose={(chosen) =>
              onChange({ owner: chosen === "mine" || chosen === "nobody" ? chosen : null })
            }
          />
        </Menu>
      ) : null}
    </div>
  );
}

/** "9 things need a person, 4 have no owner". */
function formatHead({ groups, snoozed, mayOwn }: NextList, site: string | null): string {
  const at = site === null ? "" : ` at site ${site}`;
  if (groups.length === 0)
    return `nothing to do${at}${snoozed.length === 0 ? "" : `, ${formatCount(snoozed.length)} snoozed`}`;
  const needs = groups.length === 1 ? "needs" : "need";
  const free = groups.filter(({ ownerId }) => ownerId === null).length;
  const owned = mayOwn ? `, ${formatCount(free)} ${free === 1 ? "has" : "have"} no owner` : "";
  const whom = mayOwn || groups.every(({ mayAct }) => !mayAct) ? "a person" : "you";
  return `${formatCounted(groups.length, "thing")} ${needs} ${whom}${at}${owned}`;
}

/** What is watched, with when Reclaim looked. */
function Watched({ list }: { readonly list: NextList }) {
  return (
    <section>
      <div className="sec">
        <h2>What is watched</h2>
        <span className="sum">
          last look <Time at={list.at} />
        </span>
      </div>
      <ul className="gates two-col">
        {list.watched.map(({ kind, words, groups, last }) => (
          <li key={kind}>
            <Mark tone={groups === 0 ? "good" : "attention"} label="" />
            <span>{words}</span>
            <span className="evidence">
              {groups > 0 ? (
                formatCount(groups)
              ) : last === null ? (
                "none"
              ) : (
                <>
                  last <Time at={last} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Nothing({ list }: { readonly list: NextList }) {
  const { pages } = useMe();
  return (
    <div className="cols two">
      <Empty
        title="Nothing to do"
        act={
          pages.includes("fleet") ? (
            <Link className="btn" href={routes.fleet()}>
              Open Fleet
            </Link>
          ) : (
            <Link className="btn" href={routes.instances()}>
              Open Instances
            </Link>
          )
        }
      >
        A line appears here when something needs you, one for each cause, and goes when the cause is gone. The
        same list: <code>reclaim next</code>
      </Empty>
      <Watched list={list} />
    </div>
  );
}

/** Those that are snoozed, folded. */
function Snoozed({
  lines,
  view,
  mayOwn,
}: {
  readonly lines: readonly NextLine[];
  readonly view: NextView;
  readonly mayOwn: boolean;
}) {
  if (lines.length === 0) return null;
  return (
    <details className="snoozed" open={lines.some(({ key }) => key === view.open) || undefined}>
      <summary>{formatCount(lines.length)} snoozed</summary>
      <ol className="work" aria-label="Snoozed">
        {lines.map((line) => (
          <Line key={line.key} line={line} view={view} mayOwn={mayOwn} />
        ))}
      </ol>
    </details>
  );
}

export function NextPage() {
  const trpc = useTRPC();
  const me = useMe();
  const [view, change] = useAddressView(parseNextView, nextHref);
  const { data: list, refetch } = useSuspenseQuery(trpc.next.list.queryOptions(nextQuery(view)));
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const keys = useLineKeys();
  const lines = ownedBy(list.groups, view.owner, me.personId);
  const open = [...list.groups, ...list.snoozed].find(({ key }) => key === view.open);
  return (
    <>
      <div className="head">
        <h1>Next</h1>
        <span className="what">{formatHead(list, view.site)}</span>
        <Filters view={view} list={list} onChange={change} />
      </div>
      <ListWithPanel
        label="Next"
        className="next"
        panel={
          open === undefined ? null : (
            <NextPanel
              key={open.key}
              line={open}
              people={list.people}
              mayOwn={list.mayOwn}
              onClose={() => change({ open: null })}
            />
          )
        }
      >
        {list.groups.length === 0 ? (
          <Nothing list={list} />
        ) : (
          <>
            <p className="text-quiet text-compact order">
              In this order: security, tenants who wait, hosts that come back, what ends soon
            </p>
            <ol className="work" ref={keys} aria-label="What to do now">
              {lines.map((line) => (
                <Line key={line.key} line={line} view={view} mayOwn={list.mayOwn} />
              ))}
            </ol>
            {lines.length === 0 ? (
              <Empty title={view.owner === "mine" ? "You have nothing" : "Everything has an owner"}>
                {view.owner === "mine"
                  ? "What you take is listed here."
                  : "What nobody has taken is listed here."}
              </Empty>
            ) : null}
          </>
        )}
        <Snoozed lines={list.snoozed} view={view} mayOwn={list.mayOwn} />
      </ListWithPanel>
    </>
  );
}
