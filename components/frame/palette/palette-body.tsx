"use client";
// Inside the palette: finds pages, hosts, drives, instances, reclamations, tenants, lists and themes, and what can be done, here and elsewhere.
import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { useDeferredValue, useState, type ReactNode } from "react";
import { placeholder, type PaletteBodyProps } from "@/components/frame/palette/palette-props";
import { useTRPC } from "@/components/trpc/trpc";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";
import { usePageActs } from "@/components/frame/page-acts";
import { useGo } from "@/components/frame/unsaved";
import { usePlaces } from "@/components/frame/keyboard";
import { themes, themeLabels } from "@/components/frame/theme";
import { useTheme } from "@/components/frame/theme-menu";
import { routes, type PageName } from "@/server/domain/console/routes";
import { notSearched } from "@/server/domain/console/not-searched";
import { formatCounted } from "@/server/domain/numbers";
import type { SearchAnswer } from "@/server/surfaces/trpc/types";

const fewest = 2;

/** One result: a page, a host, an instance, a list, or an act. */
interface Find {
  /** Unique among all results. */
  readonly value: string;
  /** The thing's own name; typing it in full selects this result. */
  readonly name?: string;
  readonly shown: ReactNode;
  /** Null: it cannot be chosen, and says why. */
  readonly choose: (() => void) | null;
}

interface FindGroup {
  readonly heading: string;
  readonly finds: readonly Find[];
}

/** Whether `words` contain every word that was typed. Pure. */
export const matches = (wanted: string, words: string): boolean =>
  wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.toLowerCase().includes(word));

const nothing: SearchAnswer = {
  hosts: [],
  drives: [],
  instances: [],
  reclamations: [],
  tenants: [],
  acts: [],
  lists: [],
  places: [],
  helpUnread: false,
};

/** The server's results. */
function useFound(wanted: string) {
  const trpc = useTRPC();
  const asked = wanted.length >= fewest;
  const found = useQuery({
    ...trpc.search.all.queryOptions({ text: wanted }),
    enabled: asked,
    placeholderData: (before) => before,
    // Without a network, fail with a message instead of waiting silently.
    networkMode: "always",
  });
  return { found, answered: (asked ? found.data : undefined) ?? nothing };
}

type Go = (href: string) => () => void;

const foundGroups = (answered: SearchAnswer, go: Go): readonly FindGroup[] => [
  {
    heading: "Hosts",
    finds: answered.hosts.map((host) => ({
      value: `host ${host.id}`,
      name: host.name,
      shown: <HostFind {...host} />,
      choose: go(routes.host(host.name)),
    })),
  },
  {
    heading: "Drives",
    finds: answered.drives.map(({ id, serial, words }) => ({
      value: `drive ${id}`,
      name: serial,
      shown: <NamedFind name={serial} aside={null} words={words} />,
      choose: go(routes.drives.one(id)),
    })),
  },
  {
    heading: "Instances",
    finds: answered.instances.map((instance) => ({
      value: `instance ${instance.id}`,
      name: instance.name,
      shown: <NamedFind name={instance.name} aside={instance.hostName} words={instance.words} />,
      choose: go(routes.instances({ show: "all", open: instance.id })),
    })),
  },
  {
    heading: "Reclamations",
    finds: answered.reclamations.map(({ id, number, hostName, words }) => ({
      value: `reclamation ${id}`,
      name: number,
      shown: <NamedFind name={number} aside={hostName} words={words} />,
      choose: go(routes.host(hostName, { reclamation: id })),
    })),
  },
  {
    heading: "Tenants",
    finds: answered.tenants.map(({ id, name, words, filter }) => ({
      value: `tenant ${id}`,
      name,
      shown: <NamedFind name={name} aside="hosts of this tenant" words={words} />,
      choose: go(routes.hosts({ q: filter })),
    })),
  },
  {
    heading: "Actions",
    finds: (answered.acts ?? []).map(({ id, words, on, refused, path }) => ({
      value: `found act ${id}`,
      shown: <ActFind words={words} on={on} refused={refused} />,
      choose: refused === null ? go(path) : null,
    })),
  },
  {
    heading: "Lists of hosts",
    finds: (answered.lists ?? []).map(({ words, hosts, filter }) => ({
      value: `list ${filter}`,
      shown: <NamedFind name={words} aside={null} words={formatCounted(hosts, "host")} />,
      choose: go(routes.hosts({ q: filter })),
    })),
  },
];

