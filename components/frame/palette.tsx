"use client";
// ⌘K: finds pages, hosts, instances and what can be done here.
import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { useDeferredValue, useEffect, useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Mark } from "@/components/ui/mark";
import { usePageActs } from "@/components/frame/page-acts";
import { pages, type PageName } from "@/components/frame/pages";
import { routes } from "@/server/domain/console/routes";

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

/** Mounted afresh each time it opens. The server finds hosts and instances; pages and acts are matched here. */
function PaletteBody({ shown, close }: { shown: readonly PageName[]; close: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const acts = usePageActs();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState("");
  const wanted = useDeferredValue(text.trim());
  const found = useQuery({
    ...trpc.search.all.queryOptions({ text: wanted }),
    enabled: wanted.length >= fewest,
    placeholderData: (before) => before,
  });
  const go = (href: string) => {
    close();
    router.push(href);
  };
  const matches = (words: string) => wanted === "" || words.toLowerCase().includes(wanted.toLowerCase());
  const pagesFound = shown.filter((name) => matches(pages[name].words));
  const actsFound = acts.filter((act) => matches(act.words));
  const hosts = wanted.length >= fewest ? (found.data?.hosts ?? []) : [];
  const instances = wanted.length >= fewest ? (found.data?.instances ?? []) : [];
  const values = [
    ...actsFound.map(({ words }) => `act ${words}`),
    ...hosts.map(({ id }) => `host ${id}`),
    ...instances.map(({ id }) => `instance ${id}`),
    ...pagesFound.map((name) => `page ${name}`),
  ];
  // Answers come after the typing: the first of them is chosen then, so that Enter opens it.
  const selected = values.includes(chosen) ? chosen : (values[0] ?? "");
  const none = pagesFound.length + actsFound.length + hosts.length + instances.length === 0;
  return (
    <Command shouldFilter={false} loop label="Find" value={selected} onValueChange={setChosen}>
      <Command.Input value={text} onValueChange={setText} placeholder={placeholder} autoFocus />
      <Command.List aria-busy={found.isFetching}>
        {none ? (
          <p className="note">
            {found.isError
              ? "The search failed. Retry."
              : found.isFetching
                ? "Searching…"
                : "Nothing found. A host is found by name, serial, MAC, tenant or rack, an instance by name or id."}
          </p>
        ) : null}
        {actsFound.length === 0 ? null : (
          <Command.Group heading="Here">
            {actsFound.map((act) => (
              <Command.Item
                key={act.words}
                value={`act ${act.words}`}
                onSelect={() => {
                  close();
                  act.run();
                }}
              >
                {act.words}
              </Command.Item>
            ))}
          </Command.Group>
        )}
        {hosts.length === 0 ? null : (
          <Command.Group heading="Hosts">
            {hosts.map((host) => (
              <Command.Item
                key={host.id}
                value={`host ${host.id}`}
                onSelect={() => go(routes.host(host.name))}
              >
                <Mark tone={host.tone} label="" />
                <b className="text-medium">{host.name}</b>
                <span className="end">{host.words}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        {instances.length === 0 ? null : (
          <Command.Group heading="Instances">
            {instances.map((instance) => (
              <Command.Item
                key={instance.id}
                value={`instance ${instance.id}`}
                onSelect={() => go(routes.instances({ show: "all", open: instance.id }))}
              >
                <b className="text-medium">{instance.name}</b>
                {instance.hostName === null ? null : <span className="text-quiet">{instance.hostName}</span>}
                <span className="end">{instance.words}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        {pagesFound.length === 0 ? null : (
          <Command.Group heading="Go to">
            {pagesFound.map((name) => (
              <Command.Item key={name} value={`page ${name}`} onSelect={() => go(pages[name].href)}>
                {pages[name].words}
                <span className="end">g {pages[name].key}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
      </Command.List>
    </Command>
  );
}
