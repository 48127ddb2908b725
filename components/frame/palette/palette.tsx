"use client";
// ⌘K: finds pages, hosts, drives, instances, reclamations, tenants and themes, and the acts of the open page.
import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Dialog } from "radix-ui";
import { useDeferredValue, useEffect, useState, type ReactNode } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";
import { usePageActs } from "@/components/frame/page-acts";
import { useGo } from "@/components/frame/unsaved";
import { usePlaces } from "@/components/frame/keyboard";
import { themes, themeLabels } from "@/components/frame/theme";
import { useTheme } from "@/components/frame/theme-menu";
import { routes, type PageName } from "@/server/domain/console/routes";
import type { SearchAnswer } from "@/server/surfaces/trpc/types";

const placeholder = "Find a host, drive, tenant, page or action";
const fewest = 2;

/** The field in the top bar that opens the palette, and the palette itself. */
export function Palette({ shown }: { shown: readonly PageName[] }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== "k" ||
        !(event.metaKey || event.ctrlKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger className="find">
        <span>{placeholder}</span>
        <kbd aria-hidden="true">⌘K</kbd>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        <Dialog.Content className="palette" aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">Find</Dialog.Title>
          <PaletteBody shown={shown} close={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** One result: a page, a host, an instance, or an act of the open page. */
interface Find {
  /** Unique among all results. */
  readonly value: string;
  /** The thing's own name; typing it in full selects this result. */
  readonly name?: string;
  readonly shown: ReactNode;
  readonly choose: () => void;
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

const nothing: SearchAnswer = { hosts: [], drives: [], instances: [], reclamations: [], tenants: [] };

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
      finds: places
        .filter(({ words }) => matches(wanted, words))
        .map(({ href, words, key }) => ({
          value: `page ${href}`,
          name: words,
          shown: <PageFind words={words} letter={key} />,
          choose: go(href),
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
  return { groups: groups.filter(({ finds }) => finds.length > 0), found };
}

/** What Enter opens before the selection is moved: an exact name match, otherwise the first result. Pure. */
export function firstChoice(finds: readonly Pick<Find, "value" | "name">[], wanted: string): string {
  const named = finds.find(({ name }) => name?.toLowerCase() === wanted.toLowerCase());
  return (named ?? finds[0])?.value ?? "";
}

/** Mounted anew each time it opens. */
function PaletteBody({ shown, close }: { shown: readonly PageName[]; close: () => void }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState("");
  const wanted = useDeferredValue(text.trim());
  const { groups, found } = useFinds(wanted, shown, close);
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
              <Command.Item key={value} value={value} onSelect={choose}>
                {words}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

function noneText({ isError, isFetching }: { isError: boolean; isFetching: boolean }): string {
  if (isError) return "The search failed. Retry.";
  return isFetching
    ? "Searching…"
    : "Nothing found. Search hosts by part of the name or serial, or by the full serial of a drive; drives by part of the serial, model or firmware; instances by name or id; reclamations by number; tenants and pages by name.";
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

function NamedFind({ name, aside, words }: { name: string; aside: string | null; words: string }) {
  return (
    <>
      <b className="text-medium">{name}</b>
      {aside === null ? null : <span className="text-quiet">{aside}</span>}
      <span className="end">{words}</span>
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