/** Pages, themes and acts are matched here, the rest by the server. Groups without results are left out. */
function useFinds(wanted: string, shown: readonly PageName[], close: () => void) {
  const goTo = useGo();
  const acts = usePageActs();
  const places = usePlaces(shown);
  const { theme, choose: chooseTheme } = useTheme();
  const { found, answered } = useFound(wanted);
  const chosen = (act: () => void) => () => {
    close();
    act();
  };
  const go: Go = (href) => chosen(() => goTo(href));
  const byName = places.filter(({ words }) => matches(wanted, words));
  const groups: readonly FindGroup[] = [
    {
      heading: "Here",
      finds: acts
        // Match an act by what it does, not by the host it names: someone who types a host name wants the host.
        .filter(({ words }) => matches(wanted, words.replace(/ \([^)]*\)$/, "")))
        .map(({ words, run }) => ({ value: `act ${words}`, shown: words, choose: chosen(run) })),
    },
    ...foundGroups(answered, go),
    {
      heading: "Go to",
      finds: byName.map(({ href, words, key }) => ({
        value: `page ${href}`,
        name: words,
        shown: <PageFind words={words} letter={key} />,
        choose: go(href),
      })),
    },
    {
      heading: "Where it is",
      finds: (answered.places ?? [])
        .filter(({ path }) => byName.every(({ href }) => href !== path))
        .map(({ path, words, about }) => ({
          value: `place ${path}`,
          shown: <NamedFind name={words} aside={about} words={null} />,
          choose: go(path),
        })),
    },
    {
      heading: "Theme",
      finds: themes
        .filter((name) => name !== theme && wanted !== "" && matches(wanted, `theme ${themeLabels[name]}`))
        .map((name) => ({
          value: `theme ${name}`,
          shown: `Theme: ${themeLabels[name]}`,
          choose: chosen(() => chooseTheme(name)),
        })),
    },
  ];
  return { groups: groups.filter(({ finds }) => finds.length > 0), found, left: notSearched(answered) };
}

/** What Enter opens before the selection is moved: an exact name match, otherwise the first result. Pure. */
export function firstChoice(
  finds: readonly Pick<Find, "choose" | "value" | "name">[],
  wanted: string,
): string {
  const possible = finds.filter(({ choose }) => choose !== null);
  const named = possible.find(({ name }) => name?.toLowerCase() === wanted.toLowerCase());
  return (named ?? possible[0])?.value ?? "";
}

export function PaletteBody({ shown, close, text, setText }: PaletteBodyProps) {
  const [chosen, setChosen] = useState("");
  const wanted = useDeferredValue(text.trim());
  const { groups, found, left } = useFinds(wanted, shown, close);
  const all = groups.flatMap(({ finds }) => finds);
  // Server results arrive after typing. Select one again then, so that Enter has something to open.
  const selected = all.some(({ value }) => value === chosen) ? chosen : firstChoice(all, wanted);
  return (
    <Command shouldFilter={false} loop label="Find" value={selected} onValueChange={setChosen}>
      <Command.Input value={text} onValueChange={setText} placeholder={placeholder} autoFocus />
      <Command.List aria-busy={found.isFetching}>
        {all.length === 0 ? <p className="note">{noneText(found)}</p> : null}
        {groups.map(({ heading, finds }) => (
          <Command.Group key={heading} heading={heading}>
            {finds.map(({ value, shown: words, choose }) => (
              <Command.Item
                key={value}
                value={value}
                disabled={choose === null}
                {...(choose === null ? {} : { onSelect: choose })}
              >
                {words}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
        {left === null ? null : <p className="note">{left}</p>}
      </Command.List>
    </Command>
  );
}

function noneText({ isError, isFetching }: { isError: boolean; isFetching: boolean }): string {
  if (isError) return "The search failed. Retry.";
  return isFetching
    ? "Searching…"
    : "Nothing found. Search hosts by part of the name or serial, or by the full serial of a drive; drives by part of the serial, model or firmware; instances by name or id; reclamations by number; tenants, lists and pages by name; actions by their words and the name of a host or instance, such as “retry r1-h09”.";
}

function HostFind({ name, tone, words }: { name: string; tone: Tone; words: string }) {
  return (
    <>
      <Mark tone={tone} label="" />
      <b className="text-medium">{name}</b>
      <span className="end">{words}</span>
    </>
  );
}

function ActFind({ words, on, refused }: { words: string; on: string | null; refused: string | null }) {
  return (
    <>
      <b className="text-medium">{refused === null ? `${words}…` : words}</b>
      {on === null ? null : <span>{on}</span>}
      {refused === null ? null : <span className="end">{refused}</span>}
    </>
  );
}

interface NamedFindProps {
  name: string;
  aside: string | null;
  words: string | null;
}

function NamedFind({ name, aside, words }: NamedFindProps) {
  return (
    <>
      <b className="text-medium">{name}</b>
      {aside === null ? null : <span className="text-quiet">{aside}</span>}
      {words === null ? null : <span className="end">{words}</span>}
    </>
  );
}

function PageFind({ words, letter }: { words: string; letter: string }) {
  return (
    <>
      {words}
      <span className="end">g {letter}</span>
    </>
  );
}
