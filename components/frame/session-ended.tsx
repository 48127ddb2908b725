"use client";
// When the session has ended: to the sign-in page and back; where something typed would be lost, the page stays and says so.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { signingOut } from "@/components/frame/sign-out";
import { useUnsavedContext } from "@/components/frame/unsaved";
import { sessionEnded } from "@/components/trpc/provider";
import { useSay } from "@/components/ui/toast";
import { routes } from "@/server/domain/console/routes";

const isDialogOpen = () => document.querySelector("[role=dialog], [role=alertdialog]") !== null;

export function SessionEnded(): null {
  const say = useSay();
  const { isKept } = useUnsavedContext();
  const client = useQueryClient();
  const isSaid = useRef(false);
  const isLeaving = useRef(false);
  useEffect(() => {
    const listening = new AbortController();
    addEventListener(
      signingOut,
      (event) => (isLeaving.current = event instanceof CustomEvent && event.detail === true),
      { signal: listening.signal },
    );
    addEventListener(
      sessionEnded,
      () => {
        if (isLeaving.current) return;
        if (!isKept() && !isDialogOpen())
          return location.assign(
            routes.signIn({ next: `${location.pathname}${location.search}`, ended: true }),
          );
        if (isSaid.current) return;
        isSaid.current = true;
        say(
          <>
            Your session ended. What you typed is still here:{" "}
            <a className="link" href={routes.signIn()} target="_blank" rel="noreferrer">
              sign in in another tab
            </a>
            , then go on.
          </>,
          "attention",
          true,
        );
      },
      { signal: listening.signal },
    );
    const unsubscribe = client.getQueryCache().subscribe((event) => {
      if (event.type === "updated" && event.action.type === "success") isSaid.current = false;
    });
    return () => {
      listening.abort();
      unsubscribe();
    };
  }, [client, isKept, say]);
  return null;
}
