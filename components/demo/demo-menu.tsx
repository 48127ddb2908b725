"use client";
// The demo menu: turns the live demo on and off, orders drills for a machine, starts the tour. Only on sites with a demo desk.
import { useMutation, useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { createContext, useContext, useMemo, useState, type ReactNode } from "react";
import { useMe } from "@/components/frame/me";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialogs/dialog";
import { Field, TextInput } from "@/components/ui/form/controls";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { orderAtDesk, readDesk, type DeskOffer, type DeskOrder } from "@/components/demo/desk";
import { Tour } from "@/components/demo/tour";

const DemoContext = createContext<(() => void) | undefined>(undefined);

/** Opens the menu; undefined if this user has none. */
export const useDemoMenu = () => useContext(DemoContext);

/** Wraps the frame, so that the menu and the tour stay open across pages. */
export function DemoProvider({ children }: { children: ReactNode }) {
  const { demoDesk } = useMe();
  const [open, setOpen] = useState(false);
  const [touring, setTouring] = useState(false);
  const show = useMemo(() => (demoDesk ? () => setOpen(true) : undefined), [demoDesk]);
  const begin = () => {
    setOpen(false);
    setTouring(true);
  };
  return (
    <DemoContext value={show}>
      {children}
      {open ? <DemoDialog onClose={() => setOpen(false)} onTour={begin} /> : null}
      {touring ? <Tour onEnd={() => setTouring(false)} /> : null}
    </DemoContext>
  );
}

/** The host whose page is open. */
function useHostOfPage(): string {
  const [, area, name] = usePathname().split("/");
  return area === "hosts" && name !== undefined ? decodeURIComponent(name) : "";
}

function DemoDialog({ onClose, onTour }: { onClose: () => void; onTour: () => void }) {
  const desk = useQuery({ queryKey: ["demo-desk"], queryFn: readDesk, refetchInterval: 5_000 });
  const order = useMutation({ mutationFn: orderAtDesk, onSettled: () => desk.refetch() });
  return (
    <Dialog open onClose={onClose} title="Demo">
      {desk.isPending ? <Skeleton rows={5} /> : null}
      {desk.isError ? (
        <Notice tone="failed">The demo server does not respond: {desk.error.message}</Notice>
      ) : null}
      {desk.data === undefined ? null : (
        <Desk
          offer={desk.data}
          busy={order.isPending}
          onOrder={(given) => order.mutate(given)}
          onTour={onTour}
        />
      )}
      <div role="status">
        {order.data === undefined ? null : <p>{order.data}</p>}
        {order.isError ? <Notice tone="failed">{order.error.message}</Notice> : null}
      </div>
      <div className="acts">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

interface DeskProps {
  offer: DeskOffer;
  busy: boolean;
  onOrder: (order: DeskOrder) => void;
  onTour: () => void;
}

function Desk({ offer, busy, onOrder, onTour }: DeskProps) {
  const [host, setHost] = useState(useHostOfPage());
  const living = offer.switch;
  const missing = host.trim() === "" ? "Enter the name of a host" : undefined;
  return (
    <>
      <p>{offer.words}</p>
      <div className="demo-line">
        <span>
          <b className="text-medium">Tour</b>
          <br />
          <span className="text-quiet">From a release to a host that is Ready again, in three steps.</span>
        </span>
        <Button small onClick={onTour}>
          Start the tour
        </Button>
      </div>
      {living === null ? null : (
        <div className="demo-line">
          <span>
            <b className="text-medium">
              {living.title}: {living.on ? "on" : "off"}
            </b>
            <br />
            <span className="text-quiet">{living.words}</span>
          </span>
          <Button small busy={busy} onClick={() => onOrder({ act: "switch", on: !living.on })}>
            {living.on ? "Switch off" : "Switch on"}
          </Button>
        </div>
      )}
      {living === null || living.trouble === null ? null : <Notice tone="attention">{living.trouble}</Notice>}
      <h3>Drills</h3>
      <Field label="Host" hint="its name or serial number">
        {(aria) => <TextInput aria={aria} mono value={host} onChange={setHost} />}
      </Field>
      {offer.drills.map(({ name, title, words }) => (
        <div key={name} className="demo-line">
          <span className="text-quiet">{words}</span>
          <Button
            small
            busy={busy}
            disabledReason={missing}
            onClick={() => onOrder({ act: "drill", drill: name, host: host.trim() })}
          >
            {title}
          </Button>
        </div>
      ))}
    </>
  );
}
