"use client";
// ⌘K: finds pages, hosts, instances and what can be done here.
import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Dialog } from "radix-ui";
import { useDeferredValue, useEffect, useState, type ReactNode } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";
import { usePageActs } from "@/components/frame/page-acts";
import { useGo } from "@/components/frame/unsaved";
import { pages, routes, type PageName } from "@/server/domain/console/routes";

const placeholder = "Find a host, serial, tenant or action";
const fewest = 2;

/** The field in the top bar that opens it, and the palette itself. */
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

/** Something that can be chosen: a page, a host, an instance, or what can be done here. */
interface Find {
  /** Unique among all. */
  readonly value: string;
  readonly shown: ReactNode;
  readonly choose: () => void;
}

interface FindGroup {
  readonly heading: string;
  readonly finds: readonly Find[];
}

/** Pages and acts are matched here; the server finds hosts and instances. Groups without finds are left out. */
function useFinds(wanted: string, shown: readonly PageName[], close: () => void) {
  const trpc = useTRPC();
  const goTo = useGo();
  const acts = usePageActs();
  const asked = wanted.length >= fewest;
  const found = useQuery({
    ...trpc.search.all.queryOptions({ text: wanted }),
    enabled: asked,
    placeholderData: (before) => before,
  });
  const answered = asked ? found.data : undefined;
  const matches = (words: string) => wanted === "" || words.toLowerCase().includes(wanted.toLowerCase());
  const chosen = (act: () => void) => () => {
    close();
    act();
  };
  const go = (href: string) => chosen(() => goTo(href));
  const groups: readonly FindGroup[] = [
    {
      heading: "Here",
      finds: acts
        .filter(({ words }) => matches(words))
        .map(({ words, run }) => ({ value: `act ${words}`, shown: words, choose: chosen(run) })),
    },
    {
      heading: "Hosts",
      finds: (answered?.hosts ?? []).map((host) => ({
        value: `host ${host.id}`,
        shown: <HostFind {...host} />,
        choose: go(routes.host(host.name)),
      })),
    },
    {
      heading: "Instances",
      finds: (answered?.instances ?? []).map((instance) => ({
        value: `instance ${instance.id}`,
        shown: <InstanceFind {...instance} />,
        choose: go(routes.instances({ show: "all", open: instance.id })),
      })),
    },
    {
      heading: "Go to",
      finds: [
        ...shown
          .filter((name) => matches(pages[name].words))
          .map((name) => ({
            value: `page ${name}`,
            shown: <PageFind words={pages[name].words} letter={pages[name].key} />,
            choose: go(pages[name].href),
          })),
        ...(matches("Account")
          ? [{ value: "page account", shown: "Account", choose: go(routes.account()) }]
          : []),
      ],
    },
  ];
  return { groups: groups.filter(({ finds }) => finds.length > 0), found };
}

/** Mounted afresh each time it opens. */
function PaletteBody({ shown, close }: { shown: readonly PageName[]; close: () => void }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState("");
  const wanted = useDeferredValue(text.trim());
  const { groups, found } = useFinds(wanted, shown, close);
  const values = groups.flatMap(({ finds }) => finds.map(({ value }) => value));
  // Answers come after the typing: the first of them is chosen then, so that Enter opens it.
  const selected = values.includes(chosen) ? chosen : (values[0] ?? "");
  return (
    <Command shouldFilter={false} loop label="Find" value={selected} onValueChange={setChosen}>
      <Command.Input value={text} onValueChange={setText} placeholder={placeholder} autoFocus />
      <Command.List aria-busy={found.isFetching}>
        {values.length === 0 ? <p className="note">{noneWords(found)}</p> : null}
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

function noneWords({ isError, isFetching }: { isError: boolean; isFetching: boolean }): string {
  if (isError) return "The search failed. Retry.";
  return isFetching
    ? "Searching…"
    : "Nothing found. A host is found by name, serial, MAC, tenant or rack, an instance by name or id.";
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

function InstanceFind({ name, hostName, words }: { name: string; hostName: string | null; words: string }) {
  return (
    <>
      <b className="text-medium">{name}</b>
      {hostName === null ? null : <span className="text-quiet">{hostName}</span>}
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
